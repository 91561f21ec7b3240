"""``turnwise patients gate`` and ``worst`` at the door: what they print, how they end, and what they refuse."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from turnwise.apps import gate
from turnwise.batteries.conformance.measures import MEASURES
from turnwise.core.errors import UsageError
from turnwise.patients.casebook import case_ids

Cli = Callable[..., tuple[int, str, str]]
CASE = case_ids()[0]


@pytest.fixture(scope="module", autouse=True)
def played_once() -> Iterator[None]:
    """Play a case once for all tests of this file: that two gates play the same is tested in the engine."""
    play, done = gate._played, {}

    def once(name: str, family: str | None, folder: Path | None, panel: Any, readers: Any) -> Any:
        key = (name, family, folder, panel)
        if key not in done:
            done[key] = play(name, family, folder, panel, readers)
        return done[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gate, "_played", once)
        yield


def test_gate_shows_every_figure_beside_its_band_and_ends_by_the_verdict(cli: Cli) -> None:
    code, out, _ = cli("patients", "gate", CASE, "--seeds", "2", "--json")
    found = json.loads(out)
    row = found["cases"][CASE]
    assert [f["measure"] for f in row["figures"]] == [m.name for m in MEASURES]
    fails = [f for f in row["figures"] if f["gated"] and f["verdict"] != "pass"]
    assert (code, row["passed"]) == (1 if fails else 0, not fails)
    assert {"words_mean", "recovered_at_best"} <= {p["measure"] for p in found["published"]}


def test_gate_in_words_names_sources_and_published_figures(cli: Cli) -> None:
    _, out, _ = cli("patients", "gate", CASE, "--seeds", "2")
    assert out.startswith(f"{CASE}: ")
    assert all(m.name in out for m in MEASURES)
    assert "AnnoMI" in out or "ESConv" in out
    assert "published, for comparison" in out


def test_results_are_stored_only_for_the_whole_panel(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, _, err = cli("patients", "gate", CASE, "--seeds", "2", "--write")
    assert code == 2
    assert "only a result of 20 seeds" in err
    monkeypatch.setattr(gate, "_SEEDS", 2)
    monkeypatch.setattr(gate, "_stored_at", lambda: tmp_path / "passed.json")
    code, out, _ = cli("patients", "gate", CASE, "--seeds", "2", "--write", "--json")
    stored = json.loads((tmp_path / "passed.json").read_text(encoding="utf-8"))["patients"][f"stateful.v1:{CASE}"]
    assert (stored["verdict"] == "passed") == (code == 0)
    assert stored["played"]["seeds"] == 2
    figures = {f["measure"]: f["value"] for f in json.loads(out)["cases"][CASE]["figures"]}
    assert {k: v["value"] for k, v in stored["figures"].items()} == pytest.approx(figures, abs=1e-6)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("gate", "nobody_at_all"), "no case 'nobody_at_all' ships"),
        (("gate", CASE, "--seeds", "1"), "from 2"),
        (("gate", CASE, "--data", "."), "lacks annomi/dialogues"),
        (("worst", "nowhere"), "does not exist"),
        (("worst", ".", "--n", "0"), "from 1"),
    ],
)
def test_mistakes_end_with_one_sentence(cli: Cli, arguments: tuple[str, ...], says: str) -> None:
    code, _, err = cli("patients", *arguments)
    assert code == 2
    assert says in err


def test_worst_lists_turns_of_a_run_with_three_before(cli: Cli) -> None:
    study = ("--therapist", "eliza", "--patients", CASE, "--epochs", "2", "--turns", "12", "--out", "r")
    assert cli("run", *study, "--json")[0] == 0
    code, out, _ = cli("patients", "worst", "r", "--n", "3", "--json")
    found = json.loads(out)
    assert code == 0
    assert len(found) == 3
    assert all(len(low["before"]) == 3 or low["turn"] < 3 for low in found)
    assert all(low["before"][-1]["speaker"] == "therapist" and low["reasons"] for low in found)
    fits = [2.0 if low["fit"] is None else low["fit"] for low in found]
    assert fits == sorted(fits)
    off = json.loads(cli("patients", "worst", "r", "--unanswered", "--json")[1])
    assert off
    assert all("?" in low["before"][-1]["text"] for low in off)
    assert all({"did not answer", "put the question off"} & set(low["reasons"]) for low in off)
    _, text, _ = cli("patients", "worst", "r", "--n", "1")
    assert found[0]["said"].split()[0] in text
    assert "P>" in text


def test_another_family_is_gated_where_its_models_answers_are_kept_and_never_stored() -> None:
    with pytest.raises(UsageError, match="--calls"):
        gate.gate_command(cases=("alun",), seeds=2, data=None, write=False, as_json=True, family="stateful:openai/x")
    with pytest.raises(UsageError, match="--family"):
        gate.gate_command(cases=("alun",), seeds=20, data=None, write=True, as_json=True, family="stateful:openai/x")
