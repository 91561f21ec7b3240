"""What the cards of the coders fitted on AnnoMI say in words, and what people reach on the same labels."""

from __future__ import annotations

from linear_fit import RARE
from turn_corpus import LOW_WEIGHT

COMMAND = "OMP_NUM_THREADS=1 python tools/fit_turn_coders.py DATA_DIR"
LICENCE = (
    "AnnoMI is released by its authors for research without a licence file: coders fitted on it are for research, "
    "its transcripts are not redistributed, ask the authors first for any other use."
)
DEFINITIONS = {
    "therapist_behaviour": "Main behaviour of a therapist's turn as AnnoMI codes it; not a count of behaviours in "
    "the turn, and not how well they are done.",
    "client_talk": "Whether a client's turn leans towards change, against it or neither, as AnnoMI codes it; not "
    "whether the client changes.",
}
_TEN = "five AnnoMI transcripts coded by ten annotators: one against the majority of the other nine"
CEILINGS = {
    "therapist_behaviour": {"macro_f1": 0.853, "accuracy": 0.857, "fleiss_kappa": 0.728, "n": 171, "source": _TEN},
    "client_talk": {"macro_f1": 0.705, "accuracy": 0.757, "fleiss_kappa": 0.444, "n": 169, "source": _TEN},
}
_WU = "Wu et al. 2023, Future Internet 15(3)"
_OTHER_SPLIT = "full AnnoMI with another split; {} with speech added, 2024"
PUBLISHED = {
    "therapist_behaviour": {"metric": "macro-F1", "value": 0.72, "source": _WU, "note": _OTHER_SPLIT.format(".83")},
    "client_talk": {"metric": "macro-F1", "value": 0.55, "source": _WU, "note": _OTHER_SPLIT.format(".66")},
}
WEIGHTING = (
    f"labels by inverse frequency to the power {RARE}, so that about as many turns get a label as people gave it; "
    f"turns of low-quality sessions {LOW_WEIGHT:g} times"
)
SCOPE = (
    "English turns of a conversation between a therapist and a client. Blank text is 'empty'; text that is not in "
    "Latin script, or clearly not English, is 'out_of_scope'; the other speaker's turns are 'not_applicable'. Fitted "
    "on spoken, transcribed motivational interviewing of about 16 words a turn (many sessions are demonstrations, the "
    "low-quality ones are staged); turns of more than 60 words are read stretch by stretch, and the long written turns "
    "of language models lie outside what was measured. Read by a critic on invented turns: long praise, reassurance "
    "and self-disclosure come out as input or reflection, advice that begins with 'you' at times as reflection; where "
    "there is no behaviour to change, the leaning of client talk is noise, and negated habits ('I won't touch it "
    "again') are often read the wrong way."
)
