"""With which code a command ends."""

__all__ = ["CHECK_FAILED", "FINE", "IN_WORDS", "MISUSE", "SOME_FAILED", "STOPPED", "UNDETERMINED"]

FINE, CHECK_FAILED, MISUSE, SOME_FAILED, UNDETERMINED, STOPPED = 0, 1, 2, 3, 4, 130
IN_WORDS = (
    f"exit code {FINE} fine, {CHECK_FAILED} a check failed, {MISUSE} misuse, {SOME_FAILED} a run is whole but some of "
    f"its sessions or replies ended in an error, {UNDETERMINED} a comparison cannot tell whether safety held, "
    f"{STOPPED} stopped"
)
"""What the manual says of them."""
