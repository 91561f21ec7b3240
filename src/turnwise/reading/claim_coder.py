"""Hold what a therapist claims of the patient against what the patient said: supported, contradicted or unmentioned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from turnwise.core.errors import UndefinedError
from turnwise.core.nouns import FloatArray, Reading, Reason, Trajectory, Turn
from turnwise.reading.cards import load_card
from turnwise.reading.claim_clauses import clauses_of, names_in
from turnwise.reading.claim_features import features_of
from turnwise.reading.claim_meeting import Asserted, Meeting, said_before
from turnwise.reading.claim_trees import Trees
from turnwise.reading.claims import Claim, SaidBefore, claims_in, words_said
from turnwise.reading.explaining import Explanation
from turnwise.reading.features import Lookup
from turnwise.reading.package_data import read_packaged, sha256_of
from turnwise.reading.products import softmax
from turnwise.reading.scope import scope_code
from turnwise.reading.storing import lines_of, text_of
from turnwise.reading.window import Window

__all__ = ["LABELS", "VERDICTS", "ClaimCoder", "ClaimReader", "ClaimWeights", "asserted", "claim_reader", "load_claims",
           "stated", "unpacked"]  # fmt: skip

VERDICTS = ("supported", "contradicted", "unmentioned")
LABELS = ("none", "supported", "unsupported", "contradicted")
"""Labels of a turn: the worst of its claims that are not hedged; an unmentioned claim is unsupported."""
_NEVER_SAID = np.array([0.0, 0.0, 1.0])
_Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class ClaimWeights:
    """A model of three verdicts: trees over features, in order."""

    names: tuple[str, ...]
    trees: Trees
    sha256: str = ""

    def verdicts(self, claims: Sequence[Asserted], turns: Sequence[_Pair]) -> FloatArray:
        """Return the probability of each verdict for each claim, (n, 3).

        Parameters
        ----------
        claims : as statements (``asserted``), each with its turn. turns : (speaker, text) of the session, in order.
        """
        if not claims:
            return np.empty((0, len(VERDICTS)))
        last = max(claim.turn for claim in claims)
        said = said_before(turns[:last])
        if not said:
            return np.tile(_NEVER_SAID, (len(claims), 1))
        met = Meeting(claims, said)
        _, x = features_of(met)
        p = softmax(self.trees.scores(x))
        p[~met.allowed.any(axis=1)] = _NEVER_SAID
        return p

    def packed(self) -> bytes:
        """Return the weights as the bytes of a safetensors file."""
        from safetensors.numpy import save

        return bytes(
            save(
                {
                    "names": text_of(self.names),
                    "feature": self.trees.feature,
                    "threshold": self.trees.threshold,
                    "leaf": self.trees.leaf,
                    "start": self.trees.start,
                }
            )
        )


def unpacked(content: bytes) -> ClaimWeights:
    """Return the weights stored by ``ClaimWeights.packed``."""
    from safetensors.numpy import load

    stored = load(content)
    trees = Trees(*(stored[name] for name in ("feature", "threshold", "leaf", "start")))
    return ClaimWeights(lines_of(stored["names"]), trees, sha256_of(content))


def asserted(span: str, turn: int, *, feeling: bool, quoted: bool = False) -> Asserted | None:
    """Return a claim's words as a statement; ``None`` where there is no word in it. Quoted, "I" is the patient."""
    found = clauses_of(span, quoted, whole=True)
    return Asserted(found[0], turn, feeling) if found else None


def turn_probabilities(verdicts: FloatArray) -> FloatArray:
    """Return the probability of each of ``LABELS`` for a turn whose claims have these verdicts: that of the worst.

    Examples
    --------
    >>> turn_probabilities(np.array([[0.5, 0.25, 0.25], [1.0, 0.0, 0.0]])).tolist()
    [0.0, 0.5, 0.25, 0.25]
    >>> turn_probabilities(np.empty((0, 3))).tolist()
    [1.0, 0.0, 0.0, 0.0]
    """
    if not len(verdicts):
        return np.array([1.0, 0.0, 0.0, 0.0])
    fine, unopposed = float(verdicts[:, 0].prod()), float((1.0 - verdicts[:, 1]).prod())
    return np.array([0.0, fine, max(0.0, unopposed - fine), 1.0 - unopposed])


@dataclass(frozen=True, slots=True)
class ClaimCoder:
    """The item ``claims``, read off sessions or off windows that hold the whole history."""

    weights: ClaimWeights
    item: str = "claims"
    labels: tuple[str, ...] = LABELS

    @property
    def sha256(self) -> str:
        """Hash of the weights."""
        return self.weights.sha256

    def judged(self, turns: Sequence[_Pair], which: Sequence[int]) -> list[list[tuple[Claim, FloatArray]]]:
        """Return the unhedged claims of some turns of a session, each with the probabilities of its verdicts."""
        pairs = stated(turns, which)
        p = self.weights.verdicts([a for _, _, a in pairs], turns)
        out: list[list[tuple[Claim, FloatArray]]] = [[] for _ in which]
        for (k, c, _), row in zip(pairs, p, strict=True):
            out[k].append((c, row))
        return out

    def claiming(self, turns: Sequence[_Pair], which: Sequence[int]) -> list[bool]:
        """Return which of some turns of a session hold a claim at all; none is held against anything."""
        some = {k for k, _, _ in stated(turns, which)}
        return [k in some for k in range(len(which))]

    def rows(self, turns: Sequence[_Pair], which: Sequence[int]) -> FloatArray:
        """Return the probability of each label for some turns of a session, (n, 4)."""
        found = self.judged(turns, which)
        rows = [turn_probabilities(np.array([p for _, p in claims]).reshape(-1, len(VERDICTS))) for claims in found]
        return np.array(rows).reshape(len(which), len(LABELS))

    def read(self, windows: Sequence[Window], fit: str = "full", vector: Lookup | None = None) -> FloatArray:
        """Return the probability of each label for each window, (n, 4); what came before is all that it holds."""
        out = np.empty((len(windows), len(LABELS)))
        for i, w in enumerate(windows):
            turns = [(x.speaker, x.text) for x in (*w.before, w.turn)]
            out[i] = self.rows(turns, [len(turns) - 1])[0]
        return out

    def decide(self, p: FloatArray, fit: str = "full") -> list[str]:
        """Return the likeliest label of each row."""
        return [LABELS[at] for at in p.argmax(axis=1)]


def stated(turns: Sequence[_Pair], which: Sequence[int]) -> list[tuple[int, Claim, Asserted]]:
    """Return the unhedged claims of some turns as statements, each with its turn's place in ``which``."""
    names, words = _first_said(turns[: max(which, default=0)])
    found = []
    for k, i in enumerate(which):
        for c in claims_in(turns[i][1], SaidBefore(names, i), SaidBefore(words, i)):
            a = None if c.hedged else asserted(c.span, i, feeling=c.kind == "feeling", quoted=c.quoted)
            if a is not None:
                found.append((k, c, a))
    return found


def _first_said(turns: Sequence[_Pair]) -> tuple[dict[str, int], dict[str, int]]:
    """Return where the patient first used each name, and each word by its stem."""
    names: dict[str, int] = {}
    words: dict[str, int] = {}
    for i, (speaker, text) in enumerate(turns):
        if speaker == "patient":
            for first, said in ((names, names_in((text,))), (words, words_said(text))):
                for word in said:
                    first.setdefault(word, i)
    return names, words


class ClaimReader:
    """Reads claims off the therapist's turns of whole sessions.

    Not a ``SessionReader``: that one hands over four turns, and a claim may rest on the first thing said.

    Parameters
    ----------
    name : of the rater, versioned. coder : the weights.
    withheld : labels that did not reach their floor: a turn that would get one is ``undetermined``. First for
        transcripts, then for sessions with simulated patients.
    """

    def __init__(
        self,
        name: str,
        coder: ClaimCoder,
        withheld: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset()),
    ) -> None:
        self._coder, self._withheld = coder, withheld
        self.coder, self.item, self.labels, self.sha256 = name, coder.item, coder.labels, coder.sha256

    def read(self, ts: Sequence[Trajectory], /) -> list[Reading]:
        """Return one reading per session, in order; a session's bits do not depend on the others.

        A therapist's turn before the patient has said anything is ``not_applicable``: there is nothing to hold it to.
        """
        return [self._one(t) for t in ts]

    def _one(self, t: Trajectory) -> Reading:
        codes = _codes(t.turns)
        which = [i for i, code in enumerate(codes) if code is None]
        p = np.full((len(codes), len(LABELS)), np.nan)
        decided: list[str | None] = [None] * len(codes)
        withheld = self._withheld[t.spec is not None]
        if which and withheld.issuperset(LABELS[1:]):
            # No verdict may be given: what remains to be said is where there is no claim at all.
            claims = self._coder.claiming([(x.speaker, x.text) for x in t.turns], which)
            for i, claim in zip(which, claims, strict=True):
                if claim:
                    codes[i] = "undetermined"
                else:
                    p[i], decided[i] = turn_probabilities(np.empty((0, len(VERDICTS)))), LABELS[0]
        elif which:
            p[which] = self._coder.rows([(x.speaker, x.text) for x in t.turns], which)
            for i, label in zip(which, self._coder.decide(p[which]), strict=True):
                decided[i] = label
                if label in withheld:
                    decided[i], codes[i] = None, "undetermined"
        return Reading(self.item, self.coder, self.sha256, self.labels, p, tuple(codes), tuple(decided))

    def explain(self, t: Trajectory, turn: int, label: str | None = None) -> Explanation:
        """Refuse: a verdict comes from a comparison with the history, not from words; ``spans`` shows the claims.

        Raises
        ------
        UndefinedError : always.
        """
        raise UndefinedError("not_applicable", f"{self.coder} compares claims with the history; no word moved it")

    def spans(self, t: Trajectory, turn: int) -> list[tuple[int, int, str, float]]:
        """Return the claims of a turn: (start, end, verdict, its probability), in characters; no hedged ones."""
        if _codes(t.turns)[turn] is not None:
            return []
        [found] = self._coder.judged([(x.speaker, x.text) for x in t.turns], [turn])
        return [(c.start, c.end, VERDICTS[int(p.argmax())], float(p.max())) for c, p in found]


def _codes(turns: Sequence[Turn]) -> list[Reason | None]:
    out: list[Reason | None] = []
    heard = False
    for turn in turns:
        if turn.speaker == "patient":
            heard = heard or bool(turn.text.strip())
            out.append("not_applicable")
        else:
            out.append(scope_code(turn.text) or (None if heard else "not_applicable"))
    return out


@cache
def load_claims(name: str) -> ClaimWeights:
    """Return the weights that ship under a rater's name, checked against its card.

    Raises
    ------
    FormatError : they are missing or damaged.
    """
    return unpacked(read_packaged(f"raters/weights/{name}.safetensors", load_card(name, "raters").sha256))


def claim_reader(name: str) -> ClaimReader:
    """Return what the rater's factory returns; labels that its card calls undetermined are withheld."""
    about = load_card(name, "raters")
    withheld = frozenset(about.undetermined), frozenset(about.undetermined_in_simulation)
    return ClaimReader(name, ClaimCoder(load_claims(name)), withheld)
