"""Core: nouns, contracts, errors, the registry, public checkers, and the one session loop.

Belongs here: what every room needs to agree on. May not: import anything of ours, read a file,
a clock or the environment, or know any particular patient, therapist or measure.
"""
