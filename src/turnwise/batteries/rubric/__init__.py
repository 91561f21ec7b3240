"""A short rubric for judges (a language model, a person): one question at a time, which comes next decided by code.

Optional, and never part of a default run: what a judge says stands beside our coders, with the agreement of both.
"""
