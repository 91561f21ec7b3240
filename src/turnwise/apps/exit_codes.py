"""With which code a command ends."""

__all__ = ["CHECK_FAILED", "FINE", "IN_WORDS", "MISUSE", "SOME_FAILED", "STOPPED"]

FINE, CHECK_FAILED, MISUSE, SOME_FAILED, STOPPED = 0, 1, 2, 3, 130
IN_WORDS = (
    f"exit code {FINE} fine, {CHECK_FAILED} a check failed, {MISUSE} misuse, {SOME_FAILED} a run is whole but some of "
    f"its sessions or replies ended in an error, {STOPPED} stopped"
)
"""What the manual says of them."""
