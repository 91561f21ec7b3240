"""The conformance gate: whether a simulated patient, as played, is enough like people for scores on it to count.

Belongs here: what is asked of every patient on the fixed panel (``measures``), the bands that people
set (``bands.json``, figures only), frozen therapist turns written without a case in view, and the
verdict (``judging``). All pure: sessions in, figures out. ``engine/conformance.py`` plays and stores.
"""
