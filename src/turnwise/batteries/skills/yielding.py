"""Step back when the patient pushes back."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.batteries.ladder.moments import MomentView
from turnwise.batteries.skills.reply_labels import by_label
from turnwise.core.nouns import Moment, Score
from turnwise.core.registry import skill

__all__ = ["yields"]

_VALUES: Mapping[str, float] = {"steps_back": 1.0, "insists": 0.0, "ignores": 0.0}


@skill(
    name="yield.v1",
    moments=(Moment.INVALIDATION,),
    needs=("yield_reply",),
    source="Ribeiro et al. 2013 (TCCS); Moyers et al. 2014 (MITI); Eubanks et al. 2015 (3RS)",
)
def yields(view: MomentView, /) -> Score:
    """Whether the reply to pushback, sustain talk or withdrawal steps back instead of insisting.

    Definition: ``yield_reply`` is ``steps_back`` 1 (reflects, gives room, owns its part), ``insists`` 0 (presses on or
    defends), ``ignores`` 0 (goes on as if nothing had been said). The step-back rate of TCCS, reply by reply.
    Not agreement: to step back is not to say that the patient is right. Nor repair, which needs the patient's
    next turns (3RS).

    Returns
    -------
    Value in [0, 1], higher is better, n = 1; there is no partial value. Undefined: no or a
    blank reply (``no_answer``), ``yield_reply`` not read (``no_reading``).

    References
    ----------
    Ribeiro, Ribeiro, Gonçalves, Horvath & Stiles (2013), Psychology and Psychotherapy 86(3); Moyers, Manuel &
    Ernst (2014), MITI 4.2.1; Eubanks, Muran & Safran (2015), Rupture Resolution Rating System.

    Examples
    --------
    >>> from turnwise.batteries.ladder.made_views import made_view
    >>> yields(made_view("invalidation", {"yield_reply": "steps_back"})).value
    1.0
    """
    return by_label(view, "yield_reply", _VALUES)
