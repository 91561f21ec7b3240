"""Words that may mean that somebody does not want to live: open, veiled, or in what they have put in order.

Nets of English phrases for a therapist that had rather ask once too often than pass over it. A first net and no risk
assessment: what it does not catch it does not catch. Danger from or to others is not in it.
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["alarming"]


def _net(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


_OPEN = _net(
    r"\b(?:thought|think|thinking|thoughts?) (?:about|of|on) (?:how (?:i|to) (?:could|would|do)|ways to|dying|death|"
    r"ending)",
    r"\bi(?:'ve| have)? thought about how\b",
    r"\b(?:last night|yesterday|it) (?:was|were|i was) (?:close|near)\b",
    r"\bi want (?:only |just )?to (?:go|be) (?:where|with) (?:she|he|her|him|they|them|mum|dad)\b",
    r"\b(?:don't|do not|won't|not) (?:plan|expect|mean|think|bother) (?:on |to |i'll |about )?(?:see|be|reach|"
    r"have)(?:ing)? "
    r"(?:here |next )?(?:christmas|monday|spring|summer|another|next|my|the)\b",
    r"\bmade up my mind\b.{0,60}\b(?:day|nothing to worry)\b|\bi(?:'ve| have) decided (?:this|it)\b.{0,40}\bquiet\b",
    r"\b(?:cut|cutting|burned|burning) (?:again|myself|my (?:arms?|wrists?|legs?|thighs?|stomach))\b|\bit's "
    r"deeper\b|^\W*(?:twice|again)\b.{0,20}\bdeeper\b",
    r"\bwhen it's (?:my )?time\b.{0,30}\bkeep|\bkeep(?:ing)? (?:that|this) one for me\b",
    r"\btomorrow i(?:'ll| will) do it\b|\bnot driving back\b|\bno (?:notion|intention|plan) of coming back\b",
    r"\bi will be dead before\b|\bhead(?:ing)? (?:for|to) the (?:bridge|platform|water)\b",
)
_VEILED = _net(
    # Others would manage: thought through, not said in passing.
    r"\b(?:they|he|she|the (?:kids|boys|girls|children)|everyone|everybody|my \w+)(?:'d| would|'ll| will)(?: all| "
    r"both)?"
    r" (?:be|manage|do|cope|get on|have it)(?: \w+)? ?(?:all right|alright|fine|okay|better|easier|happier|well|"
    r"grand)?\b"
    r"[^?]{0,80}\b(?:i(?:'ve| have|'d| had)? thought (?:that|it|about it|of it)|without me|when i'm gone|if i "
    r"(?:was|were|"
    r"am) (?:gone|not))\b",
    r"\b(?:everyone|everybody|they)(?:'s|'re| is| are| would be|'d be) better off\b",
    r"\bbetter (?:life|off) with the (?:insurance|money)\b",
    # Indifference to going on.
    r"\b(?:long or short|live or die|one way or the other|either way)\b[^.?!]{0,40}\b(?:mind|care|matter|same|bother)",
    r"\b(?:mind|care|matters?|bothered|fussed)\b[^.?!]{0,25}\b(?:long or short|live or die|whether i (?:live|wake|"
    r"go on))",
    r"\b(?:don't|do not|wouldn't|would not|'d not|not) (?:really |much )?(?:mind|care|complain|be sorry|"
    r"object)\b[^.?!]{0,30}"
    r"\b(?:if (?:it|my heart|the (?:car|bus|train|lorry|plane)|i)) (?:stopped|stops|didn't|did not|doesn't|never|"
    r"hit|went|"
    r"came|goes all)\b",
    r"\b(?:wasn't|was not|weren't|am not|'m not) (?:in )?(?:any|a|no) (?:rush|hurry) to (?:get up|wake|come (?:back|"
    r"round|to))",
    r"\b(?:not|n't) stand in its way\b|\bif it (?:came|took me)\b|\bhoped for more\b|\bif i lie down\b.{0,40}\bget "
    r"up\b",
    r"\b(?:prefer|rather|sooner) not (?:to )?(?:be|have been) (?:here|around|in attendance)\b|"
    r"\bcould(?:'ve| have) (?:had|taken) me\b|"
    r"\bi don't mind if it goes all the way\b|\bpart of me hoped\b|\bsomething would (?:hit|take) me\b",
    r"\ball (?:one|the same) to me\b[^?]{0,30}\b(?P<verb>\w+),? (?:or )?(?:don't|do not|not) (?P=verb)\b",
    # Nothing is planned for any more.
    r"\b(?:won't|will not|shan't) be needing\b.{0,30}\b(?:where|it|them|any)\b",
    r"\b(?:did not|didn't|don't|do not|never) (?:think|thought|suppose|reckon)(?: that)? i(?:'d| would|'ll| will) "
    r"(?:need|want|use|be "
    r"(?:here|needing))\b",
    r"\bnot (?:a )?no\b.{0,25}\b(?:form|box|blank)|\bleft (?:it |that one )?blank\b.{0,60}\bnot (?:a )?no\b",
    # Putting in order, saying goodbye.
    r"\b(?:written|wrote|writing) (?:the |my |them |to |each |some )+(?:letters?|notes?|will|goodbye|of them)",
    r"\b(?:the )?(?:will|insurance|policy)\b.{0,40}\b(?:folder|drawer|in order|covers)|\bgave the (?:dog|cat) away\b",
    r"\bdon't want (?:anyone|anybody|them|her|him) to (?:find|have to (?:sort|clear|find))\b",
    r"\bbeen very grateful\b.{0,120}\b(?:won't|don't expect)",
    # Means and places.
    r"\b(?:saving|saved|keep|kept|collecting|counted|tucking)\b.{0,24}\b(?:tablets|pills|meds|medication)\b",
    r"\b(?:tablets|pills|meds)\b.{0,40}\b(?:enough|in a (?:jar|sock|drawer)|the lot)\b|\btook the lot\b",
    r"\bi(?:'ve| have) taken (?:the|all|some|my) (?:\w+ )?(?:tablets|pills)\b|\bi keep them in a jar\b|\benough now\b",
    r"\bgun\b.{0,40}\b(?:knees|open|loaded|cabinet|ute|drawer)\b|\bgun cabinet\b",
    r"\b(?:stood|stand|sat|parked|drove|driving|walked|been)\b.{0,20}\b(?:bridge|level crossing|railway|platform edge|"
    r"cliffs?|dam|quarry|multi-?storey)\b",
    r"\b(?:going to |gonna )?have to die (?:to|before|for)\b",
    # Somewhere high, now.
    r"\b(?:i'm|i am)(?: just| only| still)?(?: up| out| sat| sitting| standing| here)*[\w', ]{0,12} (?:on|at|by) "
    r"the (?:roof|top (?:floor|level|deck)|ledge|parapet)\b",
    r"\b(?:shut|close|closed) my eyes (?:on|at|while|behind) (?:the )?(?:motorway|wheel|driving|road)\b",
)


@lru_cache(maxsize=256)
def alarming(text: str) -> bool:
    """Whether ``text`` may mean that its speaker does not want to live.

    Examples
    --------
    >>> alarming("They'd manage fine, the pair of them. I've thought that."), alarming("They'd manage fine.")
    (True, False)
    >>> alarming("Long or short, I don't mind it."), alarming("I don't mind short walks.")
    (True, False)
    >>> alarming("It's all one to me. Arrive, don't arrive."), alarming("Tea or coffee, it's all one to me.")
    (True, False)
    """
    text = text.replace("’", "'")
    return _OPEN.search(text) is not None or _VEILED.search(text) is not None
