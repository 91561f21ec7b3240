from __future__ import annotations

import gc

import pytest

from turnwise.engine.sweeping import swept_rarely


def test_what_was_there_is_put_back_whatever_happens() -> None:
    before, frozen = gc.get_threshold(), gc.get_freeze_count()

    def full() -> None:
        with swept_rarely():
            assert gc.get_threshold()[0] > before[0]
            assert gc.get_freeze_count() > 0
            raise ValueError("disk")

    with pytest.raises(ValueError, match="disk"):
        full()
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() <= frozen


def test_cycles_are_still_found() -> None:
    class Node:
        def __init__(self) -> None:
            self.itself = self

    gc.collect()
    with swept_rarely():
        for _ in range(200_000):
            Node()
        assert sum(isinstance(x, Node) for x in gc.get_objects()) < 100_000
