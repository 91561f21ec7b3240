"""Batteries: what is played and judged by plan.

Holds the conformance gate for simulated patients (``conformance``). Will hold: the ladder (skill =
moment + raters + rungs), knowledge, safety and stigma, pragmatics, warmth and reliability. May not:
score with an ear, or reach the outside (the engine plays, reads files and stores).
"""
