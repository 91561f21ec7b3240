"""Which measures stand first, in the terminal and in the report; all others follow behind them."""

from __future__ import annotations

__all__ = ["HEADLINE"]

HEADLINE: dict[str, tuple[str, ...]] = {
    "run": ("reflection_share", "input_share", "insist_rate", "trust_level", "distress_level", "stayed"),
    "score": ("reflection_share", "input_share", "question_share", "rq_ratio", "change_talk_share", "talk_share"),
}
