"""What others report of people and of language models in the patient's role, to be read beside our figures.

Facts with their source, quoted and not recomputed here; none of them is a bound.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PUBLISHED", "Row"]


@dataclass(frozen=True, slots=True)
class Row:
    """One published figure of one measure of the gate."""

    measure: str
    who: str
    value: str
    source: str


_VERA = "VERA-MH concept files (before its later prompt), computed from them: anchors 1.4"
_PSI = "PSI-Bench, Nguyen et al. 2026, arXiv 2604.25840"
_SAGE = "published SAGE traces, computed from them: anchors 1.4"

PUBLISHED: tuple[Row, ...] = (
    Row("words_mean", "people playing a patient, typed", "14.3 (median 11)", "measures.md 23.1"),
    Row("words_mean", "language-model patients", "35 to 176", "measures.md 23.1"),
    Row("words_mean", "GPT-4o as user", "67.7 (median 67)", _VERA),
    Row("words_mean", "GPT-5 as user", "165.9 (median 140.5)", _VERA),
    Row("words_mean", "Claude Opus 4.1 as user", "176.3 (median 197.5)", _VERA),
    Row("words_spread", "prototype of this project", ".51", "shared/patients.md 1.3"),
    Row("identical_over_seeds", "prototype of this project", ".43", "shared/patients.md 1.3"),
    Row("path_shapes", "language-model patients", "one path, from bad to good", _PSI),
    Row("path_shapes", "model users of SAGE", "27-71 % steps down; 3-36 % of sessions never fall", _SAGE),
    Row("recovered_at_best", "model users of SAGE", "35 of 100 at the ceiling, in 8.3 turns", _SAGE),
    Row("lost_at_worst", "model users", "21-44 % a session; 100 % with a harmful bot", _SAGE),
    Row("lost_at_best", "outpatients, whole treatments", "19.7 % [18.7, 20.7]", "Swift & Greenberg 2012"),
    Row("lost_at_best", "AnnoMI, within a session", "none of 86", "human_sizes.json"),
)
