"""Whole sessions whose therapist turns were coded for what they claim, and coded turns with all that came before.

``claims_m.jsonl`` fits; ``claims_simulated_told.jsonl`` tests: the turns of ``claims_simulated.jsonl``, which two
readers coded, with the sessions they stand in, played again at the commit at which they were coded.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from claim_turning import denied, of_another
from coded_turns import LEAST_OF_LABEL, f1_of
from skill_examples import FOLDER
from turnwise.core.nouns import Estimate, FloatArray
from turnwise.reading.claim_coder import LABELS, VERDICTS, ClaimCoder, asserted, stated
from turnwise.reading.claim_features import features_of
from turnwise.reading.claim_meeting import Asserted, Meeting, said_before
from turnwise.reading.claims import Claim
from turnwise.stats.auc import auc
from turnwise.stats.bootstrap import bootstrap

__all__ = ["CodedSession", "Seen", "TestedTurns", "coded_sessions", "figures_in_simulation", "rows_of_sessions",
           "simulated_turns"]  # fmt: skip

_Pairs = tuple[tuple[str, str], ...]
Ints = npt.NDArray[np.int64]
_SWAP_SEED = 20_261_128


@dataclass(frozen=True)
class CodedSession:
    """One session: its turns, the label of each coded turn, and the verdict of words in it that are not supported."""

    ref: str
    turns: _Pairs
    labels: Mapping[int, str]
    wrong: Mapping[int, Mapping[str, str]]

    @property
    def case(self) -> str:
        """Name of the patient."""
        return self.ref.split("/")[2]


@dataclass(frozen=True)
class Seen:
    """Claims as numbers: features, verdicts, session, weight."""

    x: FloatArray
    y: Ints
    session: Ints
    weight: FloatArray


@dataclass(frozen=True)
class TestedTurns:
    """What two readers said of turns, what a rater says, and the session of each."""

    p: Ints
    q: Ints
    read: Ints
    supported: FloatArray
    session: npt.NDArray[np.str_]


def coded_sessions() -> list[CodedSession]:
    """Return the sessions that fit.

    Raises
    ------
    ValueError : an unknown label, or words that are not in their turn.
    """
    found = []
    for line in (FOLDER / "claims_m.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        turns = tuple((speaker, text) for speaker, text in row["turns"])
        labels = {int(i): code["label"] for i, code in row["codes"].items()}
        wrong = {int(i): dict(code.get("wrong", {})) for i, code in row["codes"].items()}
        if any(x not in LABELS for x in labels.values()) or any(w not in turns[i][1] for i in wrong for w in wrong[i]):
            raise ValueError(f"{row['session']}: an unknown label, or words that are not in their turn")
        found.append(CodedSession(row["session"], turns, labels, wrong))
    return found


def _verdict(session: CodedSession, turn: int, claim: Claim) -> int | None:
    """Return the coded verdict of a claim that was found in a turn; ``None`` where the coding does not say."""
    text = session.turns[turn][1]
    for words, verdict in session.wrong[turn].items():
        at = text.index(words)
        if at < claim.end and at + len(words) > claim.start:
            return VERDICTS.index(verdict)
    return VERDICTS.index("supported") if session.labels[turn] == "supported" else None


def _pairs_of(session: CodedSession) -> list[tuple[Claim, Asserted, int]]:
    which = [i for i, label in session.labels.items() if label != "none"]
    found = []
    for k, claim, made in stated(session.turns, which):
        verdict = _verdict(session, which[k], claim)
        if verdict is not None:
            found.append((claim, made, verdict))
    return found


def _numbers(claims: Sequence[Asserted], turns: _Pairs) -> FloatArray:
    return features_of(Meeting(claims, said_before(turns)))[1]


def rows_of_sessions(sessions: Sequence[CodedSession], made: float = 0.5) -> Seen:
    """Return the claims of coded sessions, and what is made of them by rule at the weight ``made``.

    A supported claim, denied or said of somebody else; and held against the session of another patient, where nobody
    has said it.
    """
    rng = np.random.default_rng(_SWAP_SEED)
    x: list[FloatArray] = []
    told: list[tuple[int, int, float]] = []
    for n, session in enumerate(sessions):
        pairs = _pairs_of(session)
        if not pairs:
            continue
        x.append(_numbers([a for _, a, _ in pairs], session.turns))
        told += [(v, n, 1.0) for _, _, v in pairs]
        sound = [(c, a) for c, a, v in pairs if v == 0]
        others = [o for o in sessions if o.case != session.case]
        other = others[int(rng.integers(len(others)))]
        if sound:
            x.append(_numbers([a for _, a in sound], other.turns))
            told += [(VERDICTS.index("unmentioned"), n, made)] * len(sound)
        turned = list(_turned(sound))
        if turned:
            x.append(_numbers([a for a, _ in turned], session.turns))
            told += [(v, n, made) for _, v in turned]
    y, group, weight = (np.array(part) for part in zip(*told, strict=True))
    return Seen(np.concatenate(x), y.astype(np.int64), group.astype(np.int64), weight.astype(np.float64))


def _turned(sound: Sequence[tuple[Claim, Asserted]]) -> list[tuple[Asserted, int]]:
    found = []
    for n, (claim, made) in enumerate(sound):
        for verdict, words in (("contradicted", denied(claim.span)), ("unmentioned", of_another(claim.span, n))):
            a = asserted(words, made.turn, feeling=made.feeling) if words and not claim.quoted else None
            if a is not None:
                found.append((a, VERDICTS.index(verdict)))
    return found


def simulated_turns(coder: ClaimCoder) -> TestedTurns:
    """Return the turns that test, as two readers coded them and as the rater does."""
    rows = [json.loads(x) for x in (FOLDER / "claims_simulated_told.jsonl").read_text(encoding="utf-8").splitlines()]
    found: dict[str, list[tuple[int, int, int, float]]] = defaultdict(list)
    for row in rows:
        turns = [(speaker, text) for speaker, text in row["turns"]]
        which = [code["turn"] for code in row["codes"]]
        p = coder.rows(turns, which)
        for code, each, label in zip(row["codes"], p, coder.decide(p), strict=True):
            at = LABELS.index(code["p"]), LABELS.index(code["q"]), LABELS.index(label)
            found[f"{row['seed']}/{row['ref']}"].append((*at, float(each[LABELS.index("supported")])))
    flat = [(*code, session) for session, codes in found.items() for code in codes]
    a, b, c, d, session = zip(*flat, strict=True)
    return TestedTurns(np.array(a), np.array(b), np.array(c), np.array(d), np.array(session))


def _share(hit: npt.NDArray[np.bool_], side: npt.NDArray[np.bool_]) -> Callable[[Ints], float]:
    return lambda at: float(hit[at].sum() / max(1, side[at].sum()))


def figures_in_simulation(t: TestedTurns, seed: int) -> tuple[dict[str, Estimate], Estimate]:
    """Return figures on coded turns of simulated sessions, and how much less the rater agrees with two readers.

    Macro-F1 over labels that both readers gave ``LEAST_OF_LABEL`` times; intervals over sessions.
    """
    p, q, r = (np.array(LABELS)[side] for side in (t.p, t.q, t.read))
    labels = [x for x in LABELS if min((p == x).sum(), (q == x).sum()) >= LEAST_OF_LABEL]

    def between(at: Ints) -> float:
        return f1_of(p[at], q[at], labels)

    def rater(at: Ints) -> float:
        return (f1_of(p[at], r[at], labels) + f1_of(q[at], r[at], labels)) / 2.0

    def drawn(of: Callable[[Ints], float]) -> Estimate:
        return bootstrap(of, len(p), rng=seed, clusters=t.session)

    names = ", ".join(labels)
    found = {
        f"macro-F1 between two readers (simulated turns; {names})": drawn(between),
        f"macro-F1 of this rater with them (simulated turns; {names})": drawn(rater),
    }
    for label in labels:
        hit = (p == label) & (r == label)
        for what, side in (("precision", r == label), ("recall", p == label)):
            found[f"{what} of {label}, against the first reader (simulated turns)"] = drawn(_share(hit, side))
    claims = (p != "none") & (r != "none")
    area = auc(t.supported[claims], p[claims] == "supported", rng=seed, clusters=t.session[claims])
    found["AUC supported / not supported (simulated turns in which reader and rater find a claim)"] = area
    return found, drawn(lambda at: between(at) - rater(at))
