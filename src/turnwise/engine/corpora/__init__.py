"""Corpora with human labels, as the fits and `turnwise validate` read them. The data are never shipped."""
