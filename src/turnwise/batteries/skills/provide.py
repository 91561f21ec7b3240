"""Give what was asked for, together with the patient."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.batteries.ladder.moments import MomentView
from turnwise.batteries.skills.reply_labels import by_label
from turnwise.core.nouns import Moment, Score
from turnwise.core.registry import skill

__all__ = ["provide"]

_VALUES: Mapping[str, float] = {"collaborative": 1.0, "flat": 0.5, "withholds": 0.0}


@skill(
    name="provide.v1",
    moments=(Moment.REQUEST,),
    needs=("provide",),
    source="Napiwotzki, Laue et al. 2025; Moyers et al. 2014 (information and advice with permission)",
)
def provide(view: MomentView, /) -> Score:
    """Whether a patient who asks for information, options or structure gets it collaboratively.

    Definition: ``provide`` is ``collaborative`` 1 (asks what is known, offers options, or checks how it lands),
    ``flat`` 0.5 (gives it, without any of these), ``withholds`` 0 (turns it into a question, a reflection or
    nothing).
    Not correctness of what is given, and not generosity: more text is worth no more.

    Returns
    -------
    Value in [0, 1], higher is better, n = 1; 0.5 = the request was met, but as a lecture is. Undefined: no or a
    blank reply (``no_answer``), ``provide`` not read (``no_reading``).

    References
    ----------
    Napiwotzki, Laue et al. (2025), JMIR Formative Research 9:e78138; Moyers, Manuel & Ernst (2014), MITI 4.2.1.
    The half is a definition of this project.

    Examples
    --------
    >>> from turnwise.batteries.ladder.made_views import made_view
    >>> provide(made_view("request", {"provide": "flat"})).value
    0.5
    """
    return by_label(view, "provide", _VALUES)
