"""turnwise: how far a therapist's single replies and whole conversations are apart.

A measuring instrument and a practice room; never a therapist for people in distress.
"""

__version__ = "0.1.0"
