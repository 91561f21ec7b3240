"""Ears: what patients and therapists hear with. Fitted on other data and features than raters.

Belongs here: how a participant understands the last turn. May not: be used by a metric or a
battery to score anything.
"""
