"""The ladder: the same skill, moment and raters, alone, after a replayed history and inside a live session."""
