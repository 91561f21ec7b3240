"""How patients word things: lexical diversity, saying the same again, and answers that take up the question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from turnwise.core.nouns import Score, Trajectory, unscored
from turnwise.stats.mtld import LEAST_TOKENS, mtld, spoken_tokens

__all__ = ["beats_again", "diversity", "question_fit", "repeated_grams", "said_before", "self_repetition", "typical"]

_N = 5
_LEAST_WORDS = 4
_LEAST_PAIRS = 4
_FUNCTION_WORDS = frozenset(
    """a about after again all also am an and any are aren't as at be because been before being but by can can't come
    could couldn't did didn't do does doesn't doing don't down even ever for from get go going gonna got had has have
    having he he's her here hers him his how i i'd i'll i'm i've if in into is isn't it it's its itself just kind know
    like lot made make many maybe me mean might mm mm-hm more much must my myself no not now of off oh ok okay on one
    only or other our out over own quite really right said same say see she she's should so some something sort
    still such sure take than that that's the their them then there there's these they they're thing things think
    this those though to too um up us very was wasn't way we well were what what's when where which who why will with
    won't would wouldn't yeah yes you you'd you'll you're you've your yours""".split()
)


def typical(ts: Sequence[Trajectory], of: Callable[[Sequence[Trajectory]], Score]) -> Score:
    """Return the median over sessions of a figure of single sessions; n = sessions that have one.

    Undefined, with the reason of the first session, where no session has a value.
    """
    scores = [of([t]) for t in ts]
    values = [s.value for s in scores if s.value is not None]
    if values:
        return Score(float(np.median(values)), len(values), detail=f"{len(values)} of {len(scores)} sessions")
    return scores[0] if scores else unscored("empty", "there is no session")


def _patient_tokens(t: Trajectory) -> list[list[str]]:
    return [spoken_tokens(turn.text) for turn in t.turns if turn.speaker == "patient"]


def diversity(ts: Sequence[Trajectory]) -> Score:
    """Return the lexical diversity (MTLD) of what the patient says in the given sessions, read as one text.

    Definition and bounds: ``stats.mtld``. Not a quality of style. Undefined: fewer than 100 words
    (``too_short``). n = words. Source: McCarthy & Jarvis 2010; measures.md 23.3.
    """
    tokens = [word for t in ts for turn in _patient_tokens(t) for word in turn]
    if len(tokens) < LEAST_TOKENS:
        return unscored("too_short", f"{len(tokens)} words; below {LEAST_TOKENS} it is unstable", len(tokens))
    found = mtld(tokens)
    return Score(found.value, found.n, found.code, found.detail)


def self_repetition(ts: Sequence[Trajectory]) -> Score:
    """Return the share of the patient's five-word sequences that were said in an earlier turn of the session.

    Definition: sequences of five consecutive words inside a turn (``stats.mtld.spoken_tokens``); one
    counts as repeated if an earlier patient turn of the same session holds it. Not repetition inside
    a turn, and not of ideas in other words.

    Returns
    -------
    Share in [0, 1]; lower is less repetitive. n = sequences. Undefined (``too_short``): no turn of
    five words.

    Source
    ------
    Bound of .1: shared/patients.md section 6. What people do: ``bands.json``.
    """
    counts = [repeated_grams(t) for t in ts]
    total, again = sum(n for n, _ in counts), sum(n for _, n in counts)
    return Score(again / total, total) if total else unscored("too_short", f"no patient turn has {_N} words")


def repeated_grams(t: Trajectory) -> tuple[int, int]:
    """Return how many five-word sequences the patient says in a session, and how many it had said in a turn before."""
    total = again = 0
    seen: set[tuple[str, ...]] = set()
    for tokens in _patient_tokens(t):
        here = [tuple(tokens[i : i + _N]) for i in range(len(tokens) - _N + 1)]
        total, again = total + len(here), again + sum(gram in seen for gram in here)
        seen.update(here)
    return total, again


_MAY_COME_AGAIN = frozenset(("repeated", "unanswerable", "undecided", "thin", "why_unknown"))


def said_before(t: Trajectory) -> list[tuple[int, str]]:
    """Return ``(turn, beat)`` for every beat that an earlier patient turn of the session held.

    Beats are those of the truth record; without one, sentences. Beats of fewer than four words
    ("Yeah.") are left out, and so is a turn that answers a question asked again (kind ``repeated``) or says that
    there is no answer ("I couldn't tell you."): both may come as often as they are true.
    """
    seen: set[str] = set()
    found = []
    for i, turn in enumerate(t.turns):
        if turn.speaker != "patient" or _said(t, i).get("kind") in _MAY_COME_AGAIN:
            continue
        here = {b: " ".join(spoken_tokens(b)) for b in _beats(t, i) if len(b.split()) >= _LEAST_WORDS}
        found += [(i, b) for b, plain in here.items() if plain in seen]
        seen.update(here.values())
    return found


def _said(t: Trajectory, turn: int) -> Mapping[str, object]:
    said = t.info(turn).get("said")
    return said if isinstance(said, dict) else {}


def _beats(t: Trajectory, turn: int) -> list[str]:
    beats = _said(t, turn).get("beats")
    if isinstance(beats, list):
        return [str(b) for b in beats]
    text = t.turns[turn].text
    for mark in "!?…":
        text = text.replace(mark, ".")
    return [part.strip() for part in text.split(".") if part.strip()]


def beats_again(ts: Sequence[Trajectory]) -> Score:
    """Return how many beats were said a second time in the same session, in all the given sessions.

    Definition: ``said_before``. Not a share: one beat twice is one too many. At least 0; n = patient
    turns; ``detail`` shows the first. Undefined (``empty``): no patient turn.
    Source: issue 4, "no beat twice"; shared/patients.md section 6.
    """
    turns = sum(turn.speaker == "patient" for t in ts for turn in t.turns)
    if not turns:
        return unscored("empty", "the patient says nothing")
    found = [(t.session_id, *pair) for t in ts for pair in said_before(t)]
    shown = "; ".join(f"{session} turn {i}: {beat!r}" for session, i, beat in found[:3])
    return Score(float(len(found)), turns, detail=shown)


def question_fit(ts: Sequence[Trajectory]) -> Score:
    """Return how much likelier an answer shares a content word with its question than with another one.

    Definition: pairs of a therapist's turn with a question mark and the patient's turn right after
    it, each with a content word (function words left out); share of pairs that have a content word in
    common, minus the same share over all other pairings of question and answer within the session.
    Not whether the question was answered: good answers often use other words, and an echo scores high.
    It hangs on the therapist too: stock questions leave nothing to take up.

    Returns
    -------
    Difference in [-1, 1]; 0 means that answers have no more to do with their question than with any
    other of the session. n = pairs. Undefined (``too_short``): fewer than four pairs.

    Source
    ------
    Operational. What people do, and what is left when their answers are shuffled within the session
    (the bound: above that, answers have to do with their questions): ``bands.json``.
    """
    own, chance, pairs = 0.0, 0.0, 0
    for t in ts:
        asked = _question_pairs(t)
        if len(asked) < _LEAST_PAIRS:
            continue
        shares = np.array([[bool(q & a) for _, a in asked] for q, _ in asked], dtype=np.float64)
        n = len(asked)
        own += float(np.trace(shares))
        chance += float((shares.sum() - np.trace(shares)) / (n - 1))
        pairs += n
    if not pairs:
        return unscored("too_short", f"no session has {_LEAST_PAIRS} questions with an answer of substance")
    return Score((own - chance) / pairs, pairs)


def _question_pairs(t: Trajectory) -> list[tuple[set[str], set[str]]]:
    found = []
    for turn, after in zip(t.turns, t.turns[1:], strict=False):
        if turn.speaker == "therapist" and "?" in turn.text and after.speaker == "patient":
            q, a = (set(spoken_tokens(x.text)) - _FUNCTION_WORDS for x in (turn, after))
            if q and a:
                found.append((q, a))
    return found
