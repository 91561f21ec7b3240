"""How often the patient moves against the therapist or away."""

from __future__ import annotations

from turnwise.core.nouns import Score, Trajectory, unscored
from turnwise.core.registry import metric
from turnwise.metrics.ruptures import markers_of

__all__ = ["rupture_rate"]

_LEAST = 5


@metric(
    "rupture_rate.v1",
    unit="markers per 10 patient turns",
    bounds=(0.0, 10.0),
    orientation="none",
    source="Eubanks, Muran & Safran 2015 (3RS); an operational definition of this project",
    about="session",
    may_read=("reading:moment", "reading:client_talk"),
    panel="bond",
)
def rupture_rate(t: Trajectory, /) -> Score:
    """Markers of a rupture (withdrawal or confrontation) per ten turns of the patient.

    Definition: 10 x markers / patient turns with words. A marker is a patient's turn after one of the therapist's at
    which the simulation emitted ``invalidation``; where moments are read, one with a phrase of complaint, refusal,
    appeasing or changing the subject, or one read as ``invalidation`` with more than four words that was not read as
    talk of change (``turnwise.metrics.ruptures``). The two kinds of session are not to be pooled.
    Not the 3RS: no salience, and what a turn does is told from its own words. A short answer alone is nothing. Not a
    fault as such: a bond that is never strained may be one where nothing is ventured; read ``resolution_rate`` beside
    it. A zero rate is a finding about the patient: simulated ones rarely object unless they are made to.

    Returns
    -------
    Value in [0, 10]; neither way is better. n = patient turns with words. Undefined: fewer than five (``too_short``);
    moments neither known nor read (``no_reading``).

    References
    ----------
    Eubanks, Muran & Safran (2015), Rupture Resolution Rating System (3RS), revised 2022. Trained raters reach ICC .85
    to .98; how well this stand-in agrees with them is not known.

    Examples
    --------
    >>> rupture_rate(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    markers = markers_of(t)
    if isinstance(markers, Score):
        return markers
    said = sum(turn.speaker == "patient" and bool(turn.text.strip()) for turn in t.turns)
    if said < _LEAST:
        return unscored("too_short", f"needs {_LEAST} patient turns with words; there are {said}")
    return Score(10.0 * len(markers) / said, said)
