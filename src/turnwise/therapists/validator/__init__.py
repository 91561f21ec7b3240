"""The validator of what a therapist is about to say, whoever worded it: faults with place and reason.

Belongs here: rules over the words of one reply and of the talk so far, and what an ear makes of
them. May not: use a rater or anything that scores (a participant never hears with its judge).
"""
