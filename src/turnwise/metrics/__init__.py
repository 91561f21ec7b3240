"""Metrics: measures of one trajectory (or of a set), one file each, pure.

Belongs here: a definition with its source, bounds, orientation and undefined cases. May not: call
a coder, open a file, or import patients, therapists or ears; the transcript is the only channel.
"""
