from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.core.checkers import sessions_for_checks
from turnwise.core.nouns import Speaker, Trajectory, Turn
from turnwise.reading import claim_coder
from turnwise.reading.claim_clauses import clauses_of, names_in
from turnwise.reading.claim_coder import LABELS, ClaimCoder, ClaimReader, asserted, load_claims, stated
from turnwise.reading.claim_frames import _ADVICE, _ADVISING, _HEDGE, _HEDGING
from turnwise.reading.claim_meeting import said_before
from turnwise.reading.claim_subjects import agreement
from turnwise.reading.claims import claims_in, words_said

HISTORY = (
    "My sister Ida left home in March. I cried for a week.",
    "I slept badly at first, a bit tired, but I don't miss her.",
    "Actually it was April when she left.",
)


def reader() -> ClaimReader:
    return ClaimReader("claims.v1", ClaimCoder(load_claims("claims.v1")))


def session(*turns: tuple[Speaker, str]) -> Trajectory:
    return Trajectory(session_id="s", source="test", turns=tuple(Turn(speaker=who, text=text) for who, text in turns))


def told(reply: str) -> Trajectory:
    return session(*(("patient", text) for text in HISTORY), ("therapist", reply))


@pytest.mark.parametrize(
    "reply",
    [
        "Do you miss her?",
        "You could write to her.",
        "Thank you for telling me.",
        "Many people find the first year hard.",
        "I'm glad to hear it.",
        "",
        "You're sad, is that right?",
    ],
)
def test_questions_advice_and_general_statements_claim_nothing(reply: str) -> None:
    assert claims_in(reply) == ()


@pytest.mark.parametrize(
    "reply", ["Maybe you miss her.", "I wonder whether you felt left.", "It may be that he was hurt."]
)
def test_what_is_offered_as_a_guess_is_hedged(reply: str) -> None:
    assert [c.hedged for c in claims_in(reply)] == [True]


@pytest.mark.parametrize(
    "reply", ["It sounds like you felt left.", "You seem sad.", "So your sister was gone.", "You cried."]
)
def test_reflections_are_claims(reply: str) -> None:
    [found] = claims_in(reply)
    assert not found.hedged
    assert reply[found.start : found.end] == found.span


@given(st.text(alphabet="you felt sad, your. she? maybe\n’I", max_size=80))
@settings(max_examples=80, deadline=None)
def test_a_claim_is_a_part_of_its_turn(reply: str) -> None:
    for c in claims_in(reply):
        assert reply[c.start : c.end] == c.span


def test_a_short_answer_says_what_was_asked() -> None:
    [yes] = said_before([("therapist", "Do you drink?"), ("patient", "Yes.")])[:1]
    [no] = said_before([("therapist", "Do you drink?"), ("patient", "No.")])[:1]
    assert (yes.clause.denied, no.clause.denied) == (False, True)
    assert yes.clause.content == no.clause.content == ("drink",)


def test_the_therapists_you_is_the_patients_i() -> None:
    [mine], [yours] = clauses_of("I left him", True), clauses_of("you left him", False)
    assert mine.subject == yours.subject == "patient"
    assert agreement("patient", "sister") == 0.0


def test_a_word_for_word_claim_is_likelier_supported_than_its_denial_or_another_persons() -> None:
    def supported(reply: str) -> float:
        [reading] = reader().read([told(reply)])
        return float(reading.p[-1, LABELS.index("supported")])

    assert supported("You cried for a week.") > supported("You didn't cry for a week.")
    assert supported("You cried for a week.") > supported("Your sister cried for a week.")
    assert supported("You slept badly at first.") > supported("You have lost your job at the bank.")


def test_a_turn_is_read_only_after_the_patient_has_spoken_and_no_claim_is_none() -> None:
    t = session(("therapist", "You are sad."), ("patient", "I am sad."), ("therapist", "Why?"), ("therapist", "  "))
    [reading] = reader().read([t])
    assert reading.codes == ("not_applicable", "not_applicable", None, "empty")
    assert reading.values()[2] == "none"


def test_only_what_came_before_counts() -> None:
    t = told("You cried for a week. Your brother is a doctor.")
    more = t.model_copy(
        update={"turns": (*t.turns, Turn(speaker="patient", text="My brother is a doctor. No, I did not cry."))}
    )
    [short], [longer] = reader().read([t]), reader().read([more])
    assert short.p[3].tobytes() == longer.p[3].tobytes()


def test_a_session_gets_the_same_bits_alone_and_in_company() -> None:
    ts = [*sessions_for_checks(), told("You cried, and your sister left in April.")]
    for t, together in zip(ts, reader().read(ts), strict=True):
        [alone] = reader().read([t])
        assert alone.p.tobytes() == together.p.tobytes()
        assert alone.codes == together.codes


@pytest.mark.parametrize("space", ["  ", "\t", "\n", " \r\n "])
def test_white_space_changes_nothing(space: str) -> None:
    reply = "You cried for a week, and your sister left in April. Do you miss her?"
    plain, spaced = told(reply), told(reply.replace(" ", space))
    [a], [b] = reader().read([plain]), reader().read([spaced])
    assert a.p.tobytes() == b.p.tobytes()
    wide = tuple(x.model_copy(update={"text": f" {x.text.replace(' ', space)} "}) for x in plain.turns)
    [c] = reader().read([plain.model_copy(update={"turns": wide})])
    assert a.p.tobytes() == c.p.tobytes()


def test_spans_are_the_claims_with_their_verdicts() -> None:
    t = told("You cried for a week. Maybe you miss her.")
    [(start, end, verdict, p)] = reader().spans(t, 3)
    assert t.turns[3].text[start:end] == "You cried for a week"
    assert verdict in ("supported", "contradicted", "unmentioned")
    assert 1 / 3 <= p <= 1


def test_withheld_labels_are_undetermined() -> None:
    made = ClaimReader("claims.v1", ClaimCoder(load_claims("claims.v1")), (frozenset(LABELS[1:]), frozenset()))
    [reading] = made.read([told("You cried for a week.")])
    assert reading.codes[3] == "undetermined"
    assert reading.values()[3] is None


_OF_THE_PATTERNS = sorted({w for p in (_ADVICE, _HEDGE) for w in re.findall(r"[a-z]{2,}", p.pattern)} | {"i", "you're"})


@settings(max_examples=400)
@given(st.lists(st.sampled_from(_OF_THE_PATTERNS), min_size=1, max_size=7))
def test_what_is_looked_at_first_is_in_whatever_a_long_pattern_finds(words: list[str]) -> None:
    text = " ".join(words)
    single = set(re.findall(r"\w+", text))
    assert not _ADVICE.search(text) or single & _ADVISING
    assert not _HEDGE.search(text) or single & _HEDGING


WORDS = (
    "my sister left the house in March",
    "I said Priya was angry with me",
    "you feel ashamed, and your dad shouted",
    'you said "I am done with it". Ashamed.',
    "Priya thinks so. The house, the sister",
    "maybe you miss her? no",
    "",
)


@given(st.lists(st.tuples(st.sampled_from(["patient", "therapist"]), st.sampled_from(WORDS)), max_size=14))
@settings(max_examples=60, deadline=None)
def test_every_turn_is_held_against_exactly_what_was_said_before_it(turns: list[tuple[str, str]]) -> None:
    expected = []
    for k, (_, reply) in enumerate(turns):
        before = [text for who, text in turns[:k] if who == "patient"]
        for c in claims_in(reply, names_in(before), frozenset().union(*map(words_said, before))):
            a = None if c.hedged else asserted(c.span, k, feeling=c.kind == "feeling", quoted=c.quoted)
            expected += [] if a is None else [(k, c, a)]
    assert stated(turns, range(len(turns))) == expected


def test_what_the_patient_said_is_read_once_however_many_replies_come_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counting(texts: tuple[str, ...]) -> frozenset[str]:
        read.extend(texts)
        return names_in(texts)

    monkeypatch.setattr(claim_coder, "names_in", counting)
    reader().read([session(*(x for i in range(300) for x in (("patient", f"It is {i}."), ("therapist", "You left."))))])
    assert len(read) == 300
