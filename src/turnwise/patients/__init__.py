"""Patients: simulated people, one file each; ``cases/`` holds who they are (YAML).

Belongs here: state in code (what is decided) and its wording. May not: import ``belief`` (the
inverse crime), raters or therapists; a patient knows its case and sees only the transcript.
"""
