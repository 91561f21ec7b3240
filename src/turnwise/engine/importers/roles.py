"""Who speaks: the words transcripts use for the two roles, and what else a turn may carry."""

from __future__ import annotations

import re
from typing import Any, get_args

from turnwise.core.nouns import Cue, CueKind, Speaker
from turnwise.engine.importers.records import BadRecord, kind_of
from turnwise.engine.importers.streams import shown

__all__ = ["PATIENT_WORDS", "THERAPIST_WORDS", "cues_of", "hide_thinking", "role_of", "speaker_of"]

PATIENT_WORDS = ("patient", "client", "seeker", "user", "member")
THERAPIST_WORDS = ("therapist", "counselor", "counsellor", "supporter", "assistant", "clinician")
_ROLES: dict[str, Speaker] = {
    **dict.fromkeys(PATIENT_WORDS, "patient"),
    **dict.fromkeys(THERAPIST_WORDS, "therapist"),
}
_CUE_KINDS: dict[str, CueKind] = {kind: kind for kind in get_args(CueKind)}
_CLOSED = re.compile(r"<(think|thinking)>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
_UNOPENED = re.compile(r"</(?:think|thinking)>", re.IGNORECASE)
_UNCLOSED = re.compile(r"<(?:think|thinking)>", re.IGNORECASE)


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


def hide_thinking(text: str, info: dict[str, Any], *, torn: bool = False) -> str:
    """Move ``<think>…</think>`` out of what was said, to ``info["private"]["thinking"]``; return the rest.

    Hidden reasoning was never heard by the other side, so no measure may read it. With ``torn``,
    a block whose opening or closing mark is missing is hidden too (a chat template took the one,
    the token limit the other). Text without such a block is returned untouched.

    Examples
    --------
    >>> info = {}
    >>> hide_thinking("<think>He is sad.</think> How are you?", info), info
    ('How are you?', {'private': {'thinking': 'He is sad.'}})
    """
    thoughts = [m.group(2).strip() for m in _CLOSED.finditer(text)]
    said = _CLOSED.sub("", text) if thoughts else text
    if torn and (end := _UNOPENED.search(said)):
        thoughts.insert(0, said[: end.start()].strip())
        said = said[end.end() :]
    if torn and (start := _UNCLOSED.search(said)):
        thoughts.append(said[start.end() :].strip())
        said = said[: start.start()]
    if not thoughts:
        return text
    keep_private(info, "\n\n".join(x for x in thoughts if x))
    return said.strip()


def keep_private(info: dict[str, Any], thinking: Any) -> None:
    """Put ``thinking`` under ``info["private"]``, after what is there already."""
    there = info.get("private")
    private = dict(there) if isinstance(there, dict) else {} if there is None else {"given": there}
    before = private.get("thinking")
    if isinstance(before, str) and isinstance(thinking, str):
        thinking = f"{before}\n\n{thinking}" if before else thinking
    elif before is not None:
        thinking = [before, thinking]
    info["private"] = {**private, "thinking": thinking}
