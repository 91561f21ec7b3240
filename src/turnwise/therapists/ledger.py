"""What the Socratic therapist has heard and done so far: its memory within one session."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from turnwise.core.nouns import Belief
from turnwise.reading.sentences import split_sentences
from turnwise.therapists.markers import seeks_agreement
from turnwise.therapists.reflecting import Heard
from turnwise.therapists.spoken import is_non_answer
from turnwise.therapists.stance import STANCES, ActClass, Signs
from turnwise.therapists.tracking.limits import Limit, limits_in, still_held
from turnwise.therapists.wording import MAX_QUOTED, Phrase

__all__ = ["Ledger", "View", "done", "heard", "normal", "share"]

_NEGATIVE = re.compile(
    r"n't\b|\b(?:not|no|never|nobody|nothing|none|cannot|without|worse|worst|wrong|bad|stopped|quit|would|could)\b|'d\b",
    re.I,
)
_SWEEPING = re.compile(
    r"^(?:everyone|everybody|(?:all )?the others|they all) "
    r"(?:else )?(?:is|are|can|does|do|has|have|just|knows?|sees?|wants?|needs?|thinks?|gets?)\b",
    re.IGNORECASE,
)
_OF_SELF = re.compile(r"^(?:i|i'm|i've|i'd|i'll|my)\b", re.IGNORECASE)
_LIMIT = re.compile(
    r"\b(?:can't|cannot|couldn't|never|nothing|nobody|no (?:use|good|right|point)|not (?:enough|able|good|worth)|"
    r"worse|worst|wrong|bad|stopped|quit)\b",
    re.IGNORECASE,
)


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
    against: tuple[str, ...] = ()
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
    unanswered: int = 0
    """Turns running in which the patient only said that there was no answer."""
    before: tuple[str, ...] = ()
    """What was agreed in earlier sessions."""

    @property
    def turn(self) -> int:
        """Patient turns heard so far."""
        return len(self.lengths)

    def since(self, move: str) -> int:
        """Therapist turns since ``move`` was made; all of them when it never was."""
        back = self.moves[::-1]
        return back.index(move) if move in back else len(self.moves)


def heard(ledger: Ledger, turn: Heard, signs: Signs, need: str = "none", *, answered: bool = True) -> Ledger:
    """Return the ledger after the patient's turn; ``need`` is what it most probably calls for."""
    fresh = [
        p
        for p in turn.phrases[:3]
        if p.back and not p.judges and p.weight >= 2.4 and p.said not in {k.said for k in ledger.kept}
    ]
    return replace(
        ledger,
        lengths=(*ledger.lengths, signs.n_words),
        corpus=f"{ledger.corpus} {normal(turn.text)} |",
        last_text=normal(turn.text),
        kept=(*ledger.kept, *fresh[:1])[-10:],
        feelings=ledger.feelings | {f.word for f in turn.feelings},
        thought=_target(ledger, turn, distorted=need == "distortion"),
        against=_answers(ledger, turn, signs, ("ask_exception", "ask_alternative"), ledger.against),
        supporting=_answers(ledger, turn, signs, ("ask_evidence",), ledger.supporting),
        views=_views(ledger, turn, signs),
        limits=still_held(ledger.limits, turn.text) + limits_in(turn.text),
        hints=(*ledger.hints, turn.text) if need == "hint" else ledger.hints,
        rupture=ledger.rupture or need == "invalidation",
        agreed=_agreed(ledger, turn, signs),
        distortions=ledger.distortions + (need == "distortion"),
        unanswered=0 if answered else ledger.unanswered + 1,
        insights=ledger.insights + ("insight" in signs.present),
        changes=ledger.changes + (signs.talk[0] if signs.talk else 0.0),
    )


def _target(ledger: Ledger, turn: Heard, *, distorted: bool) -> str:
    """Return the thought to work on: the first judgement voiced, until one is being worked on.

    A judgement of oneself first; else one about everybody; else, when the thought was asked for,
    something absolute or hard that the patient said of themselves in answer; else, where the turn as a whole sounds
    like a distorted thought, the sentence of it that is short enough to be quoted.
    """
    if ledger.thought:
        return ledger.thought
    asked = bool(ledger.moves) and ledger.moves[-1] == "ask_thought"
    said = [p for p in turn.phrases if p.back]
    for found in (
        [p for p in said if p.judges],
        [p for p in said if _SWEEPING.match(p.said)],
        [p for p in said if asked and p.deep and _OF_SELF.match(p.said) and (p.heavy or _LIMIT.search(p.said))],
        [p for p in said if distorted and _OF_SELF.match(p.said)],
    ):
        if found:
            return max(found, key=lambda p: p.weight).said
    if not distorted:
        return ""
    told = [s for s in split_sentences(turn.text) if not s.strip().endswith("?") and not is_non_answer(s)]
    whole = [s.strip().rstrip(".!") for s in told]
    fit = [s for s in whole if 4 <= len(s.split()) <= MAX_QUOTED and _SELF.search(s) and '"' not in s]
    return fit[-1] if fit else ""


_SELF = re.compile(r"\b(?:i|i'\w+|me|my|nobody|everybody|everyone|no one)\b", re.IGNORECASE)


def done(ledger: Ledger, move: str, target: str) -> Ledger:
    """Return the ledger after the therapist's own act: what is settled by it, and what was given."""
    return replace(
        ledger,
        hints=() if move == "check_hint" else ledger.hints,
        rupture=ledger.rupture and move not in ("step_back", "give_room"),
        given=(*ledger.given, target) if move == "give" else ledger.given,
    )


_UNWILLING = frozenset(("hostile", "refusal", "dont_know", "yes_but"))


def _answers(
    ledger: Ledger, turn: Heard, signs: Signs, asked: tuple[str, ...], known: tuple[str, ...]
) -> tuple[str, ...]:
    """Return what the patient has named in answer to one of ``asked``, with this turn's if it has one.

    Only an answer to that very question counts, and only something that happened or is so. Against the thought a
    denial ("I never …") or another judgement is no evidence; for it, both may be what it rests on.
    """
    if not ledger.moves or ledger.moves[-1] not in asked:
        return known
    doubting = "ask_evidence" not in asked
    barred = _UNWILLING | {"absolute"} if doubting else _UNWILLING
    if seeks_agreement(turn.text) or signs.present & barred or signs.n_words < 8:
        return known
    found = [p for p in turn.phrases if p.back and p.weight >= 2.0]
    if doubting:
        found = [p for p in found if not (p.judges or p.heavy or _NEGATIVE.search(p.said))]
    return (*known, found[0].said) if found else known


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
    said = next((p.said for p in turn.phrases if p.back and not p.judges), "")
    return (*ledger.agreed, said) if said else ledger.agreed
