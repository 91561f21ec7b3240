"""Hybrid inference: somebody else proposes hypotheses and likelihoods, the code infers.

A proposer (usually a language model, seen from here only as a port that returns text) says which
hypotheses it would add and how probable it finds the observation under each. Its text is data and is
read strictly: what is not of the form stated here is a defect with a reason, and a turn without usable
likelihoods leaves the belief as it was. Nothing that a proposer writes can do more than move
probability among hypotheses, within the floor and the temper set here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from turnwise.belief.filter import UpdateInfo, entropy, update
from turnwise.belief.observation import NONE_OF_THESE
from turnwise.belief.proposals import Proposal, normal_name, parse_proposal
from turnwise.core.nouns import Belief

__all__ = [
    "Asked",
    "Hybrid",
    "Proposer",
    "Rules",
    "Tracked",
    "added",
    "hybrid_prior",
    "retired",
    "track",
    "weighed",
]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a proposer is told: everything it may go by.

    Attributes
    ----------
    observation : what was just observed, verbatim. It was written by somebody else: quote it as data.
    context : what came before, oldest first.
    hypotheses : those to be weighed, "none of these" not among them (the code weighs that one).
    room : how many more may be proposed.
    """

    observation: str
    context: tuple[str, ...]
    hypotheses: tuple[str, ...]
    room: int


class Proposer(Protocol):
    """The port. ``proposals.instruction`` says in words what it has to return."""

    async def propose(self, asked: Asked, /) -> str:
        """Return one JSON object: ``{"add": [name, ...], "likelihoods": {name: probability, ...}}``."""
        ...


@dataclass(frozen=True, slots=True)
class Rules:
    """Within which a proposal counts.

    Attributes
    ----------
    temper : exponent in (0, 1] on proposed likelihoods. The default is cautious and not fitted to any
        proposer; fit yours (``observation.fit_temper``).
    floor : least likelihood, in (0, 1): no single proposal may rule a hypothesis out for good.
    flat : likelihood of any observation under "none of these", in (0, 1].
    share : part of the mass of "none of these" that new hypotheses get together, in (0, 1).
    most : hypotheses held at once, "none of these" included, >= 2.
    retire_below : posterior probability below which a hypothesis may make room, in [0, 1).

    Raises
    ------
    ValueError : one of them is outside its range.
    """

    temper: float = 0.5
    floor: float = 1e-6
    flat: float = 0.25
    share: float = 0.5
    most: int = 8
    retire_below: float = 0.02

    def __post_init__(self) -> None:
        fits = (
            0.0 < self.temper <= 1.0,
            0.0 < self.floor < 1.0,
            self.floor <= self.flat <= 1.0,
            0.0 < self.share < 1.0,
            self.most >= 2,
            0.0 <= self.retire_below < 1.0,
        )
        if not all(fits):
            raise ValueError(f"{self!r} is outside the ranges that Rules states.")


@dataclass(frozen=True, slots=True)
class Hybrid:
    """The belief, with "none of these" last, and the observations that already counted."""

    belief: Belief
    counted: frozenset[str] = field(default=frozenset())


@dataclass(frozen=True, slots=True)
class Tracked:
    """What one observation did.

    Attributes
    ----------
    update : in nats; ``carried`` where there were no usable likelihoods.
    reason : why it was carried; empty otherwise.
    defects : what in the proposal was not usable, one sentence each, also where the rest counted.
    new, gone : hypotheses added and retired.
    """

    update: UpdateInfo
    reason: str = ""
    defects: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


def hybrid_prior(hypotheses: Sequence[str] = (), *, none_of_these: float = 0.5) -> Hybrid:
    """Return the state before any observation: "none of these" holds its share, the rest share evenly.

    With no hypotheses everything is "none of these", and the proposer has to come up with some.

    Raises
    ------
    ValueError : names repeat (case and spaces do not count), one of them is "none of these", or the
        share is not in (0, 1).

    Examples
    --------
    >>> hybrid_prior(("is tired", "is cross"), none_of_these=0.2).belief.p.round(3).tolist()
    [0.4, 0.4, 0.2]
    """
    names = tuple(hypotheses)
    if not 0.0 < none_of_these < 1.0:
        raise ValueError(f"none_of_these is {none_of_these!r}; it keeps a share of its own, inside (0, 1).")
    if len({normal_name(n) for n in (*names, NONE_OF_THESE)}) < len(names) + 1:
        raise ValueError(f"hypotheses repeat, or one is {NONE_OF_THESE!r}: {names!r}.")
    share = [math.log((1.0 - none_of_these) / len(names))] * len(names) if names else []
    return Hybrid(Belief((*names, NONE_OF_THESE), np.array([*share, math.log(none_of_these) if names else 0.0])))


def added(belief: Belief, names: Sequence[str], *, share: float) -> Belief:
    """Return the belief with new hypotheses, which take ``share`` of the mass of "none of these" together.

    They were among "none of these" all along: the others' probabilities do not change, and evidence that
    came before does not count for them in particular.

    Raises
    ------
    ValueError : a name is held already, or ``share`` is outside (0, 1).

    Examples
    --------
    >>> wider = added(hybrid_prior(("is tired",), none_of_these=0.4).belief, ("is cross",), share=0.5)
    >>> wider.hypotheses, wider.p.round(3).tolist()
    (('is tired', 'is cross', 'none_of_these'), [0.6, 0.2, 0.2])
    """
    if not names:
        return belief
    if not 0.0 < share < 1.0:
        raise ValueError(f"share is {share!r}; it lies in (0, 1).")
    held = {normal_name(h) for h in belief.hypotheses}
    if len(held | {normal_name(n) for n in names}) < len(held) + len(names):
        raise ValueError(f"held already, or named twice: {tuple(names)!r}.")
    rest = float(belief.log_p[-1])
    each = [rest + math.log(share / len(names))] * len(names)
    log_p = np.array([*belief.log_p[:-1], *each, rest + math.log1p(-share)])
    return Belief((*belief.hypotheses[:-1], *names, NONE_OF_THESE), log_p)


def retired(belief: Belief, *, below: float, most: int) -> tuple[Belief, tuple[str, ...]]:
    """Return the belief without its least probable hypotheses, and which these were.

    Only while more than ``most`` are held, only those below ``below``, the least probable first; their
    mass goes back to "none of these", which is never retired.

    Examples
    --------
    >>> from turnwise.belief.filter import prior
    >>> b, gone = retired(prior(("a", "b", "none_of_these"), [0.69, 0.01, 0.3]), below=0.02, most=2)
    >>> b.hypotheses, gone, b.p.round(3).tolist()
    (('a', 'none_of_these'), ('b',), [0.69, 0.31])
    """
    named = sorted(range(len(belief.hypotheses) - 1), key=lambda i: (float(belief.log_p[i]), i))
    weak = [i for i in named if belief.p[i] < below][: max(0, len(belief.hypotheses) - most)]
    if not weak:
        return belief, ()
    kept = [i for i in range(len(belief.hypotheses)) if i not in weak]
    log_p = belief.log_p[kept].copy()
    log_p[-1] = np.logaddexp.reduce(belief.log_p[[*weak, -1]])
    gone = tuple(belief.hypotheses[i] for i in sorted(weak))
    return Belief(tuple(belief.hypotheses[i] for i in kept), log_p - np.logaddexp.reduce(log_p)), gone


def _room(belief: Belief, rules: Rules) -> int:
    """How many may be proposed: free places, and places that weak hypotheses would make free."""
    weak = int((belief.p[:-1] < rules.retire_below).sum())
    return max(0, rules.most - len(belief.hypotheses)) + weak


def weighed(belief: Belief, proposal: Proposal, rules: Rules) -> tuple[Belief, Tracked]:
    """Return the posterior after a proposal that has been read, and what it did. Pure.

    New hypotheses come in first (for as many as there is room, making room among the weak), then all
    are weighed together: exact Bayes on floored and tempered likelihoods, "none of these" at
    ``rules.flat``. A hypothesis without a usable likelihood cannot be compared with the others: then
    nothing is weighed and nothing is added.
    """
    defects = list(proposal.defects)
    lacking = [h for h in belief.hypotheses[:-1] if h not in proposal.likelihoods]
    new = [n for n in proposal.add if n in proposal.likelihoods][: _room(belief, rules)]
    defects += [f"no room for {n!r}" for n in proposal.add if n in proposal.likelihoods and n not in new]
    if lacking or (not new and len(belief.hypotheses) < 2):
        why = f"no usable likelihood for {', '.join(map(repr, lacking))}" if lacking else "no hypothesis to weigh"
        before = entropy(belief)
        return belief, Tracked(UpdateInfo(None, 0.0, before, before, carried=True), why, tuple(defects))
    narrower, gone = retired(belief, below=rules.retire_below, most=rules.most - len(new))
    wider = added(narrower, new, share=rules.share)
    said = [max(rules.floor, proposal.likelihoods[h]) for h in wider.hypotheses[:-1]]
    posterior, info = update(wider, np.log([*said, rules.flat]), temper=rules.temper)
    return posterior, Tracked(info, "", tuple(defects), tuple(new), gone)


async def track(
    state: Hybrid, observation: str, proposer: Proposer, *, context: Sequence[str] = (), rules: Rules | None = None
) -> tuple[Hybrid, Tracked]:
    """Return the state after one observation, with likelihoods proposed by ``proposer``.

    The same observation again (case and spaces do not count) is the same evidence and counts once.
    Whatever the proposer does, this ends with a state: a proposer that fails, or whose text cannot be
    read, leaves the belief as it was, with the reason.

    Parameters
    ----------
    state : before.
    observation : what was observed, verbatim.
    proposer : the port.
    context : what came before, oldest first; handed on.
    rules : within which the proposal counts.

    References
    ----------
    Gelpí, Xue & Cunningham (2025), Towards machine theory of mind with LLM-augmented inverse planning,
    arXiv 2507.03682.
    """
    by = rules or Rules()
    key, before = normal_name(observation), entropy(state.belief)
    carried = UpdateInfo(None, 0.0, before, before, carried=True)
    if not key or key in state.counted:
        return state, Tracked(carried, "already counted" if key else "nothing was observed")
    asked = Asked(observation, tuple(context), state.belief.hypotheses[:-1], _room(state.belief, by))
    try:
        text = await proposer.propose(asked)
    except Exception as e:  # code outside our control: its failure is data; its words might hold a secret
        return state, Tracked(carried, f"the proposer failed ({type(e).__name__})")
    read = parse_proposal(text, asked.hypotheses)
    if read.unusable:
        return state, Tracked(carried, read.unusable, read.defects)
    belief, done = weighed(state.belief, read, by)
    if done.update.carried:
        return state, done
    return replace(state, belief=belief, counted=state.counted | {key}), done
