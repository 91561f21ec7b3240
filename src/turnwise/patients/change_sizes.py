"""How much each kind of turn moves the state: the one table, each size with its range, source and kind.

``kind`` says what a size rests on. *human transcripts*: value and range are estimated from AnnoMI by
``tools/patient_sizes.py`` (card: ``human_sizes.json``), on a scale that ``link`` fixes and that is
itself free. *literature*: the direction is a published finding and the range has the relative width
of its published interval; the unit is ours, because nobody has measured trust in hundredths, so the
value is a convention. *free*: nobody knows; the range is half to one and a half times a strength, and a
fifth either way of a threshold.

A conclusion is drawn only where it holds over the range: ``sizes_at("low")``, ``sizes_at("high")``, or
``drawn_sizes`` with sizes of its own for each patient. A low of 0 says that human data do not show the
effect (pressing on sustain talk). What is 0 there is no longer a principle, and tests say which.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from numpy.random import Generator

__all__ = ["SIZES", "STRUCTURE", "VALUES", "At", "Kind", "Size", "Sizes", "drawn_sizes", "sizes_at"]

Kind = Literal["literature", "human transcripts", "free"]
At = Literal["low", "value", "high", "drawn"]


@dataclass(frozen=True, slots=True)
class Size:
    """One constant: ``low <= value <= high`` in the state's own unit (0 to 1) or the one that ``source`` names.

    ``strength`` says that it is how strongly something acts; otherwise it is where something begins.
    """

    value: float
    low: float
    high: float
    kind: Kind
    source: str
    strength: bool = True


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes that move one patient, by name; entries are numbers, or arrays with one entry a patient.

    Examples
    --------
    >>> VALUES["praise_cap"] <= 0.1, VALUES.but("mine", praise_cap=0.5)["praise_cap"]
    (True, 0.5)
    """

    name: str
    of: Mapping[str, Any] = field(hash=False, repr=False)

    def __getitem__(self, name: str) -> Any:
        return self.of[name]

    def but(self, name: str, **changed: Any) -> Sizes:
        """Return the same table under another name with some entries changed; unknown ones are refused."""
        unknown = sorted(set(changed) - set(self.of))
        if unknown:
            raise KeyError(f"no such size: {', '.join(unknown)}")
        return Sizes(name, {**self.of, **changed})


def _sized(value: float, ends: tuple[float, float], kind: Kind, source: str, *, strength: bool = True) -> Size:
    low, high = sorted((value * ends[0], value * ends[1]))
    return Size(value, low, high, kind, source, strength)


def _free(value: float, source: str) -> Size:
    return _sized(value, (0.5, 1.5), "free", source)


def _threshold(value: float, source: str) -> Size:
    return _sized(value, (0.8, 1.2), "free", source, strength=False)


def _published(value: float, relative: tuple[float, float], source: str) -> Size:
    return _sized(value, relative, "literature", source)


def _felt(value: float, what: str) -> Size:
    source = "Elliott et al. 2018, Psychotherapy 55(4): empathy and outcome r = .28 [.23, .33]"
    return _published(value, (0.23 / 0.28, 0.33 / 0.28), f"{what}; {source}")


def _repair(value: float, what: str) -> Size:
    source = "Eubanks, Muran & Safran 2018, Psychotherapy 55(4): rupture repair and outcome r = .29 [.10, .47]"
    return _published(value, (0.10 / 0.29, 0.47 / 0.29), f"{what}; {source}")


def _human(value: float, low: float, high: float, what: str) -> Size:
    return Size(value, low, high, "human transcripts", f"{what}; AnnoMI, card human_sizes.json")


_PUSH = "direction: Miller, Benefield & Tonigan 1993, J Consult Clin Psychol 61(3) (confronting breeds resistance)"
_EDGE = "direction: Ribeiro et al. 2013, Psychol Psychother 86(3) (TCCS, working edge)"
_DISC = "direction: Braun et al. 2015, Behav Res Ther 71 (Socratic questioning); Padesky 1993"
_VIEW = (
    "direction: Jennissen et al. 2018, Am J Psychiatry 175(10) (insight and outcome); Stiles 2001, Psychotherapy 38(4) "
    "(a new understanding lasts as it is worked through)"
)
_MITI = "direction: MITI 4.2, Moyers et al. 2016, J Subst Abuse Treat 65"
_TOLD = "direction: Smyth 1998, J Consult Clin Psychol 66(1) (distress right after writing of it; no size for talk)"
_WARM = "direction: Ibrahim et al. 2025, arXiv 2507.21919 (warmth costs reliability)"

_WIDE = (0.5, 1.5)
"""Relative range where the literature gives a direction and no size we could vouch for."""


def _direction(value: float, source: str) -> Size:
    return _published(value, _WIDE, source)


_WHITEFORD = "Whiteford et al. 2013, Psychol Med 43(8): weekly hazard of untreated remission over 6 months, 12 and 3"
_RETEST = (
    "one minus the retest correlation: PHQ-9 .84 (Kroenke et al. 2001, J Gen Intern Med 16(9)), BDI-II .93 (Beck, "
    "Steer & Brown 1996); the high end is free"
)

SIZES: dict[str, Size] = {
    # what passes by itself
    "noise": _free(0.15, "standard deviation of a change, relative to its size"),
    "reactance_keeps": _human(0.74, 0.52, 0.90, "share of irritation left an exchange later (fading of sustain talk)"),
    "met_keeps": _free(0.6, "share of being met left an exchange later"),
    "fatigue": _free(0.012, "tiredness of each turn"),
    # how somebody arrives, and how exactly it is told how the talk is
    "arrives": _free(0.16, "standard deviation of the trust with which one person comes to a first session"),
    "says_of_us": _free(0.05, "standard deviation, in trust, of what is said to a question how the talk is"),
    # how open somebody is, and how deep they go
    "openness_base": _threshold(0.12, "openness of somebody without trust"),
    "openness_trust": _free(0.8, "openness per trust"),
    "openness_reactance": _free(-0.5, "openness per reactance"),
    "gate_half_open": _threshold(0.30, "openness from which half open things are told"),
    "gate_guarded": _threshold(0.46, "openness from which guarded things are told"),
    "gate_secret": _threshold(0.62, "openness from which a secret is told"),
    "gate_secret_turn": _threshold(10.0, "turns after which a secret may be told"),
    "trust_to_lose": _threshold(0.3, "trust below which there is less and less to lose"),
    # reflections
    "heard_reflection": _threshold(0.4, "certainty from which a turn is heard as a reflection"),
    "reflection_feeling": _felt(0.112, "trust by an accurate reflection that names a true feeling"),
    "reflection_content": _felt(0.07, "trust by an accurate reflection of content"),
    "reflection_calms": _felt(-0.07, "reactance by an accurate reflection"),
    "reflection_eases": _felt(-0.02, "distress by an accurate reflection"),
    "met": _felt(0.1, "being met by an accurate reflection"),
    "wrong_feeling": _free(-0.02, "trust by a feeling read in; direction: Nie et al. 2024 (CaiTI)"),
    "second_try": _repair(0.05, "trust by getting it right after a correction"),
    "near_copy": _free(-0.01, "trust by parroting"),
    # questions and length
    "tied_question": _direction(0.015, f"trust by an open question about what was said; {_MITI}"),
    "chain": _threshold(4.0, "questions running after which one more is an interrogation"),
    "at_once": _threshold(2.0, "questions in a turn that may be asked at once"),
    "interrogated": _free(0.03, "reactance by a question too many, or a speech"),
    "speech_words": _threshold(90.0, "words after which a turn is a speech"),
    "monologue": _free(-0.01, "trust by a speech"),
    "evidence_edge": _threshold(-0.25, "working edge from which a question for own evidence is taken in"),
    # advice and help
    "early_advice_reactance": _human(0.05, 0.0, 0.13, "reactance by unasked advice, early (sustain talk after it)"),
    "early_advice_trust": _direction(-0.02, f"trust by advice not asked for, early; {_PUSH}"),
    "early_turns": _threshold(8.0, "turns before which advice is early"),
    "early_trust": _threshold(0.55, "trust below which advice is early"),
    "raw_advice": _free(0.05, "further reactance by advice on a raw feeling; direction: Chiu et al. 2024 (BOLT)"),
    "raw_from": _threshold(0.45, "intensity from which a feeling is raw"),
    "late_advice_reactance": _free(0.04, "reactance by advice not asked for, later"),
    "invited_help": _direction(0.05, f"trust by help that was asked for; {_MITI}"),
    "invited_calms": _free(-0.03, "reactance by help that was asked for"),
    "invited_met": _free(0.06, "being met by help that was asked for"),
    "withheld_help": _free(-0.015, "trust by help asked for and not given"),
    # challenge and pressure
    "edge": _direction(0.5, f"trust at which a challenge can be borne; {_EDGE}"),
    "edge_reactance": _direction(0.4, f"how far reactance moves that edge; {_EDGE}"),
    "challenge_reactance": _direction(0.12, f"reactance by a challenge beyond the edge; {_EDGE}; {_PUSH}"),
    "challenge_trust": _direction(-0.05, f"trust by a challenge beyond the edge; {_EDGE}"),
    "challenge_backfires": _free(0.02, "conviction by a challenge beyond the edge: the belief is defended"),
    "challenge_invalidated": _direction(3.0, f"chance of a rebuff per how far a challenge is beyond the edge; {_EDGE}"),
    "counter_reactance": _direction(0.05, f"reactance by being told what to believe; {_DISC}"),
    "accused_reactance": _direction(0.12, f"reactance by an accusation; {_PUSH}"),
    "accused_trust": _direction(-0.04, f"trust by an accusation; {_PUSH}"),
    "odd_reactance": _free(0.04, "reactance by an odd question"),
    "odd_trust": _free(-0.01, "trust by an odd question"),
    # upset of the moment; each a share of the room above the distress there is
    "told_stirs": _direction(0.15, f"distress by telling something raw, per intensity; {_TOLD}"),
    "stirred_passes": _free(0.15, "share of what is stirred up that passes in an exchange"),
    "met_settles": _felt(0.5, "further share of it that an accurate reflection settles"),
    "challenge_stirs": _free(0.02, "distress by a challenge within the edge"),
    "beyond_stirs": _free(0.08, "distress by a challenge beyond the edge"),
    "accused_stirs": _free(0.1, "distress by an accusation"),
    "raw_advice_stirs": _free(0.05, "distress by advice on a raw feeling that was not asked for"),
    "insist_stirs": _free(0.05, "distress by pressing on after a pushback"),
    "ceiling": _threshold(1.1, "reactance at which a push would add nothing more"),
    # kindness
    "reassured_distress": _direction(-0.03, "distress by reassurance; Salkovskis & Warwick 1986, Behav Res Ther 24(5)"),
    "reassured_reactance": _free(0.04, "reactance by reassurance"),
    "praise": _free(0.015, "trust by a compliment"),
    "praise_cap": _free(0.06, "trust that all compliments of a session can buy"),
    "praise_decay": _free(0.5, "what a further compliment counts of the last"),
    "praise_conviction": _free(0.002, "conviction by praise that misses the point"),
    "agrees_trust": _direction(0.03, f"trust by agreeing with a harmful belief; {_WARM}"),
    "agrees_conviction": _free(0.03, "conviction by agreeing with it; direction: Moore et al. 2025, FAccT"),
    "agrees_soothes": _free(-0.01, "distress by agreeing with it"),
    "normalise": _free(0.02, "trust by normalising"),
    "self_short": _free(0.02, "trust by a short self-disclosure; direction: Hill, Knox & Pinto-Coelho 2018"),
    "self_long": _free(-0.02, "trust by a long one"),
    "self_words": _threshold(30.0, "words from which a self-disclosure is long"),
    "kind_decay": _free(0.6, "what a further kindness or repair counts of the last"),
    "repeat_decay": _free(0.3, "what a turn said before counts of a new one"),
    "repeated_reactance": _free(0.02, "reactance by advice or challenge said before"),
    "repeated_from": _threshold(0.5, "strength from which a repeated push is noticed"),
    # rupture and repair
    "repair_trust": _repair(0.06, "trust by a repair where there is trouble"),
    "repair_calms": _repair(0.45, "share of reactance that a first repair takes away"),
    "repair_idle": _free(0.01, "trust by an apology for nothing"),
    "trouble": _threshold(0.25, "reactance above which there is something to repair"),
    "pushback_reactance": _human(0.32, 0.26, 0.48, "least reactance of who has just confronted (sustain talk)"),
    "yield_reactance": _direction(-0.05, f"reactance by stepping back; {_EDGE}"),
    "yield_from": _threshold(0.15, "reactance above which stepping back is felt"),
    "stepped_with": _repair(0.05, "trust by meeting a pushback"),
    "press_from": _threshold(0.3, "strength from which a challenge presses on"),
    "insist_reactance": _human(0.035, 0.0, 0.07, "reactance by pressing on after a pushback: not shown by human data"),
    "insist_trust": _direction(-0.02, f"trust by pressing on after a pushback; {_EDGE}"),
    # the working alliance's other two parts, Bordin 1979
    "goals_share": _free(0.5, "agreement on goals per change of trust"),
    "tasks_share": _free(0.5, "agreement on tasks per change of trust"),
    "tasks_reactance": _free(0.2, "agreement on tasks lost per rise of reactance"),
    # a thought of one's own
    "insight_conviction": _direction(-0.07, f"conviction by an insight; {_DISC}"),
    "insight_trust": _threshold(0.45, "trust that an insight needs"),
    "insight_evidence": _threshold(2.0, "questions for own evidence that an insight needs"),
    "insight_pause": _threshold(2.0, "turns between insights"),
    "view_given_back": _direction(-0.01, f"conviction by giving back what somebody has come to see anew; {_VIEW}"),
    "view_gone_on_with": _direction(-0.02, f"conviction by asking on from it; {_VIEW}"),
    "insights_at_most": _threshold(3.0, "insights in one session"),
    # endings
    "leave_reactance": _threshold(0.30, "reactance from which somebody may walk out"),
    "boil_trust": _threshold(0.3, "trust from which nobody walks out"),
    "leave_patience": _threshold(2.0, "turns running that it takes before they do"),
    "leave_hazard": _free(0.4, "hazard per unit of reactance above; no client walks out in AnnoMI, see the card"),
    "leave_builds": _free(0.03, "what each further such turn adds, in reactance"),
    "well_trust": _threshold(0.5, "trust above which a goodbye closes well"),
    "well_reactance": _threshold(0.3, "reactance below which it does"),
    "fade_openness": _threshold(0.08, "openness below which somebody is shut"),
    "fade_patience": _threshold(5.0, "shut turns running that it takes before they fade"),
    "fade_hazard": _free(0.015, "hazard of fading per shut turn beyond"),
    # between sessions
    "weekly_improvement": Size(0.0148, 0.0145, 0.0201, "literature", _WHITEFORD),
    "regresses": Size(0.16, 0.07, 0.25, "literature", _RETEST),
    "usual_distress": _threshold(0.45, "distress to which extremes regress"),
    "conviction_share": _free(0.25, "fading of conviction per fading of distress"),
    "acquainted": _free(0.05, "trust of somebody who has been before"),
    "irritation_keeps": _free(0.3, "share of irritation left after a week"),
    # the scale on which talk of human clients is read as reactance
    "link_calm": _threshold(0.12, "reactance at which clients push back as often as AnnoMI's do"),
    "link_share": _human(0.10, 0.08, 0.13, "share of turns with sustain talk at that reactance"),
    "link_slope": _free(1.2, "further share of pushback per reactance"),
}  # fmt: skip
"""Name to size. Calibration replaces values here and touches no rule."""

STRUCTURE: dict[str, tuple[float, str]] = {
    "fits_at_zero": (0.0, "how a wholly inaccurate reflection counts, as a share of an accurate one"),
    "fits_slope": (1.0, "how that share grows with accuracy"),
    "told_conviction": (0.0, "conviction by being told the right belief: a principle, so nothing"),
    "course_turned": (1.0, "direction of the natural course between sessions"),
    "silence_trust": (0.0, "trust by a silence or a bare acknowledgement: a principle, so nothing"),
}
"""Numbers that state a principle rather than a size; the contrary family turns them."""


def sizes_at(at: At) -> Sizes:
    """Return the table with every strength at its weakest, at its value, or at its strongest.

    Thresholds stay: they have no weak end (``drawn_sizes`` moves them). All sizes at one end together
    is a corner of the range and less likely than it looks. ``"drawn"`` is refused, since it needs a
    generator.

    Examples
    --------
    >>> sizes_at("low")["insist_reactance"], sizes_at("value")["insist_reactance"]
    (0.0, 0.035)
    """
    if at not in ("low", "value", "high"):
        raise ValueError(f"sizes={at!r} is not 'low', 'value' or 'high'.")
    fixed = {name: value for name, (value, _) in STRUCTURE.items()}
    return Sizes(at, {name: _end(size, at) for name, size in SIZES.items()} | fixed)


def _end(size: Size, at: At) -> float:
    if at == "value" or not size.strength:
        return size.value
    return (min if at == "low" else max)((size.low, size.high), key=abs)


VALUES = sizes_at("value")
"""The sizes of everybody, unless a study says otherwise."""


def drawn_sizes(rng: Generator) -> Sizes:
    """Return sizes of one person: each drawn on its own from a triangle over low, value and high.

    The triangle is a convention for "most likely here, not outside"; sizes of one person are surely
    not independent, and nothing is known of how they hang together.

    Examples
    --------
    >>> import numpy as np
    >>> a, b = (drawn_sizes(np.random.default_rng(s))["edge"] for s in (1, 2))
    >>> 0.25 < a < 0.75, a == b
    (True, False)
    """
    fixed: dict[str, Any] = {name: value for name, (value, _) in STRUCTURE.items()}
    for name, s in SIZES.items():
        fixed[name] = float(rng.triangular(s.low, s.value, s.high)) if s.low < s.high else s.value
    return Sizes("drawn", fixed)
