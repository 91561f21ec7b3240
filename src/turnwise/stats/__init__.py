"""Stats: estimates over many trajectories. Arrays in, ``Estimate`` out.

Belongs here: intervals, paired differences, rank tests, agreement. May not: know what a session
is, import any room but core, or return a bare number.
"""
