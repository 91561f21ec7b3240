"""Batching is a matter of speed: every item gets the answer it would get alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.engine.microbatch import BLOCK, MicroBatcher


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 1000), max_size=200), st.integers(1, 70))
def test_answers_go_to_those_who_asked_and_blocks_stay_small(items: list[int], size: int) -> None:
    seen: list[int] = []

    def block(batch: Sequence[int]) -> list[int]:
        seen.append(len(batch))
        return [x * x for x in batch]

    async def ask() -> list[int]:
        batcher = MicroBatcher(block, size)
        return list(await asyncio.gather(*(batcher.submit(x) for x in items)))

    assert asyncio.run(ask()) == [x * x for x in items]
    assert sum(seen) == len(items)
    assert max(seen, default=0) <= size


def test_concurrent_sessions_share_a_block() -> None:
    sizes: list[int] = []

    async def session(batcher: MicroBatcher[int, int]) -> None:
        for i in range(5):
            await batcher.submit(i)

    def block(batch: Sequence[int]) -> list[int]:
        sizes.append(len(batch))
        return list(batch)

    async def ask() -> None:
        batcher = MicroBatcher(block)
        await asyncio.gather(*(session(batcher) for _ in range(BLOCK)))

    asyncio.run(ask())
    assert sizes == [BLOCK] * 5


def test_one_bad_item_fails_alone() -> None:
    def block(batch: Sequence[int]) -> list[float]:
        return [1 / x for x in batch]

    async def ask() -> list[object]:
        batcher = MicroBatcher(block)
        return list(await asyncio.gather(*(batcher.submit(x) for x in (1, 0, 2)), return_exceptions=True))

    one, bad, two = asyncio.run(ask())
    assert (one, two) == (1.0, 0.5)
    with pytest.raises(ZeroDivisionError):
        raise bad  # type: ignore[misc]
