"""Who speaks: the words transcripts use for the two roles, and what else a turn may carry."""

from __future__ import annotations

from typing import Any, get_args

from turnwise.core.nouns import Cue, CueKind, Speaker
from turnwise.engine.importers.records import BadRecord, kind_of
from turnwise.engine.importers.streams import shown

__all__ = ["PATIENT_WORDS", "THERAPIST_WORDS", "cues_of", "role_of", "speaker_of"]

PATIENT_WORDS = ("patient", "client", "seeker", "user", "member")
THERAPIST_WORDS = ("therapist", "counselor", "counsellor", "supporter", "assistant", "clinician")
_ROLES: dict[str, Speaker] = {
    **dict.fromkeys(PATIENT_WORDS, "patient"),
    **dict.fromkeys(THERAPIST_WORDS, "therapist"),
}
_CUE_KINDS: dict[str, CueKind] = {kind: kind for kind in get_args(CueKind)}


def role_of(word: object) -> Speaker | None:
    """Return which side ``word`` names, or ``None``; case and surrounding spaces do not matter.

    Examples
    --------
    >>> role_of(" Client"), role_of("counsellor"), role_of("narrator")
    ('patient', 'therapist', None)
    """
    return _ROLES.get(word.strip().lower()) if isinstance(word, str) else None


def speaker_of(word: object, where: str) -> Speaker:
    """Return which side ``word`` names; raise ``BadRecord`` with the words that are known."""
    role = role_of(word)
    if role is not None:
        return role
    if word is None:
        raise BadRecord(f"{where} does not say who speaks; add a speaker, 'therapist' or 'patient'")
    said = repr(shown(word, 40)) if isinstance(word, str) else kind_of(word)
    known = ", ".join((*PATIENT_WORDS, *THERAPIST_WORDS))
    raise BadRecord(f"{where} is spoken by {said}; call the speaker one of {known}")


def cues_of(value: Any, where: str) -> tuple[Cue, ...]:
    """Return the signals outside the words; a kind nobody knows is kept as ``other`` with its name."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise BadRecord(f"{where} has cues that are {kind_of(value)}; make them a list")
    return tuple(_cue(x, where) for x in value)


def _cue(value: Any, where: str) -> Cue:
    if isinstance(value, str):
        kind = _CUE_KINDS.get(value.strip().lower())
        return Cue(kind=kind) if kind else Cue(kind="other", detail=value)
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        raise BadRecord(f'{where} has a cue that is neither text nor {{"kind", "detail"}}')
    detail = value.get("detail") or ""
    if not isinstance(detail, str):
        raise BadRecord(f"{where} has a cue whose detail is {kind_of(detail)}; make it text")
    known = _CUE_KINDS.get(value["kind"].strip().lower())
    if known:
        return Cue(kind=known, detail=detail)
    return Cue(kind="other", detail=f"{value['kind']}: {detail}" if detail else value["kind"])
