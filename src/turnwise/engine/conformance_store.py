"""The gate on disk: human bands, stored results, and for which version of a patient they hold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

import turnwise
from turnwise.batteries.conformance.judging import Judged, judge, passed
from turnwise.batteries.conformance.played import Human, human_of
from turnwise.core.errors import FormatError, UsageError
from turnwise.core.nouns import Case, Score
from turnwise.engine.patient_names import parted
from turnwise.engine.store import replacing
from turnwise.patients.casebook import case_ids, load_case

__all__ = [
    "PASSED",
    "Stored",
    "bands",
    "case_sha",
    "code_now",
    "code_sha",
    "gate_status",
    "human",
    "judged_of",
    "load_stored",
    "statuses",
    "versions_of",
    "write_stored",
]

PASSED = "passed.json"
FORMAT = "turnwise.conformance/1"
_FOLDER = "turnwise.batteries.conformance"
_CODE = (".py", ".yaml", ".json", ".safetensors")
_SPOKEN_BY = ("core", "patients", "reading")
_NOT_HEARD_WITH = (
    "reading/raters/", "reading/written/", "reading/skill_", "reading/claim", "reading/cards.py", "patients/cases/",
    "patients/cards/", "reading/ears/cards/", "core/model_turns.py", "patients/briefing.py", "patients/case_lines.py",
    "patients/draft_checks.py", "patients/prompted.py", "patients/worded.py", "patients/lint.py",
    "reading/session_reader.py", "patients/new_case.yaml",
)  # fmt: skip
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Stored:
    """Results of the gate by patient (``family:case``): versions, what was played, figures by name."""

    patients: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


class _Figure(BaseModel):
    value: float | None
    n: int
    code: str = ""
    detail: str = ""


class _Row(BaseModel):
    versions: dict[str, str]
    figures: dict[str, _Figure]


def _read(name: str) -> dict[str, Any]:
    where = files(_FOLDER).joinpath(name)
    try:
        found = json.loads(where.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as fault:
        raise FormatError(where, "package data", f"cannot be read ({fault})", "install turnwise again") from None
    if not isinstance(found, dict):
        raise FormatError(where, "package data", f"holds a {type(found).__name__}", "install turnwise again")
    return found


@cache
def bands() -> Mapping[str, Any]:
    """Return the human bands that ship (written by ``tools/human_bands.py``)."""
    return _read("bands.json")


def human(case: Case) -> Human:
    """Return the human figures in the modality of a case."""
    return human_of(bands(), case)


def load_stored() -> Stored:
    """Return the stored results; none where no gate was ever written.

    Raises
    ------
    FormatError : the file is damaged or of another format.
    """
    if not files(_FOLDER).joinpath(PASSED).is_file():
        return Stored()
    return Stored(_patients(_read(PASSED), PASSED))


def _patients(content: Mapping[str, Any], path: object) -> Mapping[str, Mapping[str, Any]]:
    """Return the stored results of a file's content by patient, checked to be what ``write_stored`` writes."""
    remedy = "remove it, then run 'turnwise patients gate --write'"
    if content.get("format") != FORMAT:
        raise FormatError(path, "format", f"is {content.get('format')!r:.60}, expected {FORMAT!r}", remedy)
    found: Mapping[str, Mapping[str, Any]] = content.get("patients")  # type: ignore[assignment]  # checked below
    try:
        TypeAdapter(dict[str, _Row]).validate_python(found)
    except ValidationError as fault:
        first = fault.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, ("patients", *first["loc"])))
        raise FormatError(path, where, f"is damaged ({first['msg'].lower()})", remedy) from fault
    return found


def case_sha(case: Case) -> str:
    """Return the hash of a case's content, as a study records it."""
    return hashlib.sha256(case.model_dump_json().encode()).hexdigest()[:16]


@cache
def code_sha() -> str:
    """Return the hash of ``code_now`` as it was when this process first asked."""
    return code_now()


def code_now() -> str:
    """Return the hash of whatever decides what a patient says besides its case: code, weights and tables.

    Cases are hashed on their own, so that a change in one leaves the others gated; coders that only rate, cards,
    tests, and what only patients in a model's words need are left out.
    """
    root = Path(turnwise.__file__).parent
    digest = hashlib.sha256()
    for room in _SPOKEN_BY:
        for path in sorted((root / room).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in _CODE and not path.name.startswith("test_") and not name.startswith(_NOT_HEARD_WITH):
                digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _bands_sha() -> str:
    return hashlib.sha256(json.dumps(bands(), sort_keys=True).encode()).hexdigest()[:16]


def versions_of(case: Case) -> dict[str, str]:
    """Return the versions that a result holds for: another one makes it stale."""
    return {"case": case_sha(case), "code": code_sha(), "bands": _bands_sha()}


def write_stored(path: Path, results: Mapping[str, tuple[Case, Mapping[str, Score], Mapping[str, Any]]]) -> None:
    """Add results to the stored ones and write them, whole or not at all.

    Parameters
    ----------
    path : the file, usually ``batteries/conformance/passed.json`` of the installed package.
    results : patient (``family:case``) → its case, its figures, and what was played (panel, seeds, source).

    Raises
    ------
    UsageError : the patients' code is no longer what it was when this process first asked for its hash.
    """
    if code_now() != code_sha():
        raise UsageError("the patients' code changed while the gate was played; run it again.")
    before = _before(path)
    known = {name: row for name, row in before.items() if parted(name)[1] in case_ids()}
    for name, (case, figures, played) in results.items():
        judged = judge(figures, human(case))
        known[name] = {
            "versions": versions_of(case),
            "played": dict(played),
            "verdict": "passed" if passed(judged) else "failed",
            "fails": [j.measure.name for j in judged if j.fails],
            "figures": {key: _as_row(score) for key, score in sorted(figures.items())},
        }
    content = {"format": FORMAT, "command": "turnwise patients gate --write", "patients": known}
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


def _before(path: Path) -> Mapping[str, Mapping[str, Any]]:
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as fault:
        raise FormatError(path, "", "is damaged", "remove it, then write the results again") from fault
    return _patients(content if isinstance(content, dict) else {}, path)


def _as_row(s: Score) -> dict[str, Any]:
    row = {"value": None if s.value is None else round(s.value, _DECIMALS), "n": s.n}
    return row | ({"code": s.code} if s.code else {}) | ({"detail": s.detail} if s.detail else {})


def judged_of(row: Mapping[str, Any], case: Case) -> tuple[Judged, ...]:
    """Return stored figures beside the bands of today."""
    figures = {
        name: Score(f["value"], f["n"], f.get("code"), f.get("detail", "")) for name, f in row["figures"].items()
    }
    return judge(figures, human(case))


def gate_status(patient: str, case: Case, stored: Stored) -> tuple[str, str]:
    """Return ``"passed"``, ``"failed"`` or ``"not gated"`` for ``family:case``, and why in a few words.

    A result holds for one version of case, code and bands: where any of them has changed since, the
    patient is not gated, whatever it was.
    """
    row = stored.patients.get(patient)
    if row is None:
        return "not gated", "never played on the panel"
    now = versions_of(case)
    changed = [name for name, sha in now.items() if row["versions"].get(name) != sha]
    if changed:
        return "not gated", f"{' and '.join(changed)} changed since"
    fails = [j.measure.name for j in judged_of(row, case) if j.fails]
    return ("failed", "outside: " + ", ".join(fails)) if fails else ("passed", "")


def statuses(patients: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return the status of several patients (``family:case``); one whose case does not ship is not gated."""
    stored, known = load_stored(), set(case_ids())
    return {
        name: gate_status(name, load_case(case), stored)
        if (case := parted(name)[1]) in known
        else ("not gated", "its case does not ship with turnwise")
        for name in patients
    }
