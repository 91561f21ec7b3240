"""The scanner never fails, and agrees with a real parser on whole documents."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.importers.shapes import scan

VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda x: st.lists(x, max_size=3) | st.dictionaries(st.text(max_size=4), x, max_size=3),
    max_leaves=8,
)


def _begin(value: Any) -> str:
    if isinstance(value, str):
        return "s:" + value
    return {list: "[", dict: "{"}.get(type(value)) or json.dumps(value)[:40]


@given(value=st.dictionaries(st.text(max_size=6), VALUES, max_size=5), listed=st.booleans(), cut=st.integers(0, 200))
def test_keys_are_those_of_the_parser(value: dict[str, Any], listed: bool, cut: int) -> None:
    text = json.dumps([value, {"later": 1}] if listed else value)
    shape = scan(text)
    assert shape.keys == {k: _begin(v) for k, v in value.items()}
    assert shape.listed == listed
    part = scan(text[:cut])
    assert part.keys.keys() <= shape.keys.keys()


@given(text=st.text(alphabet='{}[]:,"\\ abn1\n', max_size=60))
def test_any_text_can_be_scanned(text: str) -> None:
    scan(text)
