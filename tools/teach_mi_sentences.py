"""Make the teacher's labels again: a fine-tuned transformer reads sentences that nobody has coded.

    /path/to/venv/bin/python tools/teach_mi_sentences.py DATA_DIR MODEL_DIR WORK_DIR

An extra that no test and no other script runs: torch 2.13.0 (CPU), transformers 5.23.0, and in MODEL_DIR the
files of all-MiniLM-L6-v2 (Apache-2.0; see teacher/README.md). Some fifty minutes on one core. What is made on
the way lies in WORK_DIR and is not made twice; at the end the labels lie there too, as mi_sentences.npz, and
the teachers' own figures are printed. Sums in bfloat16 differ between processors: on another one the labels
will differ a little, and the coder fitted on them too.

First the encoder is tuned on what other corpora say of a turn (AnnoMI, ESConv, EPITOME, BOLT, less every text
that shares six words in a row with an MI sentence). From there one teacher is tuned for each fit of the coder,
that of fold k without fold k: three seeds on the coded sentences, and one on those and on the sentences
written for this project. The label of a sentence is the mean of the two, half and half.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch  # type: ignore[import-not-found,unused-ignore]
from torch import nn

from fit_sentence_coders import Labelled, folds_of, labelled
from sentence_heads import Source, sources
from sentence_specs import SPECS, Spec
from sentence_teacher import FITS, packed, plain, pool_of, sha256_of_pool, shingles
from turnwise.core.nouns import FloatArray
from turnwise.engine.coder_figures import Coded, figure
from written_examples import records

BOLT = Path("bolt") / "behaviour_sentences.csv.gz"
LONGEST = 96
WIDTH = 384
BASE_SEED, BASE_EPOCHS, BASE_BATCH = 0, 3, 32
BASE_WEIGHTS = {"annomi": 1.0, "esconv": 1.0, "epitome": 0.7, "bolt": 0.7}
EXCLUSIVE = "esconv"  # its labels exclude each other; those of the others do not
EPOCHS, BATCH, RATE, RARE = 6, 24, 8e-5, -0.5
GUESSED = 0.5
"""Share of a target that the published classifier's guess gets, as in the coder's own fit."""
TEACHERS = {"coded": ((1, 2, 3), 0.0), "coded_and_written": ((1,), 0.5)}
"""Seeds of each teacher, and the weight of a written sentence."""
FULL = 9
"""Where a fold's number stands in a seed, this stands for the fit on all of them."""
Tokens = list[list[int]]
Ints = npt.NDArray[np.int64]


class Net:
    """An encoder, the mean of its tokens, and one linear head for each task."""

    def __init__(self, folder: Path, heads: dict[str, int], state: Any = None) -> None:
        from transformers import AutoModel  # type: ignore[import-not-found,unused-ignore]

        self.encoder = AutoModel.from_pretrained(
            str(folder), attn_implementation="eager", add_pooling_layer=False, local_files_only=True
        )
        if state is not None:
            self.encoder.load_state_dict(state)
        for p in self.encoder.embeddings.parameters():
            p.requires_grad = False
        self.heads = nn.ModuleDict({k: nn.Linear(WIDTH, n) for k, n in heads.items()})
        self.drop = nn.Dropout(0.1)
        self.all = nn.ModuleList([self.encoder, self.heads, self.drop])

    def pooled(self, tokens: Tokens) -> Any:
        """Return the mean of the tokens of each text."""
        n = max(map(len, tokens))
        x, there = torch.zeros(len(tokens), n, dtype=torch.long), torch.zeros(len(tokens), n, dtype=torch.long)
        for i, row in enumerate(tokens):
            x[i, : len(row)], there[i, : len(row)] = torch.tensor(row), 1
        with torch.autocast("cpu", torch.bfloat16):
            hidden = self.encoder(input_ids=x, attention_mask=there).last_hidden_state
        hidden, weight = hidden.float(), there[..., None].float()
        return (hidden * weight).sum(1) / weight.sum(1)

    def scores(self, tokens: Tokens, head: str) -> Any:
        """Return the scores of a head, with drop-out if the net is being trained."""
        return self.heads[head](self.drop(self.pooled(tokens)))

    def probabilities(self, tokens: Tokens, head: str) -> FloatArray:
        """Return the softmax of a head, (n, L)."""
        self.all.eval()
        order = sorted(range(len(tokens)), key=lambda i: len(tokens[i]))
        out = np.zeros((len(tokens), self.heads[head].out_features))
        with torch.no_grad():
            for start in range(0, len(order), 64):
                at = order[start : start + 64]
                out[at] = self.scores([tokens[i] for i in at], head).numpy()
        return np.asarray(torch.tensor(out).softmax(1).numpy())

    def optimiser(self, rates: tuple[float, float], n_steps: int, warm: int) -> tuple[Any, Any]:
        """Return AdamW over encoder and heads, and its schedule: up for ``warm`` steps, then down to nothing."""
        tuned = [p for p in self.encoder.parameters() if p.requires_grad]
        groups = [{"params": tuned, "lr": rates[0]}, {"params": self.heads.parameters(), "lr": rates[1]}]
        found = torch.optim.AdamW(groups, weight_decay=0.01)
        return found, torch.optim.lr_scheduler.LambdaLR(found, lambda i: min((i + 1) / warm, 1 - i / n_steps))

    def step(self, loss: Any, optimiser: Any, schedule: Any) -> None:
        """Take one step down the loss."""
        loss.backward()
        nn.utils.clip_grad_norm_(self.all.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        optimiser.zero_grad()


def batches(tokens: Tokens, size: int, rng: np.random.Generator) -> list[Ints]:
    """Return all rows in batches of like length, in random order."""
    order, out = rng.permutation(len(tokens)), []
    for start in range(0, len(order), size * 20):
        part = np.array(sorted(order[start : start + size * 20], key=lambda i: len(tokens[i])))
        out += [part[i : i + size] for i in range(0, len(part), size)]
    return [out[i] for i in rng.permutation(len(out))]


@dataclass(frozen=True)
class Recipe:
    """What every step needs: the folders, the coder's spec, and the coded sentences."""

    data: Path
    model: Path
    work: Path
    spec: Spec
    coded: Labelled

    def tokens(self, texts: Iterable[str]) -> Tokens:
        """Return the word pieces of each text, cut off after 96."""
        from transformers import AutoTokenizer

        found = AutoTokenizer.from_pretrained(str(self.model), local_files_only=True)
        rows = found(list(texts), truncation=True, max_length=LONGEST)["input_ids"]
        return [row[:LONGEST] for row in rows]

    @property
    def texts(self) -> list[str]:
        """The coded sentences."""
        return [w.turn.text for w in self.coded.windows]


def bolt(data: Path) -> Source:
    """Return the distinct therapist texts of BOLT with all their behaviours."""
    with gzip.open(data / BOLT, "rt", encoding="utf-8", newline="") as file:
        rows = [r for r in csv.DictReader(file) if r["speaker"] == "therapist"]
    names, held = sorted({r["label"] for r in rows}), dict[str, FloatArray]()
    for r in rows:
        held.setdefault(r["text"], np.zeros(len(names)))[names.index(r["label"])] = 1.0
    return Source(list(held), np.array(list(held.values())))


def unseen(source: Source, texts: Sequence[str]) -> Source:
    """Return what of a source shares no six words in a row with one of ``texts`` of four words or more."""
    known = {s for t in texts if len(plain(t).split()) >= 4 for s in shingles(t)}
    keep = [i for i, t in enumerate(source.texts) if not shingles(t) & known]
    return Source([source.texts[i] for i in keep], source.held[keep])


def tuned_on_others(r: Recipe) -> Any:
    """Return the encoder's state after three epochs on what other corpora say of a turn."""
    path = r.work / "base.pt"
    if path.is_file():
        return torch.load(path)
    torch.manual_seed(BASE_SEED)
    rng = np.random.default_rng(BASE_SEED)
    tasks = {k: unseen(s, r.texts) for k, s in (sources(r.data) | {"bolt": bolt(r.data)}).items()}
    net = Net(r.model, {k: s.held.shape[1] for k, s in tasks.items()})
    tokens = {k: r.tokens(s.texts) for k, s in tasks.items()}
    target = {k: torch.tensor(s.held, dtype=torch.float32) for k, s in tasks.items()}
    plan: list[tuple[str, Ints]] = []
    for _ in range(BASE_EPOCHS):
        steps = [(k, b) for k in tasks for b in batches(tokens[k], BASE_BATCH, rng)]
        plan += [steps[i] for i in rng.permutation(len(steps))]
    optimiser, schedule = net.optimiser((8e-5, 1e-3), len(plan), 100)
    for i, (k, at) in enumerate(plan):
        net.all.train()
        z, y = net.scores([tokens[k][j] for j in at], k), target[k][at.tolist()]
        if k == EXCLUSIVE:
            loss = -(y * z.log_softmax(1)).sum(1).mean()
        else:
            loss = nn.functional.binary_cross_entropy_with_logits(z, y) * 4
        net.step(BASE_WEIGHTS[k] * loss, optimiser, schedule)
        if i % 100 == 0:
            print(f"base: step {i} of {len(plan)}, {k} {loss.item():.3f}", flush=True)
    torch.save(net.encoder.state_dict(), path)
    return net.encoder.state_dict()


def lessons(r: Recipe, rows: Ints, written: float) -> tuple[list[str], FloatArray, FloatArray]:
    """Return the texts, targets and weights that a teacher is tuned on."""
    gold, target = r.coded.gold, r.coded.target  # the target already has the published guess at its share
    share = gold[rows].mean(axis=0).clip(1e-3)
    weight = share[gold[rows].argmax(axis=1)] ** RARE
    texts, said, weight = [r.texts[i] for i in rows], target[rows], weight / weight.mean()
    if written:
        more = [x for x in records("mi_sentences.jsonl") if x["label"] in r.spec.labels]
        texts += [x["text"] for x in more]
        said = np.concatenate([said, np.eye(len(r.spec.labels))[[r.spec.labels.index(x["label"]) for x in more]]])
        weight = np.concatenate([weight, np.full(len(more), written)])
    return texts, said, weight


def teacher(r: Recipe, base: Any, rows: Ints, seed: int, written: float) -> Net:
    """Return a net tuned on the coded sentences ``rows``."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = Net(r.model, {r.spec.item: len(r.spec.labels)}, base)
    texts, said, weights = lessons(r, rows, written)
    tokens = r.tokens(texts)
    y, weight = torch.tensor(said, dtype=torch.float32), torch.tensor(weights, dtype=torch.float32)
    plan = [b for _ in range(EPOCHS) for b in batches(tokens, BATCH, rng)]
    optimiser, schedule = net.optimiser((RATE, 2e-3), len(plan), 30)
    for b in plan:
        net.all.train()
        at = b.tolist()
        z = net.scores([tokens[j] for j in at], r.spec.item)
        net.step((-(y[at] * z.log_softmax(1)).sum(1) * weight[at]).mean(), optimiser, schedule)
    return net


def reading(r: Recipe, pool: Sequence[str], name: str, seed: int, k: int) -> FloatArray:
    """Return what the teacher of one fit says of the pool and, after it, of the coded sentences."""
    path = r.work / f"{name}-{seed}-{FITS[k]}.npy"
    if not path.is_file():
        rows = np.flatnonzero(r.coded.fold != k)  # no row has the number of the full fit: it keeps all
        place = FULL if FITS[k] == "full" else k
        net = teacher(r, tuned_on_others(r), rows, seed * 10 + place, TEACHERS[name][1])
        np.save(path, net.probabilities(r.tokens([*pool, *r.texts]), r.spec.item).astype(np.float32))
        print(f"made {path.name}", flush=True)
    return np.asarray(np.load(path), dtype=np.float64)


def figures(r: Recipe, name: str, p: FloatArray) -> str:
    """Return how well a teacher itself reads, out of fold; ``p`` is by fit, for the coded sentences."""
    out = np.array([p[k, i] for i, k in enumerate(r.coded.fold.tolist())])
    gold, said = (np.asarray(x.argmax(axis=1), dtype=np.int64) for x in (r.coded.gold, out))
    coded = Coded(r.spec.labels, "one", gold, said, out, r.coded.group)
    return f"{name}: accuracy {figure(coded.accuracy())}, macro-F1 {figure(coded.macro_f1())}"


def main(argv: Sequence[str] | None = None) -> int:
    """Tune, read, and store the labels."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("data", "model", "work"):
        parser.add_argument(name, type=Path)
    asked = parser.parse_args(argv)
    asked.work.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    (spec,) = (s for s in SPECS if s.taught)
    ts = spec.corpus.load(asked.data / spec.corpus.file)
    r = Recipe(asked.data, asked.model, asked.work, spec, labelled(spec, ts, folds_of(spec, ts)))
    pool = pool_of(r.data, r.texts)
    means = []
    for name, (seeds, _) in TEACHERS.items():
        said = np.mean([[reading(r, pool, name, s, k) for k in range(len(FITS))] for s in seeds], axis=0)
        print(figures(r, name, said[:, len(pool) :]), flush=True)
        means.append(said)
    mean = np.mean(means, axis=0)
    print(figures(r, "half and half", mean[:, len(pool) :]))
    labels = packed(mean[:, : len(pool)])
    np.savez_compressed(asked.work / "mi_sentences.npz", labels=labels, pool_sha256=sha256_of_pool(pool))
    return 0


if __name__ == "__main__":
    sys.exit(main())
