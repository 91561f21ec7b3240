"""Which corpora there are: one module each in this folder, found by being there."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from turnwise.core.errors import RegistryError
from turnwise.engine import corpora as folder
from turnwise.engine.corpora.corpus import Corpus

__all__ = ["every_corpus"]


@cache
def every_corpus() -> tuple[Corpus, ...]:
    """Return every ``Corpus`` that a module of this folder keeps under an UPPER_CASE name, by name.

    Raises
    ------
    RegistryError : two corpora have the same name.

    Examples
    --------
    >>> "annomi" in [c.name for c in every_corpus()]
    True
    """
    found: dict[str, Corpus] = {}
    for module in pkgutil.iter_modules(folder.__path__):
        if module.name.startswith(("test_", "_")) or module.ispkg:
            continue
        held = vars(importlib.import_module(f"{folder.__name__}.{module.name}"))
        for corpus in (x for key, x in held.items() if key.isupper() and isinstance(x, Corpus)):
            if found.setdefault(corpus.name, corpus) is not corpus:
                raise RegistryError(f"two corpora are called {corpus.name!r}; rename the one in {module.name}.py.")
    return tuple(found[name] for name in sorted(found))
