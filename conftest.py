"""Settings of every test: no property has a deadline, because no test asserts how fast a machine is."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("turnwise", deadline=None)
settings.load_profile("turnwise")
