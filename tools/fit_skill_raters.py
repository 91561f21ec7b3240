"""Fit the skill raters and the second reader on written examples; measure them on hands that trained neither.

    OMP_NUM_THREADS=1 python tools/fit_skill_raters.py DATA_DIR [--check]

Examples: ``tools/written/skills/HAND.jsonl``. Which hands train which set and which only test stands in ``SETS``.
DATA_DIR gives the real turns that readers coded (the files hold their labels, never the text). With --check nothing
is written and the exit code says whether a refit gives, byte for byte, what ships.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from coded_turns import FOR_SECOND, SIMULATED, TRAINING, Coding, coded_once, codings, figures_on_real, window_of_coded
from coder_cards import card_of
from evidence import Evidence
from fit_turn_coders import length_only
from pair_fit import tfidf_floor
from refitting import as_json, command_line
from skill_examples import FOLDER, Example, examples, of_item, window_of
from skill_fit import Fitted, Taught, coded_weight, fit_heads, taught_by
from turnwise.engine.coder_figures import as_indices, figure
from turnwise.engine.corpora.corpus import Corpus
from turnwise.reading.cards import Card, Figure
from turnwise.reading.skill_coder import Seen, SkillHeads, SkillItemCoder, pack_skills
from turnwise.reading.skill_items import SKILL_ITEMS
from turnwise.stats.classification import macro_f1, tally

COMMAND = "OMP_NUM_THREADS=1 python tools/fit_skill_raters.py DATA_DIR"
FLOOR = 0.80
"""Macro-F1 on examples by other hands below which an item, and in it a label, is undetermined."""
SHORT = 0.10
"""How much less a rater may agree with the coders of turns than they do with each other."""
READERS = "two language models that coded the turns independently by the same written definitions"
Ints = npt.NDArray[np.int64]
SCOPE = (
    "English turns of therapy and support conversations, of at most some 200 words. An item that judges a reply to one "
    "kind of moment means nothing after another kind."
)
WEIGHTING = (
    "labels weigh the same in written examples and in coded turns, a coded turn {:g} of an example on average; "
    "the temperature (at least 1) comes from whole hands held out"
)


@dataclass(frozen=True)
class SetSpec:
    """One set of raters: file name, features, bundle, who trained it and who only tests it."""

    name: str
    seen: Seen
    bundle: str
    hands: tuple[str, ...]
    suffix: str
    test: tuple[str, ...]
    coded: Path
    """The turns that one reader coded, which it is fitted on too; none is in both sets."""

    @property
    def corpus(self) -> Corpus:
        """What its cards measure on."""
        return Corpus(
            name="skill_examples",
            title=f"written skill examples, hand {' and '.join(self.test)}",
            file="tools/written/skills",
            source="invented for this project; hands that trained nothing of this set",
            licence="this project's own",
            bundle="open",
            load=lambda path: (),
            gold={},
            group_of=lambda t: t.session_id,
        )


FROM = {
    TRAINING: "turns of simulated sessions and of open data (llms_as_therapists and counsel_chat, both MIT)",
    FOR_SECOND: "turns of simulated sessions",
}
"""Where the turns that one reader coded come from."""
SETS: tuple[SetSpec, ...] = (
    SetSpec("skills.v1", "said", "open", (*"abcdefkmnopqr",), "", (*"gijstu",), TRAINING),
    SetSpec("skills_second.v1", "terms", "second", (*"ijlst",), "_second", (*"gu",), FOR_SECOND),
)
"""No example, no coded turn and no embedding is in both sets; ``g`` and ``u`` train neither."""


def evidence(spec: SetSpec, item: str, heads: SkillHeads, temperature: float, trained: Sequence[Example]) -> Evidence:
    """Return what the card of an item says: measured on examples of hands that trained nothing of its set."""
    about, coder = SKILL_ITEMS[item], SkillItemCoder(item, heads)
    tested = of_item(examples(*spec.test), item)
    windows = tuple(window_of(e) for e in tested)
    p = coder.read(windows)
    floor, length = floors(of_item(trained, item), tested, about.labels)
    used = [f"tools/written/skills/{h}.jsonl" for h in spec.hands]
    used += [f"tools/written/skills/{spec.coded.name} ({FROM[spec.coded]}; coded by one language model)"]
    return Evidence(
        name=f"{item}{spec.suffix}.v1", item=item, side="raters", kind="one", labels=about.labels, reads=about.speaker,
        definition=about.definition, corpus=spec.corpus, data_sha256=sha256_of_examples(spec.test), windows=windows,
        gold=np.array([about.labels.index(e.label) for e in tested], dtype=np.int64),
        group=np.array([f"{e.hand}{-e.pair if e.pair else i}" for i, e in enumerate(tested)]), p=p,
        decided=as_indices(coder.decide(p), about.labels, "one"), floor=floor, length=length, read=coder.read,
        decide=coder.decide, sha256=heads.sha256, fit_command=COMMAND, weighting=WEIGHTING.format(coded_weight(item)),
        validation=f"fitted on hands {', '.join(spec.hands)}; measured on {', '.join(spec.test)}, who wrote blind",
        scope=SCOPE, bundle=spec.bundle,
        licence=f"Fitted on examples written for this project, and on coded {FROM[spec.coded]}; any use.",
        written_or_observed="written", temperature=temperature, extra_data=tuple(used),
    )  # fmt: skip


def floors(own: Sequence[Example], tested: Sequence[Example], labels: Sequence[str]) -> tuple[Ints, Ints]:
    """Return what TF-IDF and length alone say of the test examples when fitted on the same written ones."""
    texts = [e.text for e in (*own, *tested)]
    gold = np.array([labels.index(e.label) for e in (*own, *tested)], dtype=np.int64)
    fold: Ints = np.repeat([0, 1], [len(own), len(tested)])
    found = tfidf_floor([(t,) for t in texts], gold, fold, len(labels), c=2.0)
    return found[len(own) :], length_only(texts, gold, fold, len(labels))[len(own) :]


def sha256_of_examples(hands: Sequence[str]) -> str:
    """Return the hash of what some hands wrote."""
    return hashlib.sha256(b"".join((FOLDER / f"{h}.jsonl").read_bytes() for h in hands)).hexdigest()


def held_out_f1(item: str, f: Fitted, t: Taught) -> Figure:
    """Return macro-F1 on everything that taught the item, each hand read by weights that saw nothing of it."""
    found = tally(t.y, f.held_out.argmax(axis=1), t.hands, len(SKILL_ITEMS[item].labels))
    return figure(macro_f1(found, rng=20_261_121), "hand")


def on_coded(
    item: str, heads: SkillHeads, found: Sequence[Coding], data: Path, known: frozenset[str]
) -> dict[str, Any] | None:
    """Return how far coders agree on turns, and the rater with them (``coded_turns.figures_on_real``).

    ``known`` are patient turns that the rater was fitted on: where patients are read, they are left out.
    """
    coder, speaker = SkillItemCoder(item, heads), SKILL_ITEMS[item].speaker
    windows = [window_of_coded(data, c, speaker) for c in found]
    kept = [i for i, w in enumerate(windows) if speaker == "therapist" or w.turn.text not in known]
    decided = coder.decide(coder.read([windows[i] for i in kept]))
    return figures_on_real(item, [found[i] for i in kept], decided)


def unsure(labels: Sequence[str], macro: float, found: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Return the labels that are undetermined in use: all of an item, or none.

    All where the item is below the floor on written examples, or agrees with the coders of turns by more than ``SHORT``
    less than they do with each other. Never some: where one answer is withheld and another given, what is left
    says more about the reader than about the turn.
    """
    below = macro < FLOOR or (found is not None and found["short"].value > SHORT)
    return tuple(labels) if below else ()


def card(spec: SetSpec, e: Evidence, own: tuple[Fitted, Taught], on: Mapping[str, dict[str, Any] | None]) -> Card:
    """Return the card of an item; ``on`` holds the figures on real and on simulated turns."""
    extra: dict[str, Any] = {"macro-F1 on what taught it, each hand held out": held_out_f1(e.item, *own)}
    for what, found in on.items():
        if found is not None:
            names = f"{what} turns; {', '.join(found['labels'])}"
            extra[f"macro-F1 between two readers ({names})"] = figure(found["coders"], "turn")
            extra[f"macro-F1 of this rater with them ({names})"] = figure(found["rater"], "turn")
    real = on["real"]
    if real is not None:
        ceiling = {"source": READERS, "macro_f1": round(real["coders"].value, 4), "n": real["n"], "note": "real turns"}
        e = replace(e, ceiling=ceiling)
    content = card_of(replace(e, extra_figures=extra))
    macro = content["macro_f1_cv"].value
    more = {
        "weights": spec.name,
        "undetermined": unsure(e.labels, macro, real),
        "undetermined_in_simulation": unsure(e.labels, macro, on["simulated"]),
    }
    return Card.model_validate(content | more)


def fit_all(data: Path) -> dict[str, bytes]:
    """Return every file this script makes, by path inside the reading room."""
    out: dict[str, bytes] = {}
    coded = {"real": codings(), "simulated": codings(SIMULATED)}
    for spec in SETS:
        written, turns = examples(*spec.hands), coded_once(spec.coded)
        known = frozenset(window_of_coded(data, c, "patient").turn.text for c in turns if "moment" in c.labels)
        taught = {item: taught_by(item, written, turns, data) for item in SKILL_ITEMS}
        heads, fits = fit_heads(spec.seen, taught)
        out[f"raters/weights/{spec.name}.safetensors"] = pack_skills(heads)
        for item, f in fits.items():
            on = {what: on_coded(item, heads, found, data, known) for what, found in coded.items()}
            e = evidence(spec, item, heads, f.temperature, written)
            made = card(spec, e, (f, taught[item]), on)
            out[f"raters/cards/{e.name}.json"] = as_json(made.model_dump())
            print(_line(made, on), flush=True)
    return out


def _line(made: Card, on: Mapping[str, dict[str, Any] | None]) -> str:
    said = [f"{made.coder:26s} {made.macro_f1_cv}"]
    for what, found in on.items():
        if found is not None:
            said.append(f"{what} {found['rater'].value:.2f} of {found['coders'].value:.2f} (n {found['n']})")
    used = [what for what, low in (("transcripts", made.undetermined), ("simulation", made.undetermined_in_simulation))
            if not low]  # fmt: skip
    return "; ".join([*said, f"in use: {', '.join(used) or 'nowhere'}"])


def main(argv: Sequence[str] | None = None) -> int:
    """Fit and write, or check."""
    return command_line(__doc__ or "", fit_all, argv)


if __name__ == "__main__":
    sys.exit(main())
