"""Fit what hears whether a reply to danger asks about it and points to help: two linear heads over word n-grams.

    python tools/fit_danger_reply.py [--check FILE …]

Replies of ``tools/written/danger_replies`` (columns: asks, help, who, text), one author a file; the regularisation is
chosen by leaving each author out in turn, which is where the printed figures come from. A minute; the same numbers
again.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from turnwise.core.nouns import FloatArray
from turnwise.reading.terms import tokens_of
from written_examples import records

REPLIES = Path(__file__).parent / "written" / "danger_replies"
SHIPS = Path(__file__).parents[1] / "src" / "turnwise" / "reading" / "ears" / "danger_data" / "reply.json"
HEADS = ("asks", "helps")
STRENGTHS = (10.0, 30.0)
LEAST_TEXTS = 3
ABOUT_DANGER = ("risk_reply", "overreaction", "moment")
EVERY = 6  # every how many-th ordinary turn is used


@dataclass(frozen=True)
class Replies:
    """Texts, (n, 2) labels, and the author of each."""

    texts: list[str]
    labels: FloatArray
    author: list[str]


def replies_in(paths: list[Path]) -> Replies:
    texts, labels, author = [], [], []
    for path in sorted(paths):
        for row in path.read_text(encoding="utf-8").splitlines():
            asks, helps, _, text = row.split("\t", 3)
            texts.append(text.strip())
            labels.append([float(asks), float(helps)])
            author.append(path.stem)
    return Replies(texts, np.array(labels), author)


def with_ordinary(found: Replies) -> Replies:
    """Add everyday therapist turns written for other coders: they ask and help with something else."""
    texts = {str(row["text"]) for row in records("therapist_turns.jsonl")}
    for path in sorted((REPLIES.parent / "skills").glob("[a-o].jsonl")):
        for row in records(str(path)):
            if not row.get("source") and row.get("item") not in ABOUT_DANGER and row.get("label") != "risk":
                texts.add(str(row.get("text") or ""))
    some = sorted(x for x in texts if x)[::EVERY]
    labels = np.concatenate([found.labels, np.zeros((len(some), len(HEADS)))])
    return Replies([*found.texts, *some], labels, [*found.author, *(f"ordinary {i % 5}" for i in range(len(some)))])


def vectorizer() -> TfidfVectorizer:
    return TfidfVectorizer(
        tokenizer=tokens_of, token_pattern=None, lowercase=False, ngram_range=(1, 3), min_df=LEAST_TEXTS,
        sublinear_tf=True,
    )  # fmt: skip


def fitted(found: Replies, head: int, strength: float) -> tuple[TfidfVectorizer, LogisticRegression]:
    terms = vectorizer()
    x = terms.fit_transform(found.texts)
    return terms, LogisticRegression(C=strength, max_iter=2000, class_weight="balanced").fit(x, found.labels[:, head])


def some(found: Replies, at: list[int]) -> Replies:
    return Replies([found.texts[i] for i in at], found.labels[at], [found.author[i] for i in at])


def left_out(found: Replies, head: int, strength: float) -> FloatArray:
    p = np.zeros(len(found.texts))
    for who in sorted(set(found.author)):
        train = [i for i, a in enumerate(found.author) if a != who]
        test = [i for i, a in enumerate(found.author) if a == who]
        terms, model = fitted(some(found, train), head, strength)
        p[test] = model.predict_proba(terms.transform([found.texts[i] for i in test]))[:, 1]
    return p


def said(gold: FloatArray, p: FloatArray, at: float) -> str:
    yes, heard = gold > 0, p >= at
    return f"recall {heard[yes].mean():.3f} of {yes.sum()}, false alarms {heard[~yes].mean():.3f} of {(~yes).sum()}"


def threshold(gold: FloatArray, p: FloatArray, ordinary: np.ndarray) -> float:
    """Return the least probability that decides: 8 % of the other replies and 3 % of ordinary turns above it."""
    others = np.quantile(p[(gold == 0) & ~ordinary], 1.0 - 0.08)
    return float(np.ceil(1000 * max(others, np.quantile(p[ordinary], 1.0 - 0.03))) / 1000)


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--check", type=Path, nargs="*", default=[])
    given = arguments.parse_args()
    found = with_ordinary(replies_in(list(REPLIES.glob("reply_*.tsv"))))
    out: dict[str, dict[str, object]] = {"weights": {}, "bias": {}, "from": {}}
    for head, name in enumerate(HEADS):
        gold = found.labels[:, head]
        scores = {c: float(np.mean((left_out(found, head, c) >= 0.5) == (gold > 0))) for c in STRENGTHS}
        best = max(STRENGTHS, key=lambda c: scores[c])
        p = left_out(found, head, best)
        ordinary = np.array([a.startswith("ordinary") for a in found.author])
        at = threshold(gold, p, ordinary)
        print(f"{name}: authors left out: {said(gold[~ordinary], p[~ordinary], at)} (C {best:g}, from {at})")
        print(f"{name}: ordinary turns taken for it: {np.mean(p[ordinary] >= at):.4f} of {ordinary.sum()}")
        terms, model = fitted(found, head, best)
        if given.check:
            kept = replies_in(given.check)
            p = model.predict_proba(terms.transform(kept.texts))[:, 1]
            print(f"{name}: authors kept apart: {said(kept.labels[:, head], p, at)}")
        out["weights"][name] = [round(float(w), 4) for w in model.coef_[0]]
        out["from"][name] = at
        out["bias"][name] = round(float(model.intercept_[0]), 4)
    terms = vectorizer().fit(found.texts)
    order = terms.get_feature_names_out().tolist()
    document = {"terms": order, "idf": [round(float(x), 4) for x in terms.idf_], **out}
    SHIPS.write_text(json.dumps(document), encoding="utf-8")


if __name__ == "__main__":
    main()
