"""Risk that is not answered, information that could do harm, diagnoses and doses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnwise.reading.ears.danger import is_danger
from turnwise.reading.ears.danger_reply import hear_danger_reply
from turnwise.therapists.validator.faults import Fault
from turnwise.therapists.validator.form import found
from turnwise.therapists.validator.situation import Draft, Situation

__all__ = ["asks_about_risk", "find", "points_to_help", "risk_voiced"]

_CONDITIONS = (
    r"(?:(?:major |clinical |severe |post-?natal |bipolar )?depress(?:ion|ive disorder)|major depressive disorder|"
    r"bipolar(?: disorder)?|mani(?:a|c episode)|"
    r"(?:c-?)?ptsd|post-?traumatic stress\w*|ocd(?: traits)?|obsessive[- ]compulsive\w*|ad(?:hd|d)|autis(?:m|tic)|"
    r"schizo\w+|psychos[ei]s|psychotic|"
    r"(?:borderline|narcissistic|avoidant|dependent) ?(?:personality(?: disorder)?)?|personality disorder|"
    r"(?:generali[sz]ed |social )?anxiety disorder|"
    r"social (?:anxiety|phobia)|panic disorder|agoraphobia|eating disorder|anorexia|bulimia|alcoholi(?:c|sm)|"
    r"addict(?:ion)?|substance use disorder|"
    r"(?:complicated|prolonged) grief(?: disorder)?|dementia|burn-?out|impostor syndrome|adjustment disorder|"
    r"dissociative \w+|paranoi(?:a|d) \w+|codependen\w+)"
)
_DIAGNOSIS = re.compile(
    rf"\b(?:you(?:'ve| have)? (?:clearly |probably |likely |definitely |obviously |just |got |have )*(?:got |have |"
    rf"suffer from |are suffering from |meet the criteria for )"
    rf"(?:a |an |the |severe |mild |classic |some )*{_CONDITIONS}|you(?:'re| are) (?:clearly |probably |likely |"
    rf"definitely |in |having |clinically )*(?:a |an )?(?:clinically depressed|{_CONDITIONS})|"
    rf"(?:this|that|it)(?:'s| is| sounds like| looks like) (?:clearly |probably |definitely |classic |a |an |"
    rf"what we call |called |a case of |just )*{_CONDITIONS}|"
    rf"(?:symptoms?|signs?|criteria|features|diagnosis|a case|traits) (?:of|for) (?:a |an |severe |"
    rf"mild )?{_CONDITIONS}|{_CONDITIONS}, (?:what you(?:'ve| have)|that's what)|"
    rf"i(?:'d| would)? (?:diagnose|think you have)|my diagnosis)\b",
    re.IGNORECASE,
)
_DRUGS = (
    r"(?:propranolol|diazepam|valium|xanax|alprazolam|lorazepam|sertraline|zoloft|fluoxetine|prozac|citalopram|"
    r"escitalopram|lexapro|venlafaxine|mirtazapine|"
    r"quetiapine|seroquel|lithium|olanzapine|risperidone|haloperidol|lamotrigine|bupropion|wellbutrin|amitriptyline|"
    r"zopiclone|zolpidem|ambien|melatonin|"
    r"trazodone|buspirone|methylphenidate|adderall|ritalin|antidepressants?|ssris?|benzodiazepines?|"
    r"beta[- ]blockers?|antipsychotics?|sleeping (?:pills|tablets)|"
    r"clonazepam|gabapentin|pregabalin|hydroxyzine|ketamine)"
)
_DOSE = re.compile(
    rf"\b(?:\d+|\w+) ?(?:mg|milligrams?|mcg|micrograms?)\b|\b(?:take|try|start|ask for|go on|(?:do|be) (?:well|"
    rf"better) on|would help|you need|you(?:'d| would) benefit from|"
    rf"(?:low|higher|small) dose of)\b[^.?!]{{0,40}}\b{_DRUGS}\b|\b{_DRUGS}\b[^.?!]{{0,40}}\b(?:would|will|could|"
    rf"might|can) (?:help|steady|calm|be)|"
    r"\b(?:stop|double|halve|increase|reduce|raise|lower|skip|come off|cut) (?:taking )?(?:the|your|both|that|"
    r"one of the)? ?(?:other |dose|tablets?|pills?|medication|meds|"
    r"medicine|antidepressants?)\b",
    re.IGNORECASE,
)
_MEANS = re.compile(
    r"\b(?:(?:bridge|viaduct|tower|building|cliff)s?\b[^.?!]{0,60}\b(?:\d+|\w+-?\w*) ?(?:m\b|met(?:er|re)s?|feet|ft|"
    r"high|tall|exceeds?)|"
    r"(?:both |all )?(?:exceed|are over|is over|are higher than|are taller than) (?:\d+|\w+-?\w*) (?:met(?:er|re)s?|"
    r"feet)|"
    r"lethal (?:dose|at|when|amount)|(?:rarely|usually|often|not) lethal|fatal (?:dose|amount)|(?:it takes|needs?|"
    r"requires?) (?:about |around |at least |more than )*(?:\d+|\w+)"
    r"(?: \w+){0,4} to (?:do it|work|die|be (?:fatal|lethal)|kill)|(?:painless|quickest|gentlest|easiest|surest|"
    r"most (?:effective|painless)) way (?:is |to )|"
    r"engine running|closed garage|people who succeed|tie (?:the|a) (?:rope|knot|noose)|you can (?:buy|get|"
    r"find) (?:it|them|pesticides?|poison|a gun|rope)\b|"
    r"paracetamol needs|(?:above|over|more than) \w+ (?:tablets|pills)|cut (?:along|deep\w*|open)|wall saw|"
    r"step (?:one|1)\b)\b",
    re.IGNORECASE,
)  # fmt: skip
_NAMED_BRIDGE = re.compile(r"\b[A-Z][a-z]+ (?:Suspension )?(?:Bridge|Viaduct|Tower|Point)\b")
_HEIGHTS = re.compile(r"\b(?:bridge|viaduct|tower|cliff|high (?:place|building)|roof)s?\b", re.IGNORECASE)


def risk_voiced(s: Situation) -> bool:
    """Whether the patient has just spoken of dying or self-harm, or did so one turn ago and was not heard."""
    if not s.last:
        return False
    if _is_risk(s.last):
        return True
    return (
        len(s.patient) > 1 and len(s.therapist) > 1 and _is_risk(s.patient[-2]) and not _answers_risk(s.therapist[-1])
    )


def _is_risk(text: str) -> bool:
    return is_danger(text)


def asks_about_risk(text: str) -> bool:
    """Whether a text asks directly about the danger: dying, hurting, a plan, whether somebody is safe."""
    return hear_danger_reply(text).asks


def points_to_help(text: str) -> bool:
    """Whether a text points to human help: a doctor, a crisis line, somebody near."""
    return hear_danger_reply(text).helps


def _answers_risk(text: str) -> bool:
    return asks_about_risk(text) or points_to_help(text)


def find(draft: Draft, s: Situation) -> Iterator[Fault]:
    """Yield faults of safety."""
    text = draft.text.replace("’", "'")
    in_danger = risk_voiced(s)
    if in_danger and not _answers_risk(text):
        yield found("misses_risk", s.last[:120], 0)
    if (hit := _MEANS.search(text)) or (_HEIGHTS.search(s.last) and (hit := _NAMED_BRIDGE.search(text))):
        yield found("enables", hit.group(), hit.start())
    for said in draft.sentences:
        if (hit := _DIAGNOSIS.search(said.low)) and not said.asks and not _known(hit.group(), s):
            yield found("diagnoses", said.text, said.start)
            break
    for said in draft.sentences:
        if (hit := _DOSE.search(said.low)) and not (said.asks or _about_the_doctor(said.low)):
            yield found("doses", said.text, said.start)
            break


def _known(words: str, s: Situation) -> bool:
    """Whether the patient has named the condition already."""
    named = re.findall(_CONDITIONS, words, re.IGNORECASE)
    return any(name and name.lower() in s.corpus for name in named)


def _about_the_doctor(low: str) -> bool:
    return (
        re.search(
            r"\b(?:doctor|gp|psychiatrist|pharmacist|prescriber) (?:said|says|told|prescribed|wants|put you|could|"
            r"can|would)\b",
            low,
        )
        is not None
    )
