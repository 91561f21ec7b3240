"""Belief: exact discrete Bayesian filtering. Arrays in, arrays out, in nats.

Belongs here: predict, update, entropy, information; beliefs over several variables; chains of hidden
states; observation models; and reading what somebody else proposes as hypotheses and likelihoods, as
strictly as a file format. May not: know anything of patients or therapy, call a model, or take
proposed text for anything but data. ``patients`` may never import it: a tracker tested on its own
model proves nothing.
"""
