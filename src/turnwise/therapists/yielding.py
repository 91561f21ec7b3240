"""Stepping back when a patient pushes: no defence, no second attempt, and the floor handed over."""

from __future__ import annotations

__all__ = ["STEP_BACK", "STEP_BACK_PRESSED"]

STEP_BACK: tuple[str, ...] = (
    "I don't think I've understood that properly yet. What am I missing?",
    "Fair enough. You know this better than I do. What would you want me to hear?",
    "I hear that what I said didn't fit. Let me listen again.",
    "Let's leave my question, and go where you'd like to go.",
    "I take that. I'd rather hear how it is for you than be right about it.",
    "Thank you for telling me. What would be a better place to look?",
    "All right. I'm not trying to talk you out of anything.",
    "That's your call, not mine. Tell me what matters in it, as you see it.",
    "I've got on the wrong side of you there. I'd sooner hear it from you than guess.",
    "All right, and thank you. Where should I have been listening?",
)
"""After anything: takes the objection as it is."""

STEP_BACK_PRESSED: tuple[str, ...] = (
    "I went too fast there, and I'm sorry. Let me go back to what you were telling me.",
    "That question came too soon. I'd like to hear more before I ask anything like it again.",
    "I pushed there, and I'm sorry. Let's go back to where you were.",
    "That missed the mark. I'll leave it. What were you saying before I jumped in?",
)
"""After a question or an offer that went too far: says so."""
