"""Names: versions, the closest match, and no silent doubles."""

from __future__ import annotations

from typing import Any

import pytest

from turnwise.core.errors import RegistryError
from turnwise.core.registry import Registry, reward


def make(name: str) -> Any:
    def thing() -> str:
        """Say who it is."""
        return name

    thing.__qualname__ = name
    return thing


@pytest.fixture
def registry() -> Registry[Any]:
    r: Registry[Any] = Registry("metric")
    for name in ("talk_share.v1", "talk_share.v2", "talk_share.v10", "rq_ratio.v1"):
        r.add(name, make(name))
    return r


def test_an_unversioned_name_means_the_newest(registry: Registry[Any]) -> None:
    assert registry.get("talk_share").name == "talk_share.v10"
    assert registry.get("talk_share.v2").obj() == "talk_share.v2"
    assert [e.name for e in registry.newest()] == ["rq_ratio.v1", "talk_share.v10"]


@pytest.mark.parametrize("asked", ["talk_shar", "talkshare", "tolk_share", "talk_share.v3"])
def test_a_misspelt_name_gets_the_closest(registry: Registry[Any], asked: str) -> None:
    with pytest.raises(RegistryError, match=r"did you mean 'talk_share(\.v\d+)?'"):
        registry.get(asked)


def test_a_name_like_nothing_gets_the_list(registry: Registry[Any]) -> None:
    with pytest.raises(RegistryError, match="known: rq_ratio, talk_share"):
        registry.get("zzzz")


@pytest.mark.parametrize("name", ["talk", "Talk.v1", "talk.v0", "talk-share.v1", "talk.v1.v2", ""])
def test_badly_formed_names_are_refused(registry: Registry[Any], name: str) -> None:
    with pytest.raises(RegistryError, match=r"snake_case\.vN"):
        registry.add(name, make(name))


def test_a_taken_name_is_refused_and_a_reload_is_not(registry: Registry[Any]) -> None:
    with pytest.raises(RegistryError, match="registered twice"):
        registry.add("talk_share.v1", make("another"))
    registry.add("talk_share.v1", make("talk_share.v1"))


def test_a_reward_says_how_it_is_gamed() -> None:
    with pytest.raises(RegistryError, match="no way to game it"):
        reward("r.v1", bounds=(0, 1), source="x", exploits=())
