"""What the Socratic therapist has heard and done so far: its memory within one session."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from turnwise.core.nouns import Belief
from turnwise.therapists.markers import seeks_agreement
from turnwise.therapists.reflecting import Heard
from turnwise.therapists.stance import STANCES, ActClass, Signs
from turnwise.therapists.wording import Phrase

__all__ = ["Ledger", "heard", "normal", "share"]

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
class Ledger:
    """Facts of the session that the belief does not hold.

    ``thought`` is the target: a judgement of the patient about themselves, verbatim. ``against``
    holds what the patient said when asked for what does not fit it. ``changes`` is the expected
    number of turns of change talk.
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
    moves: tuple[str, ...] = ()
    last_class: ActClass = "question"
    said: frozenset[str] = frozenset()
    used: tuple[str, ...] = ()

    @property
    def turn(self) -> int:
        """Patient turns heard so far."""
        return len(self.lengths)

    def since(self, move: str) -> int:
        """Therapist turns since ``move`` was made; all of them when it never was."""
        back = self.moves[::-1]
        return back.index(move) if move in back else len(self.moves)


def heard(ledger: Ledger, turn: Heard, signs: Signs) -> Ledger:
    """Return the ledger after the patient's turn."""
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
        thought=_target(ledger, turn),
        against=_against(ledger, turn, signs),
        insights=ledger.insights + ("insight" in signs.present),
        changes=ledger.changes + (signs.talk[0] if signs.talk else 0.0),
    )


def _target(ledger: Ledger, turn: Heard) -> str:
    """Return the thought to work on: the first judgement voiced, until one is being worked on.

    A judgement of oneself first; else one about everybody; else, when the thought was asked for,
    something absolute or hard that the patient said of themselves in answer.
    """
    if ledger.thought:
        return ledger.thought
    asked = bool(ledger.moves) and ledger.moves[-1] == "ask_thought"
    said = [p for p in turn.phrases if p.back]
    for found in (
        [p for p in said if p.judges],
        [p for p in said if _SWEEPING.match(p.said)],
        [p for p in said if asked and p.deep and _OF_SELF.match(p.said) and (p.heavy or _LIMIT.search(p.said))],
    ):
        if found:
            return max(found, key=lambda p: p.weight).said
    return ""


def _against(ledger: Ledger, turn: Heard, signs: Signs) -> tuple[str, ...]:
    """Return what the patient has named that may not fit the thought, with this turn's if it has one.

    Only an answer to that very question counts, and only something that happened or is so: a
    denial ("I never …") or another judgement is not evidence against.
    """
    asked = bool(ledger.moves) and ledger.moves[-1] in ("ask_exception", "ask_alternative")
    if (
        not asked
        or seeks_agreement(turn.text)
        or signs.present & {"hostile", "refusal", "dont_know", "yes_but", "absolute"}
        or signs.n_words < 8
    ):
        return ledger.against
    found = [
        p for p in turn.phrases if p.back and p.weight >= 2.0 and not (p.judges or p.heavy or _NEGATIVE.search(p.said))
    ]
    return (*ledger.against, found[0].said) if found else ledger.against
