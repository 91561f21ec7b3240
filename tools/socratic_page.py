"""The page of the Socratic therapist: how it works, and what was measured of it (docs/socratic.json)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from markdown_pieces import table
from turnwise.patients.change_sizes import SIZES
from turnwise.reading.package_data import document_of
from turnwise.stats.paired import paired_difference
from turnwise.therapists.acts import ACTS
from turnwise.therapists.socratic import TACT

__all__ = ["socratic_page"]

DOCS = Path(__file__).resolve().parents[1] / "docs"
CODED_CLAIMS = Path(__file__).resolve().parent / "written" / "skills" / "claims_of_the_study.jsonl"
_SHOWN = ("conviction", "bond")  # whose tracking errors stand beside a wrong ear
_COMMAND = "`python tools/socratic_study.py`"


def socratic_page() -> str:
    """The Socratic therapist: what it tracks, what it can do, how it fares."""
    found: Mapping[str, Any] = json.loads((DOCS / "socratic.json").read_text(encoding="utf-8"))
    return "\n\n".join([
        "# The Socratic therapist",
        "A controller: perceive, update beliefs, choose an act, speak, validate. It tracks the patient's stance, the "
        "working edge (how much challenge can be borne), what the last turn calls for, and bands of conviction, "
        "openness, alliance (bond, task, goal), distress and irritation; a ledger keeps facts in the patient's own "
        "words, evidence for and against the target thought, other views and *whose idea* they were, limits the "
        "patient "
        "set, hints and ruptures not yet met, and what was agreed. Acts are chosen by their value under the beliefs, "
        "sampled futures in the therapist's own small model of people, and what they are expected to teach; "
        "what is owed "
        "(risk, who is speaking, a goodbye) comes before any value. Every choice says why in one sentence "
        "(`info.act.why`).",
        f"All figures: {_COMMAND}. **Between embedded therapists and simulated patients everything here holds by "
        "construction of the simulator** and is no finding about people; values were set by hand and by reading "
        "sessions with these patients (other seeds).",
        *([f"**Note**: {found['about']['note']}"] if "note" in found["about"] else []),
        "## What it can do",
        table(["act", "class", "intensity", "stage"], _acts()),
        *_against_others(found), *_not_ahead(found), *_grounded(), *_taken(), *_voiced(), *_foreign(found),
        *_perturbed(found), *_ears(found), *_edge(found), *_beliefs(found),
        "## Cost",
        f"Median processor time of a turn, hearing included: {found['milliseconds']} ms.",
    ])  # fmt: skip


def _acts() -> list[list[object]]:
    return [[f"`{a.move}`", a.kind, a.intensity, a.stage] for a in ACTS.values()]


def _above(line: Mapping[str, Any], name: str = "") -> str:
    value, low, high = line["above"]
    digits = _DIGITS.get(name, 2)
    if low is None:
        return f"{value:+.{digits}f}"
    mark = " **" if low > 0 or high < 0 else " "
    return f"{value:+.{digits}f}{mark}[{low:+.{digits}f}, {high:+.{digits}f}]{mark.strip()}"


_DIGITS: Mapping[str, int] = {"conviction_change": 4}
"""Decimals of what is small by nature: two would show a fall of .003 as none."""


def _mean(line: Mapping[str, Any], name: str) -> str:
    return f"{line['mean']:.{min(3, _DIGITS.get(name, 2))}f}"


def _against_others(found: Mapping[str, Any]) -> list[str]:
    about = found["about"]
    parts = [
        "## Sustain, against everybody and against its own ablations",
        f"Scheduled moments met live, {about['epochs']} sessions of {about['turns']} turns with each of 16 "
        f"patients, seed "
        f"{about['seed']}, held out. Each cell: the therapist's mean, and what `socratic` has above it, paired "
        f"by patient "
        "(95 % interval; bold leaves out zero). A skill that is missing is `undetermined`: its raters are below "
        "their floor.",
    ]
    for title, key in (("skill", "sustain"), ("outcome", "outcomes")):
        names = [n for n, of in found[key].items() if "socratic.v1" in of]
        therapists = sorted({t for n in names for t in found[key][n]} - {"socratic.v1"})
        rows = [["**socratic**", *(_mean(found[key][n]["socratic.v1"], n) for n in names)]]
        for t in therapists:
            cells = []
            for n in names:
                line = found[key][n].get(t)
                cells.append(
                    "–" if line is None else f"{_mean(line, n)} ({_above(line, n) if 'above' in line else '–'})"
                )
            rows.append([f"`{t.removesuffix('.v1')}`", *cells])
        parts += [f"By {title}:", table(["therapist", *names], rows)]
        missing = [n for n, of in found[key].items() if "socratic.v1" not in of]
        if missing:
            parts.append(f"Not judged: {', '.join(missing)}.")
    return parts


_ASKED = ("guide", "calibrate", "yield", "provide", "consolidate")
"""Skills in which the controller was meant to be ahead of everybody."""
_LOWER = frozenset(("conviction_change",))


def _not_ahead(found: Mapping[str, Any]) -> list[str]:
    """Return against whom an interval does not leave out zero, and which ablation loses what: read off the tables."""
    lines: dict[str, Mapping[str, Any]] = {name: found["sustain"][name] for name in _ASKED}
    lines["conviction_change"] = found["outcomes"]["conviction_change"]
    open_, lost = [], []
    for name, of in lines.items():
        close = [t for t, x in of.items() if "above" in x and _surely_above(name, x["above"]) <= 0.0]
        open_ += [
            [f"`{name}`", f"`{t.removesuffix('.v1')}`", _above(of[t], name)] for t in close if "socratic" not in t
        ]
    for name, of in (found["sustain"] | {"conviction_change": lines["conviction_change"]}).items():
        gone = [t for t, x in of.items() if "socratic_" in t and _surely_above(name, x.get("above", (0, 0, 0))) > 0.0]
        lost += [[f"`{t.removesuffix('.v1')}`", f"`{name}`", _above(of[t], name)] for t in gone]
    edge = found["edge"]
    return [
        "### Where it is not ahead, and what each ablation loses",
        "Of guide, calibrate, yield, provide and consolidate, and of conviction at the end: the therapists beside whom "
        "the interval holds zero.",
        table(["measure", "beside", "above it"], open_) if open_ else "None.",
        "Where somebody is at a mean of .97 already, nobody can be ahead by much. What readiness can be told by: of "
        f"all that patients show an exploring therapist, asked how the talk is or not, the best reading is worth "
        f"{edge['by_all_signs']['value']:.3f} where always supporting is worth {edge['always_support']:.3f} (below).",
        "What an ablation loses (intervals without zero); one that is missing loses nothing that this design can see:",
        table(["without a part", "measure", "lost"], sorted(lost)) if lost else "Nothing.",
        *_again(found),
    ]


def _again(found: Mapping[str, Any]) -> list[str]:
    """What the first run left open, of therapists played again: all of ours, lost and won, without a zero inside."""
    again = found.get("again")
    if again is None:
        return []
    measures = again["sustain"] | {"conviction_change": again["outcomes"]["conviction_change"]}
    rows = []
    for name, of in measures.items():
        for t, x in of.items():
            sure = "above" in x and (_surely_above(name, x["above"]) > 0.0 or x["above"][1] * x["above"][2] > 0.0)
            asked = name == "yield" and t == "never_advise.v1"  # wanted of the study, whatever it says
            if (sure and ("socratic_" in t or name in (*_ASKED, "conviction_change"))) or asked:
                rows.append([f"`{t.removesuffix('.v1')}`", f"`{name}`", _above(x, name)])
    return [
        f"What that left undecided, played again ({again['epochs']} sessions a pair, seed {again['seed']}): `yield` "
        "beside `never_advise`, and every interval without zero beside it (of what is listed first above) and beside "
        "the two ablations, whoever is ahead:",
        table(["beside", "measure", "`socratic` above it"], sorted(rows)),
    ]


def _surely_above(name: str, above: Sequence[float]) -> float:
    """Return the bound of an interval that is nearer to being behind, so that more than 0 is ahead."""
    return -above[2] if name in _LOWER else above[1]


def _grounded() -> list[str]:
    """How grounded therapists are by two readers' coding, since the rater of claims is below its floor."""
    coded = [json.loads(row) for row in CODED_CLAIMS.read_text(encoding="utf-8").splitlines()]
    claims, rows = ("supported", "unsupported", "contradicted"), []
    of = _shares_supported(coded)
    for name in sorted(of, key=lambda t: (t != "socratic", t)):
        own = [c for c in coded if _therapist_of(c) == name]
        cells = [" / ".join(str(sum(c[hand] == label for c in own)) for hand in "pq") for label in claims]
        both = sorted(set(of[name]) & set(of["socratic"])) if name != "socratic" else []
        ours, theirs = [of["socratic"][p] for p in both], [of[name][p] for p in both]
        e = paired_difference(ours, theirs, rng=1) if len(both) > 1 else None
        above = _above({"above": (e.value, e.low, e.high)}) if e is not None else "–"
        mean = f"{float(np.mean(list(of[name].values()))):.2f}" if of[name] else "–"
        rows.append([f"`{name}`", len(own), *cells, mean, above])
    agree = sum(c["p"] == c["q"] for c in coded)
    return [
        "### Ground, by two readers",
        f"The rater of `claims` is below its floor, so *ground* is not judged above. Instead two readers (language "
        f"models, blind to each other and to who speaks) coded {len(coded):,} turns of simulated sessions (drawn by "
        f"seed, played with seed {coded[0]['seed']}; `tools/written/skills`), for the worst of what each claims of the "
        f"patient; they agree on {agree:,} (the first hand labels {sum(c['p'] == 'none' for c in coded):,} as claiming "
        "nothing). Turns with each verdict, by the first / second; *ground* as defined (share of the turns with a "
        "claim whose claims are all supported, both readers' mean, by patient); and what `socratic` has above it, "
        "paired by the patients both have claims with. `reflector` gives back what it heard and nothing else: where it "
        "has no unsupported claim, nobody can have fewer, so being ahead of *everybody* is out of reach.",
        table(["therapist", "turns", *claims, "ground", "socratic above it"], rows),
    ]


def _therapist_of(coded: Mapping[str, Any]) -> str:
    return str(coded["ref"]).split("/")[0].removesuffix(".v1")


def _shares_supported(coded: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """Return, by therapist and patient, the share of turns with a claim that is borne out; both readers' mean."""
    values: dict[str, dict[str, list[float]]] = {}
    for c in coded:
        of = values.setdefault(_therapist_of(c), {})
        claims = [float(c[hand] == "supported") for hand in "pq" if c[hand] != "none"]
        of.setdefault(str(c["ref"]).split("/")[2], []).extend(claims)
    return {t: {p: float(np.mean(v)) for p, v in of.items() if v} for t, of in values.items()}


def _taken() -> list[str]:
    """Return what is known of the ear for how a reply would be taken."""
    about = document_of("turnwise.therapists", "tact.json")["about"]["cases_held_out"]
    turns, said, chosen, best = (about["choosing"][n] for n in ("turns", "said", "chosen", "best_judged"))
    return [
        "### How a reply would be taken",
        f"Language models, told to judge as critical supervisors would, judged {about['replies']:,} replies of whole "
        "sessions, said and possible, as fitting, weak or wrong (`tools/written/tact`). Two logistic models of a "
        "reply's act, frame, quotation and setting say how likely a reply is to be minded (`python "
        "tools/fit_tact.py`); what that is expected to cost is taken from the worth of an act "
        f"(weight {TACT}) and decides between its lines. "
        f"With whole cases held out: area under the curve for *wrong* {about['auc_wrong'][0]} "
        f"[{about['auc_wrong'][1]}, {about['auc_wrong'][2]}], for *not fitting* {about['auc_not_fitting'][0]} "
        f"[{about['auc_not_fitting'][1]}, {about['auc_not_fitting'][2]}]. At {turns:,} turns with several judged "
        f"replies, {said['wrong']:.1%} of what was said was wrong, {chosen['wrong']:.1%} of what the ear alone would "
        f"choose, and {best['wrong']:.1%} of the best. Two judges of the same reply said the same in "
        f"{about['judges_agree']['same']:.0%}. It is an ear of the therapist's: no rater, no measure, no clinician. "
        "What blind readers make of whole sessions stands in [the page on readings](socratic-reading.md).",
    ]


def _voiced() -> list[str]:
    """Return what is known of the ear for voiced thoughts."""
    about = document_of("turnwise.therapists", "voiced_thoughts.json")["about"]["voices_held_out"]
    low, nets = about["at_false_alarms"]["0.02"], about["nets_alone"]
    return [
        "### Which words voice a thought",
        f"In {about['turns']:,} written turns language models marked the words one could quote back and examine "
        f"({about['with_a_thought']:,} turns have some; `tools/written/thoughts.jsonl`). A logistic model of a "
        "clause's form and vectors (`python tools/fit_voiced_thoughts.py`) tells these clauses from others with an "
        f"area under the curve of {about['auc'][0]} [{about['auc'][1]}, {about['auc'][2]}], whole voices held out; "
        f"where it hears one in 2 % of the turns without, it hears {low['recall']:.0%} of those that are there "
        f"(the nets of forms alone: {nets['recall']:.0%}, with {nets['false_alarms']:.1%} false). It is asked where "
        "nets are silent, at high thresholds: most thoughts, those told as pictures above all, are still missed.",
    ]


def _foreign(found: Mapping[str, Any]) -> list[str]:
    families = found["foreign"]
    names = [n for n in families["stateful"] if isinstance(families["stateful"][n], dict)]
    rows = [
        [
            f"`{family}`",
            *(f"{of[n]['conviction_fall']:+.3f} / {of[n]['trust']:.2f}" for n in names),
            of["first"],
            of["order"],
        ]
        for family, of in families.items()
    ]
    return [
        "## Foreign patients",
        "Fall of conviction over a session / trust at its end, by family of patients (`stateful` is the "
        "default; `low`, "
        "`high`, `drawn`: every size at an end of its range, or drawn; `fitted`: moves learnt from human transcripts; "
        "`contrary_*` break one principle each; `paraphrased`: other words, same state), the therapist under whom "
        "conviction falls most, and Kendall's τ of the order of therapists with that in the default family.",
        table(["family", *names, "first", "τ"], rows),
    ]


def _perturbed(found: Mapping[str, Any]) -> list[str]:
    of = found["perturbed"]
    most = of["error_moved_most"]
    rows = [[f"`{r['size']}` × {r['by']}", r["tau_trust"], r["tau_conviction"], r["error_moved"], r["of"]]
            for r in of["most_disordered"]]  # fmt: skip
    # Somebody else first and yet the order of the unchanged world: then somebody else is first there too.
    if any(r["tau_conviction"] == 1.0 for r in of["not_first"]):
        lost = "in the unchanged world of these four sessions somebody else comes first as well"
    else:
        lost = "not in: " + (", ".join(f"`{r['size']}` × {r['by']}" for r in of["not_first"]) or "none")
    return [
        "### Each constant a fifth up and down",
        f"{of['n_sizes']} sizes of change, each × 0.8 and × 1.2 alone: {of['n_worlds']} worlds, the same seeds "
        f"in each, "
        f"patients {', '.join(of['cases'])}. Conviction falls most under `socratic` in {of['first_on_conviction']} of "
        f"{of['n_worlds']} ({lost}). Kendall's τ of the order of six therapists with that of the unchanged "
        f"world: by trust at least {of['tau_trust']['least']}, median {of['tau_trust']['median']}; by conviction at "
        f"least {of['tau_conviction']['least']}, median {of['tau_conviction']['median']} (many therapists are "
        f"tied at no "
        f"change at all). The tracker's mean error moves most with `{most['size']}` × {most['by']}: "
        f"{most['error_moved']:+.3f} ({most['of']}). The five worlds whose order by trust changes most:",
        table(["size", "τ trust", "τ conviction", "tracker error moves by at most", "of"], rows),
    ]


def _ears(found: Mapping[str, Any]) -> list[str]:
    rows, notes = [], []
    names = sorted(found["other_ears"]["false_feeling"]["rates"])
    kinds = [k for k, of in found["other_ears"].items() if "rates" in of]
    for n in names:
        cells = [found["other_ears"][k]["rates"].get(n) for k in kinds]
        rows.append([f"`{n}`", *("–" if c is None else f"{c[0]:.3f} → {c[1]:.3f}" for c in cells)])
    for kind, of in found["other_ears"].items():
        if "rates" not in of:
            notes.append(f"{kind}: no reading, the rater is below its floor")
        elif of["tau"] is None:
            notes.append(f"{kind}: nobody differs")
        else:
            notes.append(f"{kind}: τ {of['tau'][1]} ({of['tau'][0]} to {of['tau'][2]})")
    own = [
        [name, f"{x['conviction_fall']:+.3f}", x["trust"], *(x.get("errors", {}).get(v, "–") for v in _SHOWN), x["n"]]
        for name, x in found["own_ear"].items()
    ]
    return [
        "## Other ears",
        "What must not be done, read by the skill raters of the run (the validator has ears of its own) and, "
        "for feelings "
        "read in, by the patients' own record of what their case holds. Share of turns; behind the arrow the "
        "same share "
        "when a fifth of the readings are wrong (flipped at random, mean of twenty draws). With such readers a rate of "
        "nothing reads as a fifth, and differences shrink to 60 %: rare faults cannot be ordered by them. "
        "Kendall's τ of "
        f"the order with the order before (median, 5 % to 95 % of draws): {'; '.join(notes)}.",
        table(["therapist", *kinds], rows),
        "*Raw*: the rater of claims is below its floor (`readers.md`), and a run withholds its verdicts; these are "
        "what it would have said. Whoever only gives words back contradicts nobody: what the parrot gets is the "
        "rater's own error, and nothing near it is worth a thought.",
        "And the controller itself, when a fifth of what it hears has the meaning of another turn:",
        table(
            ["therapist", "fall of conviction", "trust at the end", "error: conviction", "error: bond", "sessions"], own
        ),
    ]


def _edge(found: Mapping[str, Any]) -> list[str]:
    edge = found["edge"]
    strongest = sorted(edge["signs"].items(), key=lambda x: (-abs(x[1]["correlation"]), x[0]))[:8]
    time, unasked, signs = (edge[name] for name in ("by_the_turn_alone", "by_signs_unasked", "by_all_signs"))
    return [
        "## What a patient shows of the edge",
        "`calibrate` judges a challenge by a number inside the patient: the room up to its working edge. It comes with "
        f"as much trust as the seed gives it (standard deviation {SIZES['arrives'].value}), so the edge has to be "
        "found out each time. How "
        f"much of it shows? {edge['turns']:,} turns of {edge['sessions']} sessions of an exploring therapist with the "
        f"default patients, {edge['ready']:.0%} of them ready. Correlation of each sign that the tracker hears with "
        "the edge, within a patient, what the number of the turn explains taken out; the eight strongest:",
        table(("sign", "turns", "correlation"), [[f"`{n}`", x["turns"], x["correlation"]] for n, x in strongest]),
        "`here` is what is answered to how the talk is for somebody (act `check_in`): the alliance is asked for, as in "
        "routine monitoring (Lambert & Shimokawa 2011), and told with some error. `taken_up` is what becomes of a "
        "challenge, by which TCCS knows the zone. How patients speak otherwise (length, hesitation, kinds of talk) is "
        "drawn from human tables that know no trust.",
        f"A logistic model taught with the truth beside it, and asked about patients that it never saw, tells who is "
        f"ready with AUC {time['auc']} by the number of the turn alone, {unasked['auc']} by that and every sign that "
        f"comes unasked, {signs['auc']} with what was answered to the question too. Always to support earns "
        f"{edge['always_support']} on these turns; who challenges where that pays by these models, {time['value']}, "
        f"{unasked['value']} and {signs['value']}. So without asking there is little to know, and whoever never "
        "challenges is hardly ever wrong: support earns half where a challenge could have been borne (a definition of "
        "the skill). The controller asks when the answer is expected to teach enough about the edge, and then takes a "
        "gentle or a bold act for what is to be met: `ask_view` or `ask_other_view`, `consolidate` or `test_insight`, "
        "`attend` or `ask_other_view`.",
    ]


def _figures(of: Mapping[str, Any]) -> list[list[object]]:
    return [
        [name, x["correlation"], x["mean_absolute_error"], f"{x['brier']} ({x['brier_of_frequencies']})",
         f"{x['said']:.2f} → {x['covered']:.2f}", x["n"]]
        for name, x in of.items()
    ]  # fmt: skip


def _beliefs(found: Mapping[str, Any]) -> list[str]:
    head = ["variable", "r", "mean error", "Brier (of frequencies)", "set said → covered", "turns"]
    parts = [
        "## Tracked beliefs against the truth",
        "Levels in bands at every patient turn: correlation of the expected level with the true one, mean "
        "absolute error, "
        "Brier score over bands (in brackets: that of the frequencies, which know the answers' distribution "
        "beforehand), "
        "and the smallest set of bands said to hold 80 % or more against how often it did.",
    ]
    for family, of in found["beliefs"].items():
        parts += [f"### The shipped tables, patients of `{family}`", table(head, _figures(of))]
    parts.append(
        "### Learnt from one family only, judged in another\n\nOther cases and another seed too. Where a family moves "
        "the other way (alliance in `fitted` falls with time as it does in the human transcripts' counts), "
        "tables of one "
        "are wrong about the other, and say so too surely."
    )
    for pair, of in found["held_apart"].items():
        parts += [f"#### {pair}", table(head, _figures(of))]
    return parts
