"""Find what is registered: import each room's modules, then the entry points of third parties.

A plugin that cannot be imported fails loudly here, with its name: a study that silently lacks a
measure is worse than one that does not start.
"""

from __future__ import annotations

import importlib
import pkgutil
from importlib.metadata import entry_points
from types import ModuleType

from turnwise.core.errors import RegistryError, TurnwiseError

__all__ = ["ENTRY_POINT_GROUP", "ROOMS_WITH_PLUGINS", "discover"]

ROOMS_WITH_PLUGINS: tuple[str, ...] = (
    "turnwise.metrics",
    "turnwise.patients",
    "turnwise.therapists",
    "turnwise.reading.raters",
    "turnwise.batteries",
    "turnwise.batteries.skills",
    "turnwise.engine.importers",
)
ENTRY_POINT_GROUP = "turnwise.plugins"
_done: set[str] = set()


def discover(*rooms: str, third_parties: bool = True) -> None:
    """Import every plugin module of ``rooms`` (all by default), and third-party entry points.

    A third party names a module under the entry-point group ``turnwise.plugins``; importing it
    registers what it holds. Repeated calls cost nothing.

    Raises
    ------
    RegistryError : a module cannot be imported, or registers a name that is taken.
    """
    for room in rooms or ROOMS_WITH_PLUGINS:
        if room not in _done:
            _import_room(room)
            _done.add(room)
    if third_parties and ENTRY_POINT_GROUP not in _done:
        for point in entry_points(group=ENTRY_POINT_GROUP):
            _import(point.value.partition(":")[0], f"entry point {point.name!r}")
        _done.add(ENTRY_POINT_GROUP)


def _import_room(room: str) -> None:
    package = _import(room, "room")
    for module in pkgutil.iter_modules(package.__path__):
        if not module.name.startswith(("test_", "_")) and not module.ispkg:
            _import(f"{room}.{module.name}", "plugin module")


def _import(name: str, what: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except TurnwiseError:
        raise
    except Exception as fault:
        raise RegistryError(
            f"{what} {name!r} cannot be imported ({type(fault).__name__}: {fault}); mend it or remove it."
        ) from fault
