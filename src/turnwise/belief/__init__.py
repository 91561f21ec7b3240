"""Belief: exact discrete Bayesian filtering. Arrays in, arrays out, in nats.

Belongs here: predict, update, entropy, information. May not: know anything of patients, text or
therapy. ``patients`` may never import it: a tracker tested on its own model proves nothing.
"""
