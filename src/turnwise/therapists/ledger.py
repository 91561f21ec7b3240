"""What the Socratic therapist has heard and done so far: its memory within one session."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from turnwise.core.nouns import Belief
from turnwise.reading.sentences import split_sentences
from turnwise.therapists.giving_back import weighty
from turnwise.therapists.markers import seeks_agreement
from turnwise.therapists.mattering import is_administrative
from turnwise.therapists.recognising import call_of
from turnwise.therapists.reflecting import Heard
from turnwise.therapists.spoken import told_in, turns_away
from turnwise.therapists.stance import STANCES, ActClass, Signs
from turnwise.therapists.standing_by import rebuffs
from turnwise.therapists.target_thoughts import CLEAR, claim_in, thought_in
from turnwise.therapists.tracking.limits import Limit, limits_in, still_held
from turnwise.therapists.tracking.talking_here import KINDS, answered_here, offers_to_be_asked
from turnwise.therapists.wording import MAX_QUOTED, Phrase, people

__all__ = ["Ledger", "View", "done", "heard", "normal", "share"]

_NEGATIVE = re.compile(
    r"n't\b|\b(?:not|no|never|nobody|nothing|none|cannot|without|worse|worst|wrong|bad|stopped|quit|would|could)\b|"
    r"'d\b",
    re.I,
)


@lru_cache(maxsize=1024)
def normal(text: str) -> str:
    """Return ``text`` in lower case with words only, for comparing what was said.

    Examples
    --------
    >>> normal("I'm tired,  Jean.")
    "i'm tired jean"
    """
    return " ".join(re.findall(r"[a-z0-9']+", text.lower().replace("’", "'")))


def share(belief: Belief, *stances: str) -> float:
    """Return the probability that one of ``stances`` holds."""
    return float(sum(belief.p[STANCES.index(name)] for name in stances))


@dataclass(frozen=True, slots=True)
class View:
    """Another way of seeing the target thought, and whose idea it was (``"patient"`` or ``"therapist"``)."""

    text: str
    whose: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """Facts of the session that the belief does not hold.

    ``thought`` is the target: a judgement of the patient about themselves, verbatim. ``supporting`` and
    ``against`` hold what the patient named when asked what speaks for it and what does not fit it, ``views`` the
    other ways of seeing it, ``agreed`` what was agreed on to try or to keep. ``hints`` were meant and not taken up
    yet, ``rupture`` is true from a pushback until it was answered by stepping back, ``limits`` is what the patient
    does not want asked, ``given`` the kinds of help given. ``changes`` is the expected number of turns of change talk.
    """

    lengths: tuple[int, ...] = ()
    corpus: str = ""
    last_text: str = ""
    kept: tuple[Phrase, ...] = ()
    feelings: frozenset[str] = frozenset()
    thought: str = ""
    likeness: float = 0.0
    """How clear a thought to work on it is (``target_thoughts``)."""
    viewed: str = ""
    """The thought that the patient was last asked about in so many words of theirs."""
    weighed: str = ""
    """The thought of which both sides were asked about."""
    people: tuple[str, ...] = ()
    """Whom the patient has brought up, as a therapist would name them, latest last."""
    against: tuple[str, ...] = ()
    found: bool = False
    """Whether the last turn named what does not fit, having been asked for it."""
    turned: bool = False
    """Whether the last turn left what it was asked for something of its own."""
    synthesised: int = 0
    insights: int = 0
    changes: float = 0.0
    distortions: int = 0
    """Turns that sounded like an absolute or distorted thought."""
    moves: tuple[str, ...] = ()
    last_class: ActClass = "question"
    said: frozenset[str] = frozenset()
    used: tuple[str, ...] = ()
    supporting: tuple[str, ...] = ()
    views: tuple[View, ...] = ()
    limits: tuple[Limit, ...] = ()
    hints: tuple[str, ...] = ()
    rupture: bool = False
    given: tuple[str, ...] = ()
    agreed: tuple[str, ...] = ()
    rebuffed: bool = False
    """Whether the last turn kept to its view after a challenge: nothing in it is told as evidence or worked on."""
    unanswered: int = 0
    """Turns running in which the patient only said that there was no answer."""
    at_it: int = 0
    """1 where the last turn voices the thought, then counted on while the talk stays with it; 0 where it does not."""
    before: tuple[str, ...] = ()
    """What was agreed in earlier sessions."""
    here: str = ""
    """How the talk was said to be in the last turn, having been asked (``talking_here.KINDS``); empty elsewhere."""
    invited: bool = False
    """Whether the last turn offered to be asked something hard."""
    bare: bool = False
    """Whether our last reply only asked for more, in no word of the patient's."""

    @property
    def turn(self) -> int:
        """Patient turns heard so far."""
        return len(self.lengths)

    def since(self, move: str) -> int:
        """Therapist turns since ``move`` was made; all of them when it never was."""
        back = self.moves[::-1]
        return back.index(move) if move in back else len(self.moves)


_SAFETY_SAID = 2  # our last turns, after one of which about danger a turn still answers it


def heard(ledger: Ledger, turn: Heard, signs: Signs, need: str = "none", *, answered: bool = True) -> Ledger:
    """Return the ledger after the patient's turn; ``need`` is what it most probably calls for."""
    noted = replace(
        ledger,
        lengths=(*ledger.lengths, signs.n_words),
        corpus=f"{ledger.corpus} {normal(turn.text)} |",
        last_text=normal(turn.text),
        limits=still_held(ledger.limits, turn.text) + limits_in(turn.text),
        rebuffed=rebuffs(ledger.moves, turn.text),
        here=_said_of_the_talk(ledger, turn),
        invited=offers_to_be_asked(turn.text),
    )
    if noted.rebuffed:  # there is something to repair, and nothing to keep
        return replace(noted, found=False, turned=False, rupture=True, unanswered=0)
    said = {k.said for k in ledger.kept}
    told = [p for p in turn.phrases if p.back and p.weight >= _WORTH_KEEPING and not is_administrative(p.said)]
    found = weighty(turn)[:3] or told[:2]
    # How the talk is, and what was said when asked whether one is safe, is nothing to come back to as a trouble.
    asked = noted.here or {*ledger.moves[-_SAFETY_SAID:]} & {"safety_check"} or ledger.moves[-1:] == ("check_in",)
    fresh = [p for p in found if not (asked or p.judges or p.said in said) and _CLEAR_LATER.match(p.back)]
    sweeping = need == "distortion" or call_of(told_in(turn.text)) == "distortion"
    thought, likeness = _target(ledger, turn, distorted=sweeping)
    same = thought == ledger.thought  # what speaks against one thought says nothing of another
    return replace(
        noted,
        kept=(*ledger.kept, *fresh[:1])[-10:],
        feelings=ledger.feelings | {f.word for f in turn.feelings},
        thought=thought,
        likeness=likeness,
        at_it=_still_at_it(ledger, turn, thought, answered=answered),
        people=tuple(dict.fromkeys((*ledger.people, *people(turn.text))))[-8:],
        against=_against(ledger, turn) if same else (),
        found=_names_exception(ledger, turn),
        turned=turns_away(turn.text),
        synthesised=ledger.synthesised if same else 0,
        supporting=_for_it(ledger, turn, signs) if same else (),
        views=_views(ledger, turn, signs),
        hints=(*ledger.hints, turn.text) if need == "hint" else ledger.hints,
        rupture=ledger.rupture or need == "invalidation",
        agreed=_agreed(ledger, turn, signs),
        distortions=ledger.distortions + (need == "distortion"),
        unanswered=0 if answered else ledger.unanswered + 1,
        insights=ledger.insights + ("insight" in signs.present),
        changes=ledger.changes + (signs.talk[0] if signs.talk else 0.0),
    )


def _target(ledger: Ledger, turn: Heard, *, distorted: bool) -> tuple[str, float]:
    """Return the thought to work on with how clear a one it is: the first voiced, until a clearer one is.

    Once the patient has named what does not fit it, it stays, unless it was a doubtful one and a clear one comes.
    What is said right after stepping back, giving or declining is about the therapist, and never taken.
    """
    last = ledger.moves[-1] if ledger.moves else ""
    known = (ledger.thought, ledger.likeness)
    if ledger.against and ledger.likeness >= CLEAR:
        return known
    if call_of(turn.text) == "bait" and (claim := claim_in(told_in(turn.text))):
        # What somebody asks to have confirmed is believed: it is disagreed with first, and looked at afterwards.
        return (claim, CLEAR) if ledger.likeness < CLEAR + _CLEARER else known
    if last in ("step_back", "give_room", "give", "hold", "safety_check", "identity"):
        return known
    told = replace(turn, text=told_in(turn.text))
    asked = last == "ask_thought" and not turns_away(turn.text)
    found, score = thought_in(told, asked=asked, distorted=distorted)
    doubtful = distorted and ledger.likeness < CLEAR  # what sounds distorted now is nearer than a doubtful one before
    least = max(ledger.likeness + (-0.1 if doubtful else _CLEARER), CLEAR if ledger.against and not doubtful else 0.0)
    left = not (ledger.at_it or ledger.against)  # the talk has long been with something else
    return (found, score) if found and (not ledger.thought or left or score > least) else known


def _still_at_it(ledger: Ledger, turn: Heard, thought: str, *, answered: bool) -> int:
    """Return for how many turns the talk has been with the thought, this one counted; 0 where it has left it."""
    if thought and normal(thought) in normal(turn.text):
        return 1
    left = turns_away(turn.text) or not (answered or ledger.unanswered == 0) or ledger.at_it >= _LONGEST_AT_IT
    return ledger.at_it + 1 if ledger.at_it and thought == ledger.thought and not left else 0


_LONGEST_AT_IT = 5  # turns for which a thought that was voiced is still what is talked about
_CLEARER = 0.9  # of likeness, for which a target thought is exchanged


def done(ledger: Ledger, move: str, target: str, viewed: str = "") -> Ledger:
    """Return the ledger after the therapist's own act: what is settled by it, and what was given.

    ``viewed`` is a thought that was asked about in the patient's own words: it is the one in hand from then on.
    """
    if viewed:
        likeness = ledger.likeness if viewed == ledger.thought else CLEAR
        ledger = replace(ledger, viewed=viewed, thought=viewed, likeness=likeness, at_it=max(1, ledger.at_it))
    return replace(
        ledger,
        hints=() if move == "check_hint" else ledger.hints,
        rupture=ledger.rupture and move not in ("step_back", "give_room"),
        given=(*ledger.given, target) if move == "give" else ledger.given,
        weighed=ledger.thought if move == "ask_both_sides" else ledger.weighed,
    )


_WORTH_KEEPING = 2.4  # weight of a phrase that may be told again though nothing in it seems to matter
_UNWILLING = frozenset(("hostile", "refusal", "dont_know", "yes_but"))


def _said_of_the_talk(ledger: Ledger, turn: Heard) -> str:
    """Return how the talk is said to be, where that was asked and nothing else has come up since."""
    told = told_in(turn.text)
    if not _named(ledger, "check_in") or turns_away(turn.text) or call_of(told or turn.text) not in _PLAIN_CALLS:
        return ""
    here = answered_here(told) or ""
    return here if here in ("", *KINDS) else "middling"  # what is not sure is met in between


_PLAIN_CALLS = ("telling", "thin", "feeling")


def _named(ledger: Ledger, *asked: str) -> bool:
    return ledger.moves[-1:] != () and ledger.moves[-1] in asked


def _for_it(ledger: Ledger, turn: Heard, signs: Signs) -> tuple[str, ...]:
    """Return what the patient has named that speaks for the thought: only an answer to that very question counts."""
    if not _named(ledger, "ask_evidence") or seeks_agreement(turn.text) or signs.present & _UNWILLING:
        return ledger.supporting
    found = next((p.said for p in turn.phrases if p.back), "")
    return (*ledger.supporting, found) if found and signs.n_words >= _NAMED else ledger.supporting


def _names_exception(ledger: Ledger, turn: Heard) -> bool:
    """Whether a turn names something that does not fit, in answer to the question for it.

    A denial, a refusal, a change of subject and one more judgement are none.
    """
    told = told_in(turn.text)
    if not _named(ledger, *_ASKS_FOR_IT) or len(told.split()) < _NAMED or turns_away(turn.text):
        return False
    judged = thought_in(replace(turn, text=told), asked=False, distorted=True)[0]
    if told.rstrip().endswith("?") or _DENIES.match(told) or judged:
        return False
    return call_of(told) in ("telling", "feeling", "thin", "hint")


def _against(ledger: Ledger, turn: Heard) -> tuple[str, ...]:
    """Return what the patient has named that does not fit the thought, with this turn's if it has one.

    What somebody did for the speaker comes first, then what the speaker did, then whatever happened or is so; a
    judgement of themselves or something hard is none.
    """
    if not _names_exception(ledger, turn):
        return ledger.against
    text = told_in(turn.text)
    hard = {normal(p.said) for p in turn.phrases if p.judges or p.heavy}
    whole = [s.rstrip(".!… ") for s in split_sentences(text) if not s.rstrip().endswith("?")]
    parts = [p.said for p in turn.phrases if p.back and not (p.judges or p.heavy)]
    found = [
        s
        for s in (*whole, *parts)
        if _NAMED <= len(s.split()) <= MAX_QUOTED
        and normal(s) in normal(turn.text)
        and not any(h in normal(s) for h in hard)
    ]
    found = [s for s in found if not (_VAGUE.search(s) or _REPORTS.search(s) or s in ledger.against)]
    found.sort(
        key=lambda s: (
            not _TOWARDS_ME.search(s),
            not _OWN_DEED.match(s),
            _NEGATIVE.search(_FILLED.sub("", s)) is not None,
        )
    )
    return (*ledger.against, found[0]) if found else ledger.against


_ASKS_FOR_IT = ("ask_both_sides", "ask_exception", "ask_alternative", "ask_different", "ask_more")
_NAMED = 4  # words from which an answer names something
_DENIES = re.compile(
    r"^(?:(?:no|well|um|not)[,.]? )*(?:no|nothing|never|nobody|no one|none|not (?:really|that|once|any)|there (?:isn't|"
    r"is no|is nothing|was never)|there's (?:nothing|nobody|no)|i can't think)\b",
    re.IGNORECASE,
)
_REPORTS = re.compile(r"[\"“”]|(?:^|\s)['‘](?=\w)|\bsays .* to me$", re.IGNORECASE)
_TOWARDS_ME = re.compile(
    r"^(?!i\b|my (?:leg|back|head|heart|hands?|chest)\b).*\b(?:me|us)\b|"
    r"^(?:he|she|they|my \w+|the \w+|[a-z]+)\b.*\b(?:still|kept|keeps|came|asked|waited|waits|picked|brings|brought)\b",
    re.IGNORECASE,
)
_FILLED = re.compile(r",? ?\bi don't know\b,?", re.IGNORECASE)
"""Said between two halves of a sentence it is a pause, and denies nothing."""
_OWN_DEED = re.compile(
    r"^(?:i|i'd)\b(?! (?:was|am|had|have|'ve|looked it|ought|should|mean|think|suppose)\b)", re.IGNORECASE
)
_VAGUE = re.compile(r"^(?:it|that|they)\b|^(?:he|she)(?:'s| is| was| has)\b|\byou(?:r|'\w+)?\b", re.IGNORECASE)
_CLEAR_LATER = re.compile(r"^(?:you\b|you'|your\b|nobody\b|[A-Z])")
"""What can be told again turns later: it names whom it is about."""


_OTHERWISE = re.compile(
    r"\b(?:maybe|perhaps|might|could be|i suppose|not only|as well|instead|rather than)\b", re.IGNORECASE
)


def _views(ledger: Ledger, turn: Heard, signs: Signs) -> tuple[View, ...]:
    """Return the ways of seeing it so far: what the patient worked out, in the patient's words, is the patient's."""
    asked = bool(ledger.moves) and ledger.moves[-1] in ("ask_alternative", "synthesise", "ask_exception")
    new = "insight" in signs.present or (asked and _OTHERWISE.search(turn.text) and not signs.present & _UNWILLING)
    if not new:
        return ledger.views
    said = next((p.said for p in turn.phrases if p.back and not p.judges), "")
    return (*ledger.views, View(said, "patient")) if said else ledger.views


def _agreed(ledger: Ledger, turn: Heard, signs: Signs) -> tuple[str, ...]:
    """Return what was agreed, with the patient's own answer to the question what to try or to take along."""
    asked = bool(ledger.moves) and ledger.moves[-1] in ("next_step", "take_away")
    if not asked or signs.present & _UNWILLING or signs.n_words < 4:
        return ledger.agreed
    said = next((p.said for p in turn.phrases if not p.judges and _INTENDS.search(p.said)), "")
    return (*ledger.agreed, said) if said else ledger.agreed


_INTENDS = re.compile(
    r"\b(?:i(?:'ll| will| could| can| might|'m going to| shall| mean to)|i(?:'d| would) (?:like|try|want)|i want|to "
    r"(?:try|remember|keep (?:it|that|this|hold))|let (?:him|her|them|it)|next (?:time|week))\b",
    re.IGNORECASE,
)
"""Only what points forward, or is to be kept, can have been agreed on."""
