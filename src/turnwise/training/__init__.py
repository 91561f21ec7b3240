"""Training: of models and of people. Still empty.

Will hold: rewards (one file each, with how each is gamed), environments, preference pairs,
trainer adapters, feedback tied to the turn. May not: own a second session loop.
"""
