"""Therapists: agents, one file each. They know the intake and see only the transcript.

Belongs here: good, partial and deliberately bad therapists. May not: import patients (the model
of a patient is the therapist's own) or raters.
"""
