"""The controller put around somebody else's words: a model's, or another therapist's.

Belongs here: asking a model through its port with every outcome as data, the short instruction, the
models that propose and review, lines that are always sound. May not: open a connection.
"""
