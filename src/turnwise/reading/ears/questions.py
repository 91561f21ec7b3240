"""What one therapist's turn does, sentence by sentence: form of question, moves, feelings named.

Explicit wording, read with patterns, and put together with what the calibrated coder says of the
whole turn: a sentence counts as a reflection when stem and coder together make it likely. None of
this scores anybody; it is how a participant understands (an ear).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

import yaml

from turnwise.reading.ears.hearing import Hearing
from turnwise.reading.ears.intents import IntentReading, plain, read_intent
from turnwise.reading.ears.openings import opening_table
from turnwise.reading.package_data import read_packaged

__all__ = ["EMOTIONS", "Form", "Heard", "Sentence", "asserted_emotions", "read_heard", "read_sentence", "surface"]

Form = Literal["wh", "yes_no", "disguised", "alternative", "imperative", "declarative", "ellipsis", "check", "none"]
OPEN_FORMS: tuple[Form, ...] = ("wh", "disguised", "imperative", "ellipsis")

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_CONTENT: dict[str, Any] = yaml.load(read_packaged("ears/moves.yaml"), Loader=_Loader)  # noqa: S506
EMOTIONS: dict[str, str] = {word: family for family, words in _CONTENT["emotions"].items() for word in words}
"""Word of feeling -> family. Two words of one family count as the same feeling."""
_MOVES, _MOVED_BY = tuple(_CONTENT["moves"]), opening_table(list(_CONTENT["moves"].values()))
_SUBJECTS = tuple((name, re.compile(pattern)) for name, pattern in _CONTENT["subjects"].items())

_WH = re.compile(
    r"(?:^|[,;:–-]\s*(?:and |so |but )?|\b(?:and|so|but|then|is) )(?:what|when|where|whom?|whose|"
    r"why|how|which)(?:'s|'re|'d|'ve)?\b"
)
_STARTS_WH = re.compile(
    r"(?:(?:roughly|about|exactly|on|in|for|at|to|from|since|with|after|of) )?(?:what|when|where|whom?|whose|why|"
    r"how|which)(?:'s|'re|'d|'ve)?\b"
)
_AUX = re.compile(
    r"^(?:(?:is|are|am|was|were|do|does|did|have|has|had|can|could|will|would|should|shall|may|"
    r"might|must)(?:n't)?|ain't)\s"
)
_AUX_LATE = re.compile(
    r"[,;:–-]\s*(?:and |but |so |or )?(?:is|are|was|were|do|does|did|have|has|had|can|could|"
    r"will|would)(?:n't)?\s+(?:you|he|she|they|it|that|there|this|your)\b"
)
_YOU_MEAN = re.compile(r"[,;–-]\s*(?:do|did) you mean(?=\?)")
"""Hung on, it asks for no yes or no: "Not one of which people, do you mean?"."""
_WH_LATE = re.compile(
    r"\b(?:(?:of|for|with|from|to|about|by|at|in|on) (?:what|which|whom?|whose|where)(?: [\w'-]+){0,2}|"
    r"(?:know|knew|say|said|do|did|see|saw|hear|heard|find|found|tell|told|want|wanted) (?:what|who|whom|where))"
    r"[\s?.\"'”’)]*$"
)
_DISGUISED = re.compile(
    r"^(?:(?:is|are|was|were|has|have) there\b|(?:can|could) you (?:think|name|remember|recall|"
    r"imagine)|do you (?:have|know) (?:any|some)(?:one|body|thing)\b|"
    r"have you (?:ever )?(?:noticed|got any)|any(?:one|body|thing|where)?\b)"
)
_IMPERATIVE = re.compile(
    r"^(?:tell|describe|give me|walk me|take me|talk me|say (?:more|a|some|that)|help me|"
    r"think of|think back|go on|imagine|suppose|explain|picture|"
    r"show me|remember|name|help me understand)\b"
)
_INDIRECT = re.compile(
    r"^(?:and |so |but |well,? )?(?:i(?:'m| am|'ve been| was| keep| find myself)? (?:wonder(?:ing)?|curious)|"
    r"i(?:'d| would) (?:like|love|be (?:glad|interested|curious)) to (?:hear|know|understand)|"
    r"i(?: want|'m trying) to (?:hear|know|understand))\b.{0,24}?\b(?:what|how|where|when|who|why|which|about|more)\b"
)
"""Questions in the form of a statement: "I wonder what you made of that." """
_TELL_ME = re.compile(
    r"^(?:(?:and|so|but|then|well|okay|please|maybe|perhaps|first),? )*(?:please )?"
    r"(?:tell me (?:who|what|how|where|when|why|about)\b|"
    r"you (?:could|can|might) (?:tell me (?:a|about|more|something|what|how|who|where)\b|"
    r"say (?:a (?:bit|little)(?: more)?|more|something)(?: about\b|\W*$)|"
    r"describe (?:what|how|it|that|your)\b(?!.*\bas\b)|(?:talk|walk) me through\b))"
)
_MUSES = re.compile(r"^(?:hm+,? |and |so |but |well,? )*i(?:'m| am|'ve been| was| keep| find myself)? wonder(?:ing)?\b")
"""Wonders aloud: that tells nothing of the one who does."""
_CHECK = re.compile(
    r"^(?:is (?:that|this|it) (?:all right|alright|okay|ok|right|fair|so|about right|correct|"
    r"close|something like)|does (?:that|this|it) (?:fit|make sense|sound|ring|land|sit|feel right)|"
    r"do(?:es)? that work|have i (?:got|understood)|did i (?:get|hear|understand)|am i (?:right|"
    r"close|on|getting)|right|okay|ok|yes|"
    r"how does that (?:sound|land|sit|fit)|would (?:that|it) be (?:all right|okay|ok|helpful|useful)|shall we)\b"
)
_CHECKS_WHAT = re.compile(r"\b(?:fit|sound|sit|feel right) (?:with|to|like) (?:you |what |the |how |your )")
"""What makes "does that fit" a question about the patient's life: it names what it should fit with."""
_TAG = re.compile(
    r",\s*(?:right|no|yes|or|don't you|doesn't (?:it|he|she)|isn't (?:it|he|she|that)|"
    r"aren't (?:you|they)|didn't (?:you|he|she)|is it|are you|haven't you|wouldn't (?:you|"
    r"it))\s*\?$"
)
_OR = re.compile(r"\bor\b(?! not\b| so\b| anything\b| something\b)")

_BIDS = re.compile(
    r"(?:then |start |first )?(?:put|take|make|write|set|keep|go|get|tell|give|read|do|find|"
    r"look|tidy|clean|plan|draw|choose|pick|stop|"
    r"start|begin|ask|call|see|use|eat|drink|drop|clear|learn|sign|buy|leave|open|close|stick|"
    r"sit|spend|plant|cook|think)\b"
)
_NEGATED = re.compile(r"\b(?:not|n't|never|no|without|less|hardly)\b[^.,]{0,12}$|n't [^.,]{0,12}$")
_OWN = re.compile(
    r"\bi(?:['’]m| am| was| feel|['’]d be| would be| get)(?: (?:so|very|really|quite|only|always|just|glad|and))* $"
)
"""The therapist's own feeling, not one of the patient's."""
_ANY_WORD = re.compile(r"[a-z]+")
_HEDGED_ADVICE = re.compile(
    r"\b(?:would you like to (?:try|do)|what (?:could|might|would) you|you would like to|"
    r"you'd like to|what made|if you had to|could you (?:say|tell|describe))\b"
)
_ASKS_ON = re.compile(r"^(?:how|what) about [\w' ]+, (?:who|what|where|when|how)\b(?!.*\b(?:if|about)\b)")
"""What only turns to a subject: "How about at home, who do you live with?"."""
_STOP_TALK = frozenset("(silence) (silent) (pause) (waits) (nods) (waiting) (quiet) ...".split())


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """One sentence as heard. ``intent`` is read only of what asks something."""

    text: str
    plain: str
    form: Form
    moves: frozenset[str]
    emotions: tuple[str, ...] = ()
    subject: str = ""
    intent: IntentReading | None = None

    @property
    def asks(self) -> bool:
        """Whether an answer is wanted."""
        return self.form != "none"

    @property
    def open(self) -> bool:
        """Whether the answer is left open."""
        return self.form in OPEN_FORMS


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """A therapist's whole turn as heard."""

    sentences: tuple[Sentence, ...]
    n_words: int
    silence: bool
    nonsense: bool
    p_reflection: float
    p_question: float
    p_input: float
    made: frozenset[str] = field(init=False)
    """The moves of all sentences: a turn is asked for them twenty times."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "made", frozenset().union(*(s.moves for s in self.sentences)))

    def does(self, *moves: str) -> bool:
        """Whether any sentence makes one of the moves."""
        return not self.made.isdisjoint(moves)

    def making(self, move: str) -> tuple[Sentence, ...]:
        """Return the sentences that make a move."""
        return tuple(s for s in self.sentences if move in s.moves)

    @property
    def questions(self) -> tuple[Sentence, ...]:
        """Sentences that ask something about the patient (not checks of the talk itself)."""
        return tuple(s for s in self.sentences if s.asks and s.form != "check" and "advice" not in s.moves)

    @property
    def emotions(self) -> tuple[str, ...]:
        """Feelings asserted of the patient, each once."""
        return tuple(dict.fromkeys(e for s in self.sentences for e in s.emotions))


@lru_cache(maxsize=8_192)  # what a patient said is looked at again at each of the next turns
def asserted_emotions(text: str) -> tuple[str, ...]:
    """Return the words of feeling that ``text`` asserts, in order; denied ones are left out.

    Examples
    --------
    >>> asserted_emotions("You sound ashamed of it, and very tired.")
    ('ashamed', 'tired')
    >>> asserted_emotions("You're not angry."), asserted_emotions("I am happy to help you.")
    ((), ())
    """
    low = text.lower()
    found = (m for m in _ANY_WORD.finditer(low) if m.group() in EMOTIONS)
    heard = (m for m in found if not _NEGATED.search(low[: m.start()]) and not _OWN.search(low[: m.start()]))
    return tuple(dict.fromkeys(m.group() for m in heard))


def _form(text: str, bare: str) -> Form:
    low = text.lower().replace("’", "'").strip()
    asked = low.rstrip("\"'”’) ").endswith("?")
    if asked and ((_CHECK.match(bare) and not _CHECKS_WHAT.search(bare)) or not bare):
        return "check"
    if _DISGUISED.match(bare):
        return "disguised"
    if _IMPERATIVE.match(bare):
        return "imperative"
    if _STARTS_WH.match(bare) and (asked or len(bare.split()) <= 4):
        return "wh"
    if not asked:
        return "imperative" if _INDIRECT.match(low) or _TELL_ME.match(low) else "none"
    low = _YOU_MEAN.sub("", low)
    if _TAG.search(low):
        return "declarative"
    if _AUX.match(bare) or _AUX_LATE.search(low):
        return "alternative" if _OR.search(bare) else "yes_no"
    if _WH.search(low) or _WH_LATE.search(low):
        return "wh"
    return "ellipsis" if len(bare.split()) <= 4 else "declarative"


@lru_cache(maxsize=8_192)
def surface(text: str) -> tuple[str, str, Form, frozenset[str]]:
    """Return a sentence in lower case, its plain words, its form and the moves its words may make.

    Examples
    --------
    >>> surface("So, why did he go?")[1:3]
    ('why did he go', 'wh')
    """
    low = " ".join(text.lower().replace("’", "'").split())
    bare = plain(text)
    moves = {_MOVES[i] for i in _MOVED_BY.hits(low)}
    return low, bare, _form(text, bare), frozenset(moves - {"self"} if _MUSES.match(low) else moves)


def read_sentence(text: str, p_reflection: float = 0.0) -> Sentence:
    """Return one sentence as heard, given the coder's probability that its turn reflects.

    Examples
    --------
    >>> s = read_sentence("You should try a regular bedtime.")
    >>> s.form, sorted(s.moves), s.subject
    ('none', ['advice'], 'sleep')
    >>> read_sentence("Is there anyone who helps you?").form
    'disguised'
    >>> sorted(read_sentence("It sounds as if you're tired of it all.", 0.8).moves)
    ['reflect']
    """
    low, bare, form, shown = surface(text)
    moves = set(shown)
    if "advice" in moves and (
        _HEDGED_ADVICE.search(low)
        or (
            form in ("wh", "disguised", "imperative")
            and (
                not low.startswith(("why don't", "why not", "how about", "what about", "so why don't"))
                or _ASKS_ON.search(low)
            )
        )
    ):
        moves.discard("advice")
    if moves & {"advice", "accuse", "praise", "reassure", "counter", "close", "greet", "challenge"}:
        moves.discard("reflect")
    if "reflect" in moves and form != "none":
        # "You felt alone?" hands a feeling back with a question mark; other questions do not reflect.
        moves -= {"reflect"} if form != "declarative" else set()
    # A stem alone is likely but not sure, and so is the coder: together they decide.
    likely = 0.5 * p_reflection + 0.5 * (
        0.8 if "reflect" in moves else 0.3 if "you" in low.split() and form == "none" and not moves else 0.0
    )
    moves = (moves | {"reflect"}) if likely >= 0.42 and form in ("none", "declarative") else moves - {"reflect"}
    if "minimal" in moves and len(low.split()) > 6:
        moves.discard("minimal")
    emotions = asserted_emotions(low) if form in ("none", "declarative", "yes_no") and "self" not in moves else ()
    subject = next((name for name, p in _SUBJECTS if p.search(low)), "any") if "advice" in moves else ""
    asks = form not in ("none", "check") and "advice" not in moves
    return Sentence(text, bare, form, frozenset(moves), emotions, subject, read_intent(text, bare) if asks else None)


def read_heard(hearing: Hearing, text: str) -> Heard:
    """Return a whole turn as heard.

    Parameters
    ----------
    hearing : what the ear heard; its probabilities weigh into what counts as a reflection.
    text : the turn's own words.
    """
    words = text.split()
    spoken = " ".join(words).lower()
    silence = (
        not hearing.sentences
        or spoken in _STOP_TALK
        or not _ANYTHING.search(spoken)
        or bool(_IN_BRACKETS.fullmatch(spoken))
    )
    p = hearing.probability
    reflects = p("therapist_behaviour", "reflection")
    # The coder names one main behaviour. Where a turn also asks, that is often the question, which
    # says nothing of its other sentences: for them it is left out of the reckoning.
    asking = any(s.rstrip("\"'”’) ").endswith("?") for s in hearing.sentences)
    given = reflects / max(0.05, 1.0 - p("therapist_behaviour", "question")) if asking else reflects
    sentences = () if silence else tuple(read_sentence(s, min(1.0, given)) for s in hearing.sentences[:40])
    return Heard(
        _with_unmarked_advice(sentences, p("therapist_behaviour", "therapist_input"), len(words)),
        len(words),
        silence,
        not silence and _is_nonsense(spoken, words),
        reflects,
        p("therapist_behaviour", "question"),
        p("therapist_behaviour", "therapist_input"),
    )


def _with_unmarked_advice(sentences: tuple[Sentence, ...], p_input: float, words: int) -> tuple[Sentence, ...]:
    """Hear advice without a stem where the coder is sure of input and an imperative stands there."""
    quiet = p_input > 0.55 and words >= 12 and not any(s.asks or "advice" in s.moves for s in sentences)
    if not quiet:
        return sentences
    for i, s in enumerate(sentences):
        if s.form == "none" and _BIDS.match(s.plain) and not s.moves & {"reflect", "repair", "self", "yield"}:
            subject = next((name for name, p in _SUBJECTS if p.search(s.text.lower())), "any")
            told = replace(s, moves=s.moves | {"advice"}, subject=subject)
            return (*sentences[:i], told, *sentences[i + 1 :])
    return sentences


def _is_nonsense(low: str, words: list[str]) -> bool:
    stuck = len(words) > 12 and len(set(words)) < 0.25 * len(words)
    if stuck or _CODE.search(low):
        return True
    if low.isascii():
        return _ANY_WORD.search(low) is None
    letters = [c for c in low if c.isalpha()]
    return not letters or sum(not c.isascii() for c in letters) > 0.3 * len(letters)


_CODE = re.compile(r"<\w+[^>]*>|[{}\\]|\x1b|###|==|\);")
_ANYTHING, _IN_BRACKETS = re.compile(r"\w"), re.compile(r"[\[(*][^\])*]*[\])*]")
