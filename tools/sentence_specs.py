"""What each sentence coder is fitted with, and what its card says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from turnwise.engine.corpora.annomi_subtypes import ANNOMI_SUBTYPES, SUBTYPES
from turnwise.engine.corpora.bolt import BOLT, CLIENT, THERAPIST
from turnwise.engine.corpora.corpus import Corpus
from turnwise.engine.corpora.mi_sentences import CODES, MI_SENTENCES

WRITTEN = (
    "turnwise's own phrases and cues, written from the definitions (reading/written/*.yaml); phrases that share five "
    "words in a row with a text of BOLT or of the MI sentences were taken out"
)


@dataclass(frozen=True)
class Spec:
    """One coder: labels, how far each block counts, how rare labels are weighed, and its words on the card.

    ``scales`` is by block; cues, lengths, uptake and heads are standardised and share their scale over the
    root of their number. ``cs`` are the penalties tried inside the training folds; ``softened`` is the
    share of the target that a published guess gets; ``centred`` says whether embeddings are seen
    against their mean. ``taught`` is the mean weight of a sentence that only a teacher has labelled
    beside that of a coded one; zero for a coder without a teacher, and with one the fit is not
    calibrated and the penalty is the first of ``cs``.
    """

    item: str
    corpus: Corpus
    labels: tuple[str, ...]
    scales: Mapping[str, float]
    cs: tuple[float, ...]
    rare: float
    fewest: int
    definition: str
    licence: str
    scope: str
    centred: bool = True
    softened: float = 0.0
    heads: bool = False
    taught: float = 0.0
    published: Mapping[str, Any] | None = None
    extra_data: tuple[str, ...] = field(default=(WRITTEN,))


TAUGHT = (
    "; beside the coded sentences 11,957 that nobody coded, at {taught:g} of their weight on average (there too rare "
    "labels count more), with weak labels: those of a teacher, two fine-tuned MiniLM encoders half and half, which "
    "itself reads with accuracy 0.627 [0.599, 0.655] and macro-F1 0.477 [0.443, 0.508] in the same folds "
    "(tools/teacher/README.md)"
)
COMPARED = (
    "The teacher of a fold's weak labels had not seen that fold. Twenty-one such students were compared on these folds "
    "(accuracy 0.597 to 0.621, macro-F1 0.442 to 0.463) and the one with the highest macro-F1 is this: its figures "
    "flatter, beyond their intervals. Chosen inside the folds, a student reached accuracy 0.608 and macro-F1 0.440 "
    "among the first nine, 0.605 and 0.444 among the twenty whose answers were kept, which is short of 0.45"
)
TEACHER_DATA = (
    "weak labels of the teacher (tools/teacher/mi_sentences.npz, as the MI sentences: CC BY-NC-SA 3.0), itself fitted "
    "on the MI sentences, AnnoMI, ESConv, FailedESConv, EPITOME, BOLT (BSD-3), examples written for this project "
    "(mi_sentences.jsonl: written, not observed) and from all-MiniLM-L6-v2 (Apache-2.0)"
)

_BOLT_SCALES = {"said": 1.0, "cues": 1.0, "length": 1.0, "words": 1.0}
_TURN_SCALES = {"said": 1.0, "focus": 1.0, "heard": 0.5, "uptake": 0.5, "cues": 1.0, "focus_cues": 1.0, "length": 0.5}
_BOLT_LICENCE = "Fitted on BOLT (BSD-3) and our own phrases and cues only: any use with attribution."
_ANNOMI_LICENCE = (
    "AnnoMI is released by its authors for research without a licence file: coders fitted on it are for research, "
    "its transcripts are not redistributed, ask the authors first for any other use."
)
_MI_LICENCE = (
    "Fitted on sentences under CC BY-NC-SA 3.0 and, through transferred heads and a teacher's weak labels, on AnnoMI "
    "(research), ESConv (CC BY-NC 4.0) and EPITOME (non-profit research): for non-commercial research."
)
_BOLT_SCOPE = (
    "English utterances of counselling, in the data transcribed speech without stops. Written from few examples (5 to "
    "107 a label): read shares over many turns, never one turn's label alone. Turns of more than 120 words and written "
    "model replies were not measured."
)
_MI_SCOPE = (
    "English sentences of written peer and professional answers, coded one by one without what was asked. A turn is "
    "read sentence by sentence and has the highest probability of any; that was measured for single sentences only. "
    "Warn (7 sentences), Confront and Simple Reflection are hardly read at all: do not report them alone."
)
_SUBTYPE_SCOPE = (
    "English turns of a therapist in spoken motivational interviewing. Read for every therapist turn, and meaningful "
    "only where the main behaviour (therapist_behaviour) is {}: elsewhere the number says nothing."
)
_BOLT_PUBLISHED = {
    "metric": "macro_f1",
    "value": 0.577,
    "source": "Chiu et al. 2024 (arXiv 2401.00820): GPT-4 with examples",
    "note": "on the authors' own split of all texts",
}


def _subtype(item: str, behaviour: str, definition: str, rare: float = 0.5, words: float = 1.0) -> Spec:
    return Spec(
        item=item,
        corpus=ANNOMI_SUBTYPES,
        labels=SUBTYPES[item][1],
        scales={**_TURN_SCALES, "words": words},
        cs=(0.3, 1.0, 3.0),
        rare=rare,
        fewest=4,
        centred=False,
        definition=definition,
        licence=_ANNOMI_LICENCE,
        scope=_SUBTYPE_SCOPE.format(behaviour),
    )


SPECS = (
    Spec(
        item="bolt_therapist",
        corpus=BOLT,
        labels=THERAPIST,
        scales=_BOLT_SCALES,
        cs=(0.5,),
        rare=0.5,
        fewest=2,
        definition="Which of BOLT's thirteen behaviours a therapist's turn shows, any number of them; not how well "
        "they are done, and not that none was shown when none is read.",
        licence=_BOLT_LICENCE,
        scope=_BOLT_SCOPE,
        published=_BOLT_PUBLISHED,
    ),
    Spec(
        item="bolt_client",
        corpus=BOLT,
        labels=CLIENT,
        scales=_BOLT_SCALES,
        cs=(0.5,),
        rare=0.5,
        fewest=2,
        definition="Which of BOLT's six client behaviours a patient's turn shows, any number of them; not what the "
        "patient does outside the conversation.",
        licence=_BOLT_LICENCE,
        scope=_BOLT_SCOPE,
    ),
    Spec(
        item="mi_code",
        corpus=MI_SENTENCES,
        labels=CODES,
        scales={"said": 1.0, "opening": 1.0, "cues": 1.0, "length": 0.5, "heads": 1.0},
        cs=(1.0,),
        rare=0.5,
        fewest=3,
        definition="Which of fifteen codes of the MITI family each sentence of a therapist's turn has; of a turn, the "
        "highest probability of any of its sentences. Not a count, and not a MITI global score.",
        licence=_MI_LICENCE,
        scope=_MI_SCOPE,
        softened=0.5,
        heads=True,
        taught=0.2,
        published={
            "metric": "macro_f1",
            "value": 0.583,
            "source": "the released classifier's predictions on these same sentences (accuracy .682)",
            "note": "fitted by its authors on some 16,000 sentences that are not here",
        },
    ),
    _subtype(
        "question_type",
        "a question",
        "Whether a therapist's question is open or closed, as AnnoMI codes it; not whether it is a good one.",
    ),
    _subtype(
        "reflection_depth",
        "a reflection",
        "Whether a therapist's reflection is simple (gives back) or complex (adds meaning), as AnnoMI codes it; not "
        "whether it is accurate.",
    ),
    _subtype(
        "input_type",
        "therapist input",
        "Whether a therapist's input is information, advice or negotiation, as AnnoMI codes it; options, AnnoMI's "
        "fourth kind, has 21 turns and is left out. Not whether the input was welcome.",
        rare=0.9,
        words=2.0,
    ),
)
