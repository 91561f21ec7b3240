"""Fit what the ear for danger adds from words (a linear head over n-grams beside the transformer), and the threshold.

    python tools/fit_danger_words.py [--data DATA_DIR]

After ``tools/fit_danger_ear.py``, whose model it reads with. Everything in ``tools/written/danger`` and ordinary turns
written for other coders. The scale comes from two authors who are in neither fit (``HELD``); the threshold is the
higher of two: a tenth of their look-alikes, and three in a hundred client turns in DATA_DIR (every other session; those
of ``danger_figures.py`` may be the same). Without DATA_DIR the threshold stays. Then the head is fitted once more with
all authors. A minute or two; the same numbers again.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from danger_lines import HELD, KIND_OF, Line, lines_in, ordinary
from turnwise.core.nouns import FloatArray
from turnwise.reading.ears.danger import pieces_of, transformer_logit
from turnwise.reading.package_data import sha256_of
from turnwise.reading.terms import END, START, tokens_of

HERE = Path(__file__).parent
LINES = HERE / "written" / "danger"
SHIPS = HERE.parent / "src" / "turnwise" / "reading" / "ears" / "danger_data"
ORDINARY, LIGHT, STRENGTH, WEIGHT = 9000, 0.25, 20.0, 2.0
LOOK_ALIKES, PEOPLE = 0.10, 0.03
SCALE_STRENGTH = 1e4


def marked(text: str) -> list[str]:
    return [START, *tokens_of(text), END]


def fitted(lines: list[Line], plain: list[Line]) -> tuple[TfidfVectorizer, LogisticRegression]:
    terms = TfidfVectorizer(
        tokenizer=marked, token_pattern=None, lowercase=False, ngram_range=(1, 3), min_df=2, sublinear_tf=True
    )
    x = terms.fit_transform([line.text for line in (*lines, *plain)])
    y = np.array([line.label > 0 for line in (*lines, *plain)])
    weight = np.r_[np.ones(len(lines)), np.full(len(plain), LIGHT)]
    return terms, LogisticRegression(C=STRENGTH, max_iter=3000).fit(x, y, sample_weight=weight)


def joined(texts: list[str], terms: TfidfVectorizer, model: LogisticRegression) -> FloatArray:
    """Return the sum of both logits for each text: the greatest over its pieces."""
    found = []
    for text in texts:
        pieces = pieces_of(text)
        words = model.decision_function(terms.transform(pieces))
        found.append(max(transformer_logit(x) + WEIGHT * float(w) for x, w in zip(pieces, words, strict=True)))
    return np.array(found)


def client_turns(data: Path) -> list[str]:
    texts = []
    for name in ("annomi", "esconv"):
        with gzip.open(data / name / "dialogues.jsonl.gz", "rt", encoding="utf-8") as file:
            sessions = [json.loads(line) for line in file][1::2]
        own = [t["text"] for s in sessions for t in s["turns"] if t["speaker"] == "client" and t["text"].strip()]
        texts += own[:: max(1, len(own) // 1500)]
    return texts


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--data", type=Path)
    given = arguments.parse_args()
    card_at = SHIPS / "card.json"
    card = json.loads(card_at.read_text(encoding="utf-8"))
    card["sha256"] = {name: sha256_of((SHIPS / name).read_bytes()) for name in card["sha256"]}
    card_at.write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    lines = lines_in(list(LINES.glob("train_*.tsv")))
    every = ordinary()
    chosen = np.random.default_rng(0).permutation(len(every))[:ORDINARY]
    plain = [every[int(i)] for i in chosen]
    held = [line for line in lines if line.author in HELD]
    terms, model = fitted([line for line in lines if line.author not in HELD], plain)
    z, gold = joined([line.text for line in held], terms, model), np.array([line.label > 0 for line in held])
    scale = LogisticRegression(C=SCALE_STRENGTH).fit(z[:, None], gold)
    slope, shift = float(scale.coef_[0, 0]), float(scale.intercept_[0])
    p = 1.0 / (1.0 + np.exp(-(slope * z + shift)))
    limits = [float(np.quantile(p[~gold], 1.0 - LOOK_ALIKES))]
    if given.data:
        people = joined(client_turns(given.data), terms, model)
        near = 1.0 / (1.0 + np.exp(-(slope * people + shift)))
        limits.append(float(np.quantile(near, 1.0 - PEOPLE)))
    at = round(max(limits), 3)
    suicidal = np.array([KIND_OF.get(line.sort) == "self" for line in held])
    for limit in (*limits, at):
        heard, taken = p >= limit, float(np.mean(near >= limit)) if given.data else float("nan")
        print(
            f"from {limit:.3f}: recall {heard[gold].mean():.3f}, suicidal {heard[suicidal].mean():.3f}, look-alikes "
            f"{heard[~gold].mean():.3f}, people's turns {taken:.3f}"
        )
    terms, model = fitted(lines, plain)
    document: dict[str, Any] = {
        "terms": terms.get_feature_names_out().tolist(),
        "idf": [round(float(x), 4) for x in terms.idf_],
        "weights": [round(float(x), 4) for x in model.coef_[0]],
        "bias": round(float(model.intercept_[0]), 4),
        "weight": WEIGHT,
        "slope": round(slope, 4),
        "shift": round(shift, 4),
    }
    (SHIPS / "words.json").write_text(json.dumps(document), encoding="utf-8")
    card["heard_from"] = at if given.data else card.get("heard_from", at)
    card_at.write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
