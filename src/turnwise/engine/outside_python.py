"""A therapist written elsewhere in Python, named ``python:package.module:object``.

The object is a function ``f(messages) -> str`` (sync or async), or anything with ``init`` and ``respond`` as in
``core.contracts.Therapist``; a class of that kind is made without arguments.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import inspect
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numpy.random import Generator

from turnwise.core.errors import BoundaryError, UsageError
from turnwise.core.nouns import Course, Intake, Reply, Transcript
from turnwise.engine.asking import Asking, as_reply, without_secrets, without_thoughts
from turnwise.engine.chat import as_messages
from turnwise.engine.patience import Patience
from turnwise.engine.threads import in_thread

__all__ = ["PythonTherapist", "load_object", "python_therapist", "source_versions"]

_NAME = re.compile(r"python:([A-Za-z_][\w.]*):([A-Za-z_][\w.]*)", re.ASCII)


def load_object(name: str) -> Any:
    """Return what ``python:package.module:object`` names; modules of the current folder are found too.

    Raises
    ------
    UsageError : the name is not of that form, the module cannot be imported, or has no such object.

    Examples
    --------
    >>> load_object("python:json:dumps").__name__
    'dumps'
    """
    found = _NAME.fullmatch(name)
    if found is None:
        raise UsageError(f"{name!r} names no object; write python:package.module:object.")
    module, path = found.groups()
    here = os.getcwd()
    if here not in sys.path and "" not in sys.path:
        sys.path.insert(0, here)  # as python -m does: the bot usually lies where the command is given
    try:
        thing: Any = importlib.import_module(module)
    except Exception as fault:
        what = without_secrets(f"{type(fault).__name__}: {fault}")
        raise UsageError(f"{name}: {module} cannot be imported ({what}).") from fault
    for part in path.split("."):
        if not hasattr(thing, part):
            raise UsageError(f"{name}: {module} has no {path}.")
        thing = getattr(thing, part)
    return thing


def source_versions(name: str) -> dict[str, str]:
    """Return a hash of the file that holds the object's module, so that a run never mixes two versions of it.

    What that module imports is not in it. Empty where there is no such file (a module written in C).
    """
    path = getattr(sys.modules.get(name.split(":")[1]), "__file__", None)
    if not path or not Path(path).is_file():
        return {}
    return {f"therapist:{name}": hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]}


def python_therapist(name: str, thing: Any, asking: Asking) -> Any:
    """Return the therapist that ``thing``, named ``name``, is or can be made into.

    Raises
    ------
    UsageError : it is neither callable nor a therapist, or cannot be made.
    """
    if _plays(thing):
        return _Own(_made(name, thing) if inspect.isclass(thing) else thing)
    if not callable(thing) or inspect.isclass(thing):
        raise UsageError(f"{name} is neither a function of messages nor a therapist with init and respond.")
    return PythonTherapist(thing, asking)


def _made(name: str, kind: Callable[[], Any]) -> Any:
    try:
        return kind()
    except Exception as fault:
        what = without_secrets(f"{type(fault).__name__}: {fault}")
        raise UsageError(f"{name} cannot be made without arguments ({what}).") from fault


def _plays(thing: Any) -> bool:
    return callable(getattr(thing, "init", None)) and callable(getattr(thing, "respond", None))


class _Own:
    """A therapist of somebody's own, used as it is; what it merely thinks is not said."""

    def __init__(self, therapist: Any) -> None:
        self._therapist = therapist
        self._patience = Patience()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._therapist, name)

    def init(self, *known: Any) -> Any:
        return self._therapist.init(*known)

    async def respond(self, *heard: Any) -> Any:
        self._patience.check()
        try:
            reply = await self._therapist.respond(*heard)
        except (ConnectionError, TimeoutError) as fault:
            self._patience.missed(str(_raised(fault)))
            raise
        self._patience.heard()
        return without_thoughts(reply)


class PythonTherapist:
    """Calls a function with the session so far. It carries nothing from turn to turn.

    A function that is not async is called in threads, several at a time, so that one slow answer holds up nobody;
    with ``--concurrency 1`` it is called one at a time.
    """

    stateless = True

    def __init__(self, function: Callable[[list[dict[str, str]]], Any], asking: Asking) -> None:
        self._function, self._how = function, asking
        self._patience = Patience()

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> Intake:
        """Return the intake, which every call repeats."""
        return intake

    async def respond(self, state: Intake, transcript: Transcript, rng: Generator) -> Reply[Intake]:
        """Return what the function says to the session so far.

        Raises
        ------
        BoundaryError : it raised, took too long, or returned no text.
        """
        self._patience.check()
        messages = as_messages(state, transcript)
        try:
            async with asyncio.timeout(self._how.timeout_s) as limit:
                said = await self._called(messages)
        except TimeoutError as fault:
            late = BoundaryError(f"the bot did not answer within {self._how.timeout_s:g} s")
            told = late if limit.expired() else _raised(fault)
            self._patience.missed(str(told))
            raise told from fault
        except Exception as fault:
            told = _raised(fault)
            self._patience.missed(str(told)) if isinstance(fault, ConnectionError) else self._patience.heard()
            raise told from fault
        self._patience.heard()
        reply = as_reply(said)
        return Reply(reply.text, state, reply.info, cues=reply.cues)

    async def _called(self, messages: list[dict[str, str]]) -> Any:
        if _is_async(self._function):
            return await self._function(messages)
        said = await in_thread(lambda: self._function(messages))
        return await said if inspect.isawaitable(said) else said


def _raised(fault: Exception) -> BoundaryError:
    return BoundaryError(without_secrets(f"the bot raised {type(fault).__name__}: {fault}"))


def _is_async(function: Any) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)
