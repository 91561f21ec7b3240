"""Cut a long turn into the stretches it is read by.

Spoken turns, on which the coders were fitted, have some 16 words; a model's reply may have 200 and
do several things. Out of fold on AnnoMI, turns of more than 60 words were read better as the mean
over stretches of sentences than at once; shorter ones were not.
"""

from __future__ import annotations

from turnwise.reading.sentences import split_sentences

__all__ = ["LONG_WORDS", "PART_WORDS", "parts_of"]

LONG_WORDS = 60
PART_WORDS = 40


def parts_of(text: str) -> tuple[tuple[str, int], ...]:
    """Return the stretches of a turn with their numbers of words.

    A turn of at most 60 words is one stretch, unchanged. A longer one becomes runs of whole
    sentences with at most 40 words together; a single longer sentence stays whole.

    Examples
    --------
    >>> parts_of("How was it?")
    (('How was it?', 3),)
    >>> [n for _, n in parts_of("I went home. " * 30)]
    [39, 39, 12]
    """
    words = len(text.split())
    if words <= LONG_WORDS:
        return ((text, words),)
    runs: list[tuple[list[str], int]] = []
    for sentence in split_sentences(text):
        n = len(sentence.split())
        if runs and runs[-1][1] + n <= PART_WORDS:
            run, before = runs.pop()
            runs.append(([*run, sentence], before + n))
        else:
            runs.append(([sentence], n))
    return tuple((" ".join(run), n) for run, n in runs)
