from __future__ import annotations

import pytest
import yaml

from turnwise.core.bounded_yaml import MOST_CHARACTERS, MOST_DEPTH, read_yaml
from turnwise.core.errors import FormatError


def laughing(first: str, line: str, levels: int = 10) -> str:
    """Return a text whose every line repeats the one before it nine times."""
    nine = (line.format(i=f"a{i}", nine=", ".join(_named(line, i) for _ in range(9))) for i in range(1, levels))
    return "\n".join((f"a0: &a0 {first}", *nine))


def _named(line: str, i: int) -> str:
    return f"*a{i - 1}"


LISTS = laughing("[x, x]", "{i}: &{i} [{nine}]")
MERGED = laughing("{x: 1}", "{i}: &{i} {{<<: [{nine}]}}")
MAPS = "\n".join(
    ("a0: &a0 {x: 1}", *(f"a{i}: &a{i} {{{', '.join(f'k{j}: *a{i - 1}' for j in range(9))}}}" for i in range(1, 10)))
)
CHAIN = "\n".join(("a0: &a0 [1]", *(f"a{i}: &a{i} [*a{i - 1}]" for i in range(1, 400))))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LISTS, "more than 200,000 values"),
        (MAPS, "more than 200,000 values"),
        (MERGED, "more than 200,000 values"),
        (CHAIN, "64 levels"),
        ("[" * 100_000, "64 levels"),
        ("{a: " * 100_000, "64 levels"),
        ("- " * 100_000, "64 levels"),
        ("a: " + "9" * 1_000_000, "a number of more than 64 signs"),
        ("a: 0x" + "f" * 1_000_000, "a number of more than 64 signs"),
        ("a: 1" + ":59" * 300_000, "a number of more than 64 signs"),
        ("a: 1" + ":59" * 300_000 + ".5", "a number of more than 64 signs"),
        ("a: !!int '" + "9" * 1_000_000 + "'", "a number of more than 64 signs"),
        ("a: !!int {=: 1" + ":59" * 100_000 + "}", "a mapping where its tag says int"),
        ("a: &a [*a]", "an alias of what it stands in"),
        ("a: 2001-99-99", "'2001-99-99', which is no timestamp"),
        ("a: !!int ''", "'', which is no int"),
        ("a: !!python/object:os.system x", "is no YAML"),
        ("a: [", "is no YAML"),
        ("x" * (MOST_CHARACTERS + 1), "characters"),
    ],
    ids=lambda x: x[:20],
)
def test_what_would_hang_or_crash_is_one_sentence(text: str, said: str) -> None:
    with pytest.raises(FormatError, match=f"^mine.yaml[^\n]*{said}[^\n]*\\.$"):
        read_yaml(text, "mine.yaml")


@pytest.mark.parametrize(
    "text",
    [
        "a: &a {x: 1, y: [2]}\nb: *a\nc: {<<: *a, x: 3}\nd: [*a, *a]",
        "[" * MOST_DEPTH + "]" * MOST_DEPTH,
        "a: 12\nb: -1.5e3\nc: 2001-01-02\nd: yes\ne: ~\nf: '1'\ng: 1:30",
        "",
    ],
)
def test_an_ordinary_file_reads_as_the_safe_loader_reads_it(text: str) -> None:
    assert read_yaml(text, "mine.yaml") == yaml.safe_load(text)
