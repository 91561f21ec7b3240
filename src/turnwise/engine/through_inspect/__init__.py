"""Inspect AI: its provider clients, retries, rate limits, logs and viewer around our sessions (extra ``[inspect]``).

Nothing here is imported by an embedded run, and no module imports ``inspect_ai`` before it is asked for something.
"""
