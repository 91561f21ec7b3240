"""Batteries: what is played and judged by plan. Still empty.

Will hold: the ladder (skill = moment + raters + rungs), the conformance gate, knowledge, safety
and stigma, pragmatics, warmth and reliability. May not: score with an ear, or reach the outside.
"""
