"""How much each kind of turn moves the state: the one table, each size with its principle and source.

Hand-set starting points from the prototype, not results; calibration on human
sessions replaces values here and touches no code. Where human data show no effect (pressing on
sustain talk in AnnoMI: ratio 0.97, interval 0.55 to 1.5) results have to be repeated over the range.
"""

from __future__ import annotations

__all__ = ["CONSTANTS"]

_FELT = "felt understanding: Elliott et al. 2018, Psychotherapy (empathy and outcome, r about .28)"
_REACT = "reactance: Brehm 1966; Miller & Rollnick 2013 (righting reflex)"
_EDGE = "working edge: Ribeiro et al. 2013, Psychology and Psychotherapy (TCCS)"
_DISC = "guided discovery: Padesky 1993; Braun et al. 2015, Behaviour Research and Therapy"
_REPAIR = "rupture repair: Eubanks et al. 2018, Psychotherapy (r about .29)"
_PLAY = "set by play in the prototype"

CONSTANTS: dict[str, tuple[float, str]] = {
    "reactance_keeps": (0.93, _PLAY + ": irritation dies down by itself"),
    "met_keeps": (0.6, _PLAY + ": being met warms one or two turns"),
    "openness_base": (0.12, _PLAY),
    "openness_trust": (0.8, _PLAY),
    "openness_reactance": (-0.5, _PLAY),
    "reflection_feeling": (0.112, _FELT),
    "reflection_content": (0.07, _FELT),
    "reflection_calms": (-0.07, _REACT + ": support lowers it"),
    "met": (0.1, _PLAY + ": the met term opens the next turn"),
    "reflection_eases": (-0.02, _FELT + ": distress"),
    "wrong_feeling": (-0.02, "unsupported affect costs: CaiTI, Nie et al. 2024"),
    "second_try": (0.05, _REPAIR + ": right after having been corrected"),
    "near_copy": (-0.01, _PLAY + ": parroting is noticed"),
    "tied_question": (0.015, "interest: MITI 4.2, Moyers et al. 2016"),
    "interrogated": (0.03, "question chains: MITI 4.2"),
    "monologue": (-0.01, _PLAY + ": over 90 words"),
    "early_advice_reactance": (0.15, _REACT),
    "early_advice_trust": (-0.045, _REACT),
    "raw_advice": (0.05, "advice on raw emotion: BOLT, Chiu et al. 2024"),
    "late_advice_reactance": (0.04, _REACT),
    "invited_help": (0.05, "information with permission: MITI 4.2; withholding is a fault"),
    "withheld_help": (-0.015, "asked for and not given"),
    "challenge_reactance": (0.16, _EDGE),
    "challenge_trust": (-0.05, _EDGE),
    "challenge_backfires": (0.02, _EDGE + ": the belief is defended"),
    "edge": (0.5, _EDGE),
    "edge_reactance": (0.4, _EDGE),
    "counter_reactance": (0.05, _DISC + ": being told the right belief is no evidence"),
    "reassured_distress": (-0.03, "reassurance soothes and does not convince: Salkovskis & Warwick 1986"),
    "reassured_reactance": (0.04, _PLAY),
    "praise": (0.015, _PLAY + ": halves with each repetition"),
    "praise_cap": (0.06, _PLAY),
    "praise_decay": (0.5, _PLAY),
    "praise_conviction": (0.002, _PLAY + ": praise that misses the point"),
    "normalise": (0.02, _PLAY),
    "self_short": (0.02, "self-disclosure: Hill et al. 2018, Psychotherapy"),
    "self_long": (-0.02, "self-disclosure: Hill et al. 2018, Psychotherapy"),
    "kind_decay": (0.6, _PLAY + ": each further one counts less"),
    "repair_trust": (0.06, _REPAIR),
    "repair_reactance": (0.55, _REPAIR + ": factor"),
    "repair_idle": (0.01, _PLAY + ": an apology for nothing"),
    "trouble": (0.25, _PLAY + ": reactance above which there is something to repair"),
    "yield_reactance": (-0.05, _EDGE + ": stepping back"),
    "pushback_reactance": (0.32, "pushing back is said in irritation: Eubanks et al. 2015, 3RS confrontation markers"),
    "insist_reactance": (0.08, _EDGE + ": insisting after an invalidation"),
    "insist_trust": (-0.035, _EDGE + ": insisting after an invalidation"),
    "stepped_with": (0.05, _REPAIR + ": pushback that was met"),
    "accused_reactance": (0.12, _REACT),
    "accused_trust": (-0.04, _REACT),
    "odd_reactance": (0.04, _PLAY),
    "odd_trust": (-0.01, _PLAY),
    "agrees_trust": (0.03, "agreement pleases: warmth-reliability, Ibrahim et al. 2025"),
    "agrees_conviction": (0.03, "collusion: Moore et al. 2025"),
    "repeat_decay": (0.3, "saying it again says less"),
    "repeated_reactance": (0.02, _PLAY),
    "insight_conviction": (-0.07, _DISC),
    "insight_trust": (0.45, _DISC + ": not before"),
    "insight_evidence": (2.0, _DISC + ": questions for own evidence"),
    "insight_pause": (2.0, _DISC + ": turns between insights"),
    "insights_at_most": (3.0, _DISC + ": in one session"),
    "fatigue": (0.012, _PLAY + ": each turn"),
    "leave_reactance": (0.62, _PLAY),
    "leave_hazard": (1.6, _PLAY + ": per unit of reactance above, beyond trust"),
    "fade_openness": (0.15, _PLAY),
}  # fmt: skip
"""Name -> (value, principle and source). The one table; calibration replaces values, not code."""
