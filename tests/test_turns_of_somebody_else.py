"""A long turn about another life is sent back; long turns of the general kind are not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from turnwise.core.nouns import Turn
from turnwise.core.seeds import generator
from turnwise.engine.conformance_turns import frozen_turns
from turnwise.patients.casebook import case_ids, load_case
from turnwise.patients.stateful import stateful
from turnwise.patients.test_stub_ear import RuleEar

SOAP = (
    "It sounds as though the washing has taken over your mornings. Washing your hands for twenty seconds with "
    "plain soap is enough for germs; more soap does not mean fewer germs, and it hurts the skin. You could try to "
    "leave the soap in the cupboard for one hour and see what the germs do. What do you think would happen if you "
    "washed only once?"
)


async def _second_reply(case: str, line: str) -> dict[str, Any]:
    patient, key = stateful(ear=RuleEar()), f"stateful.v1/{case}"
    state = patient.init(load_case(case), generator(1, key, 0, "patient", -1))
    heard: tuple[Turn, ...] = ()
    info: dict[str, Any] = {}
    for text in ("Hello. What brings you here today?", line):
        heard += (Turn(speaker="therapist", text=text),)
        reply = await patient.respond(state, heard, generator(1, key, 0, "patient", len(heard)))
        heard += (Turn(speaker="patient", text=reply.text),)
        state, info = reply.state, dict(reply.info)
    return info


@pytest.mark.parametrize("case", case_ids())
def test_somebody_elses_soap_is_sent_back(case: str) -> None:
    assert asyncio.run(_second_reply(case, SOAP))["said"]["kind"] == "not_mine"


def test_long_turns_that_would_suit_anybody_are_not_sent_back() -> None:
    long = [u.text for u in frozen_turns().unplanned if u.length == "long"]
    assert len(long) >= 20
    for case in ("alun", "keisha", "vikram"):
        for text in long:
            assert asyncio.run(_second_reply(case, text))["said"]["kind"] != "not_mine", (case, text[:80])
