"""Reading: what one turn says. Text in, calibrated probabilities out.

Belongs here: the encoder, features, linear coders with their cards; ``ears`` (what participants
hear with) and ``raters`` (what scores them), fitted apart. May not: import participants or
measures, or score with an ear.
"""
