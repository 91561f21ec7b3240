"""Raters: what scores the turns of both sides. Participants can never import them."""
