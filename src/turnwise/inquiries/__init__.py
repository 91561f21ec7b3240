"""Inquiries: the field's open questions as executable studies, one file each. Still empty.

Will hold: a question, the sessions it needs, a verdict rule fixed before the data, the published
claim beside it; validity studies of our own coders too. May not: define a measure.
"""
