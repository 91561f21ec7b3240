"""Measure how people fill and loosen their speech, and how long they answer, by what was said to them.

Writes human_speech.json beside the patients: spoken from AnnoMI (high-quality sessions of the development
portion), typed from ESConv (development portion). Figures only, no text. A simulated patient draws its
lengths, its acknowledgements and its fillers from these; the gate measures the result against the same people.

Usage: OMP_NUM_THREADS=1 python tools/speech_rates.py DATA [--check]
"""

from __future__ import annotations

import hashlib
import itertools
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from human_bands import annomi_move, esconv_move
from refitting import as_json, command_line
from transition_corpus import PATIENTS
from turnwise.core.nouns import Trajectory
from turnwise.engine.corpora.annomi import ANNOMI
from turnwise.engine.corpora.corpus import Corpus
from turnwise.engine.corpora.esconv import ESCONV
from turnwise.patients.words import content_words, fillers_per_100, words_of

GRID = 21
KINDS: Mapping[str, str] = {
    "open question": "open",
    "closed question": "closed",
    "simple reflection": "reflection",
    "complex reflection": "reflection",
    "information": "input",
    "negotiation": "input",
    "advice": "advice",
    "other": "other",
    "Question": "question",
    "Restatement or Paraphrasing": "reflection",
    "Reflection of feelings": "reflection",
    "Information": "input",
    "Providing Suggestions": "advice",
    "Affirmation and Reassurance": "other",
    "Self-disclosure": "other",
    "Others": "other",
}
"""AnnoMI's subtypes and ESConv's strategies as what a patient can tell apart; ESConv does not part questions."""
AGREES = re.compile(r"(?:yeah|yes|yep|right|okay|ok|mm|mm-hmm|mm-hm|mhm|uh-huh|sure|exactly|definitely|true)\b")
HESITATES = re.compile(r"(?:um|uh|well|i mean|i don't know|i guess|you know|like|oh|so)\b")
_WORD = re.compile(r"[a-z']+")
_SENTENCE = re.compile(r"[^.?!]+[.?!]*")
_FILLED = re.compile(
    r"(?:\W*(?:um|uh|er|well|so|yeah|yes|no|oh|like|i mean|you know|okay|mm|hm)\b[\s,.\-–]*)+", re.IGNORECASE
)
_PAUSE = re.compile(r"[.?!,;…]|--| - ")
_ASKS = re.compile(r"(?:what|how|when|where|who|why|which)\b")
_VERB = re.compile(
    r"\b(?:i|you|he|she|they|we|it|is|are|was|were|do|does|did|don't|have|has|had|i'm|can|could|would|will)\b|'(?:s|ve|d)\b"
)
EARLY = 6
"""Words of an answer, after what only fills, in which it is said to begin by taking up the question."""
LEAST_SHORT = 6  # short turns of a session below which none of them is a favourite
LEAST_ASKED = 2  # questions of a session below which nothing can be compared by chance


def pairs(
    sessions: Sequence[Trajectory], move_of: Callable[[Trajectory, int], str | None]
) -> Iterator[tuple[str, str]]:
    """Yield the kind of each therapist turn with the client's words right after it."""
    for t in sessions:
        for i, turn in enumerate(t.turns[:-1]):
            after = t.turns[i + 1]
            if turn.speaker == "therapist" and after.speaker == "patient" and after.n_words:
                kind = KINDS.get(move_of(t, i) or "")
                if kind:
                    yield kind, after.text


def of_kind(texts: Sequence[str]) -> dict[str, Any]:
    """Return quantiles of words (at 0, 5, … 100 %), and how many turns are short or begin in which way."""
    words = [len(t.split()) for t in texts]
    low = [t.lower().lstrip("-– ") for t in texts]
    longer = [t for t, n in zip(low, words, strict=True) if n > 3]
    agrees = sum(bool(AGREES.match(t)) for t in longer) / len(longer)
    hesitates = sum(bool(HESITATES.match(t)) for t in longer) / len(longer)
    return {
        "n": len(texts),
        "words": [round(float(q), 1) for q in np.percentile(words, np.linspace(0, 100, GRID))],
        "short": round(sum(n <= 3 for n in words) / len(words), 3),
        "agrees": round(agrees, 3),
        "hesitates": round(hesitates, 3),
    }


def form_of(answer: str, asked: frozenset[str]) -> str | None:
    """Return how an answer begins by taking up the question: ``clause``, ``phrase`` or ``question``, or not at all."""
    begins = _FILLED.sub("", answer, count=1) if _FILLED.match(answer) else answer
    if not content_words(" ".join(words_of(begins)[:EARLY])) & asked:
        return None
    part = _PAUSE.split(begins, maxsplit=1)[0]
    if not content_words(part) & asked:
        return "clause"
    if begins[len(part) :].startswith("?") or _ASKS.match(part.lower()):
        return "question"
    return "phrase" if len(words_of(part)) <= 4 and not _VERB.search(part.lower()) else "clause"


def takes_up(sessions: Sequence[Trajectory], asks: Callable[[Trajectory, int], bool]) -> dict[str, Any]:
    """Return how often an answer shares a word of content with the last question before it, and in which form.

    By chance: the same with the answers to the other questions of the session. Questions without a word of content
    and answers without a word are left out.
    """
    own, chance, n, forms = 0, 0.0, 0, dict.fromkeys(("clause", "phrase", "question"), 0)
    for t in sessions:
        found = [
            (content_words(last), after.text)
            for i, (turn, after) in enumerate(itertools.pairwise(t.turns))
            if turn.speaker == "therapist" and after.speaker == "patient" and after.n_words and asks(t, i)
            for last in [s for s in _SENTENCE.findall(turn.text) if "?" in s][-1:]
            if content_words(last)
        ]
        if len(found) < LEAST_ASKED:
            continue
        said = [content_words(text) for _, text in found]
        for i, (asked, text) in enumerate(found):
            n, own = n + 1, own + bool(asked & said[i])
            chance += sum(bool(asked & x) for j, x in enumerate(said) if j != i) / (len(said) - 1)
            form = form_of(text, asked)
            if form:
                forms[form] += 1
    early = sum(forms.values())
    return {
        "n": n,
        "any": round(own / n, 3),
        "any_by_chance": round(chance / n, 3),
        "early": round(early / n, 3),
        "forms": {form: round(k / early, 3) for form, k in forms.items()},
    }


def modality(corpus: Corpus, data: Path, move_of: Any, keep: Callable[[Trajectory], bool]) -> dict[str, Any]:
    """Return everything about one modality."""
    path = data / corpus.file
    sessions = [t for t in corpus.load(path) if keep(t)]
    found: dict[str, list[str]] = {}
    for kind, text in pairs(sessions, move_of):
        for name in ("open", "closed") if kind == "question" else (kind,):
            found.setdefault(name, []).append(text)
    said = [turn.text.lower() for t in sessions for turn in t.turns if turn.speaker == "patient" and turn.n_words]
    words = sum(len(t.split()) for t in said)
    tokens = [_WORD.findall(t) for t in said]
    again = sum(a == b for x in tokens for a, b in itertools.pairwise(x))
    return {
        "data": {"name": corpus.title, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()},
        "source": corpus.source,
        "licence": f"{corpus.licence}; figures only, no text",
        "by_kind": {kind: of_kind(texts) for kind, texts in sorted(found.items())},
        "fillers_per_100_words": round(fillers_per_100(said), 3),
        "repeats_per_100_words": round(100 * again / words, 3),
        "restarts_per_100_words": round(100 * sum(_restarts(x) for x in tokens) / words, 3),
        "takes_up": takes_up(sessions, lambda t, i: KINDS.get(move_of(t, i) or "") in ("open", "question")),
        "favourite": round(favourite(sessions), 3),
    }


def _restarts(tokens: Sequence[str]) -> int:
    """Return how often two or three words are said twice running."""
    return sum(
        list(tokens[i : i + k]) == list(tokens[i + k : i + 2 * k]) and len(set(tokens[i : i + k])) > 1
        for k in (2, 3)
        for i in range(len(tokens) - 2 * k + 1)
    )


def favourite(sessions: Sequence[Trajectory]) -> float:
    """Return the share that the commonest has in the turns of at most three words of a session."""
    most = total = 0
    for t in sessions:
        short = Counter(" ".join(words_of(x.text)) for x in t.turns if x.speaker == "patient" and 0 < x.n_words <= 3)
        if sum(short.values()) >= LEAST_SHORT:
            most, total = most + max(short.values()), total + sum(short.values())
    return most / total


def fit_all(data: Path) -> dict[str, bytes]:
    """Return the file by path."""
    document = {
        "command": "OMP_NUM_THREADS=1 python tools/speech_rates.py DATA",
        "method": "client turns right after a therapist's turn; short: three words or fewer; agrees, hesitates: first "
        "words of the longer turns; fillers: patients/words.py, fillers_per_100; repeats: a word said twice running; "
        "restarts: two or three words; takes_up: answers to open questions (typed: to all questions) that share a word "
        "of content with the last question; favourite: share of the commonest of a session's short turns",
        "modalities": {
            "spoken": modality(ANNOMI, data, annomi_move, lambda t: t.meta.get("mi_quality") == "high"),
            "typed": modality(ESCONV, data, esconv_move, lambda t: True),
        },
    }
    return {"human_speech.json": as_json(document)}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script."""
    return command_line(__doc__ or "", fit_all, argv, PATIENTS)


if __name__ == "__main__":
    sys.exit(main())
