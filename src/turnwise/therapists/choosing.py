"""Choose the next act by expected value under the beliefs, what it leads to, and what it is expected to teach.

A safety mask comes before any value. What an act costs beside its place in the tables: insisting, repeating,
leading in several questions running, pressing beyond what can be borne, advising before exploring; and what it
costs to withhold what is asked for stands in the values of the needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from turnwise.core.nouns import Belief
from turnwise.therapists.acts import ACTS, NEED_VALUES, STANCE_VALUES, Act
from turnwise.therapists.futures import worth_of_futures
from turnwise.therapists.giving_back import lasting
from turnwise.therapists.ledger import Ledger, share
from turnwise.therapists.markers import markers
from turnwise.therapists.recognising import Call, call_of, wanted
from turnwise.therapists.reflecting import Heard
from turnwise.therapists.spoken import told_in
from turnwise.therapists.stance import information_gain
from turnwise.therapists.suiting import ANSWERED_BACK, CLOSING, SEEKS, TESTS, begun, not_asked_lately, on_it
from turnwise.therapists.tracking.levels import expected, ready, to_learn
from turnwise.therapists.tracking.needs import NEEDS
from turnwise.therapists.yielding import let_down

__all__ = ["ACTS", "TOO_RAW", "Act", "Choice", "Known", "Policy", "Worth", "choose", "too_early", "values"]

TOO_RAW = 0.33
"""Probability of raw, resisting or withdrawing above which a challenge comes too early."""
CURIOSITY = 0.5  # nats into value: a clear answer is worth about half of a well-placed act
FORESIGHT = 0.4  # weight of sampled futures beside the act's own value
_ASKED_FOR_IT = 0.35  # worth of asking about a thought that was voiced in so many words
_BROUGHT_UP = 0.35
_GOES_ON = 1.5  # worth of a second question of the kind: what does not fit adds up, where it can be borne
_STAYS = 1.6  # worth of going on with a thought while somebody is with it, rather than coming back to it later
_VOICED = 0.15  # probability that a turn voices a distorted thought from which it is asked about
_STRONG = 0.4  # intensity from which a challenge is followed by something gentler
_NOISE = 0.05  # so that equal values are not always settled alphabetically
_WORK_FROM, _WORK = 4, 1.6  # the middle of a session is where the thought is worked on, if it can be borne
_HOLDS = 1.0  # worth of asking what else bears out a view that somebody has found and goes on with
_GENTLER = 0.5  # share of that for asking when something hard is different, which looks at no thought
_EDGE, _READY = 6.0, 0.5  # worth of knowing that a challenge can be borne, and the probability from which it is tried
_WITHOUT_TABLES = 0.2  # nats that asking how the talk is would teach, for who has no tables to tell by
_ASKS_ONLY = 0.27  # intensity up to which a question at a thought is no challenge
_OF_THE_EDGE = 7.0  # nats into value: what a clear answer about the talk itself is worth, as it decides what follows
_AGAIN = 4  # turns after which somebody may be asked again how the talk is for them
_ASKS_FROM = 6  # patient turns before somebody is asked how the talk is: sooner, there is little to go by
_WEIGHS = {"synthesise": 0.35, "ask_both_sides": 1.5}  # worth of laying two sides of it beside one another
_TIRES = {"small_question": 0.12, "check_in": 0.2}  # what asking the like once more costs
_ANEW = 0.6  # worth of asking how the talk is where that was not asked lately
_EARLIEST = 3  # patient turns before anything is put to the test
_LATE = 16  # patient turns after which a session is brought together
_STAGES: Mapping[int, tuple[int, int]] = {1: (0, 4), 2: (4, 8), 3: (8, 10), 4: (10, 500)}


@dataclass(frozen=True, slots=True)
class Policy:
    """What the controller uses of what it has; each switch off is an ablation.

    ``tracks`` the patient (else the prior stays), ``foresees`` (else the best next act only: neither sampled futures
    nor a plan of the session's phases), ``validates`` its lines,
    ``adapts`` the order of stages (else fixed by turn), ``curious`` about what an act would teach; ``noise`` is the
    standard deviation of what is added to values, large for exploring. ``assumes`` is the probability that a challenge
    can be borne in place of what the belief says: for who learns the tables that the belief rests on.
    """

    tracks: bool = True
    foresees: bool = True
    validates: bool = True
    adapts: bool = True
    curious: bool = True
    noise: float = _NOISE
    assumes: float | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What is believed when an act is chosen: stance, edge, need, levels by variable, and what can be borne."""

    stance: Belief
    edge: Belief
    need: Belief
    levels: Mapping[str, Belief]
    bears: float

    @property
    def ready(self) -> float:
        """The probability that a mild challenge can be borne now."""
        return ready(self.levels["edge"])

    def needs(self, name: str) -> float:
        """Return the probability that the last turn calls for ``name``."""
        return float(self.need.p[NEEDS.index(name)])


@dataclass(frozen=True, slots=True)
class Worth:
    """An act with its total worth and the parts of it."""

    act: Act
    total: float
    now: float
    later: float
    teaches: float


def too_early(belief: Belief, act: Act) -> bool:
    """Whether a challenge would come too early for what the patient's stance may be."""
    return act.kind == "challenge" and _is_raw(belief)


def _is_raw(belief: Belief) -> bool:
    return share(belief, "raw", "resisting", "withdrawing") > TOO_RAW


def _open_now(ledger: Ledger, turn: Heard, known: Known, call: Call, *, bears: bool) -> dict[str, bool]:
    """Return, by act, whether it has what it needs; acts that are not named always have.

    ``call`` is what the turn calls for in so many words; ``bears`` that a challenge can be borne, as far as is known.
    """
    thought = bool(ledger.thought)
    # What was just answered to "what went through your mind?" can be looked at without quoting it.
    in_hand = thought or ledger.since("ask_thought") <= 2 or ledger.distortions > 0 or "absolute" in markers(turn.text)
    in_hand = in_hand or any(lasting(p) for p in ledger.kept)
    started, late = ledger.turn >= _EARLIEST, ledger.turn >= _LATE
    # A planned question may be tried where it only may be borne; not at what somebody has just laid open.
    with_it = (ledger.at_it > 0 or begun(ledger)) and call not in ("distortion", "feeling", "insight")
    may_test = in_hand and started and (bears or with_it)
    return _open_to_what_was_said(ledger, turn, known, call, bears=bears) | {
        "agenda": 1 <= ledger.turn <= 5 and "agenda" not in ledger.moves,
        "summarise": len(ledger.kept) >= 3 and ledger.since("summarise") >= 7 and ledger.turn >= 4,
        "ask_thought": ledger.turn >= 2,
        "check_in": ledger.turn >= _ASKS_FROM
        and not (late or ledger.turned)
        and ledger.since("check_in") >= _AGAIN
        and call in ("telling", "thin"),
        "ask_evidence": thought and ledger.since("ask_evidence") >= 6,
        "ask_both_sides": started and _was_looked_at(ledger, call) and not (ledger.turned or _is_raw(known.stance)),
        "ask_exception": may_test,
        "ask_different": started and not late and ledger.since("ask_different") >= _AGAIN and not _is_raw(known.stance),
        "ask_alternative": may_test and ledger.since("ask_alternative") >= 2,
        "synthesise": len(ledger.against) > ledger.synthesised,
        "next_step": (ledger.insights > 0 or ledger.changes >= 3.0 or late)
        and ledger.turn >= 8
        and ledger.since("next_step") >= 5
        and min(ledger.since("hold"), ledger.since("step_back")) >= 3
        and not any(x.kind == "task" for x in ledger.limits),
        "take_away": late and "take_away" not in ledger.moves and not ledger.turned,
        "normalise": ledger.since("normalise") >= 5 and (bool(turn.feelings) or ledger.unanswered > 0),
        "stay": ledger.since("stay") >= (2 if ledger.unanswered else 3),
        "receive": bool(ledger.here),
    }


def _was_looked_at(ledger: Ledger, call: Call) -> bool:
    """Whether somebody was just asked about a thought of theirs, or was before, so that both sides of it may be asked.

    A feeling that answers the question what the thought does to them is given back with it; any other comes first.
    """
    last = ledger.moves[-1] if ledger.moves else ""
    just = last in ("ask_view", "ask_thought")
    waits = call in ("distortion", "insight") or (call == "feeling" and last != "ask_view")
    known = just or (bool(ledger.viewed) and ledger.viewed == ledger.thought)
    return known and not waits and bool(ledger.thought) and ledger.thought != ledger.weighed


def _open_to_what_was_said(ledger: Ledger, turn: Heard, known: Known, call: Call, *, bears: bool) -> dict[str, bool]:
    """Return, by act that answers something in the last turn, whether that is there.

    A view and an insight are asked about as far as a challenge can be borne: each has a gentler act and a bolder one.
    """
    needs = known.needs
    told = call == "distortion" or (needs("distortion") > _VOICED and not ledger.unanswered)
    view = ledger.turn >= _EARLIEST and (told or ledger.at_it == 1)
    seen_anew = call == "insight" or needs("insight") > (0.35 if "insight" in markers(turn.text) else 0.7)
    seen_anew = seen_anew and min(ledger.since("consolidate"), ledger.since("test_insight")) >= 2
    return {
        "reflect_feeling": bool(turn.feelings),
        "reflect_content": turn.statement is not None,
        "attend": bool(turn.feelings) or turn.statement is not None or ledger.found,
        "small_question": needs("thin") > 0.3,
        "ask_view": view and not bears,
        "ask_other_view": bears and view,
        "check_hint": needs("hint") > 0.25 or bool(ledger.hints),
        "give": call == "request"
        or (needs("request") > 0.25 and (wanted(turn.text) is not None or needs("request") > 0.7)),
        "hold": call == "bait" or needs("bait") > 0.25,
        "consolidate": seen_anew and not bears,
        "test_insight": seen_anew and bears,
        "step_back": let_down(ledger, turn)
        or ledger.rebuffed
        or call == "pushback"
        or needs("invalidation") > 0.3
        or share(known.stance, "resisting") > 0.45,
    }


def _fit(ledger: Ledger, act: Act, bears: float, *, voiced: bool) -> float:
    """Return what the course of the session adds to or takes from an act's value.

    ``bears`` is the probability that a challenge can be borne; ``voiced`` a thought was, in so many words.
    """
    recent = ledger.moves[-3:]
    due = act.move in ("give", "hold", "consolidate", "test_insight", "step_back", "check_hint", "receive")
    fit = 0.0 if due else -0.35 * (act.move == (recent[-1] if recent else "")) - 0.12 * recent.count(act.move)
    asking = 0
    for move in reversed(ledger.moves):
        kind = ACTS[move].kind if move in ACTS else "support"
        if kind not in ("question", "challenge"):
            break
        asking += 1
    # Who took the floor for a thought, or voiced one in so many words, may be asked about that whatever came before.
    own = act.move in ("ask_view", "ask_other_view") and (ledger.turned or voiced)
    fit += _ASKED_FOR_IT * (voiced and own)
    if act.kind in ("question", "challenge") and not own:
        fit -= 0.12 * asking + 0.25 * max(0, asking - 1)
        fit -= 0.25 * ledger.unanswered * (0.4 if act.move == "small_question" else 1.0)
    elif asking == 0 and ledger.moves and act.move.startswith(("reflect", "stay", "normalise", "attend")):
        fit -= 0.12  # two turns of mirroring running: the patient is doing all the work
    # What somebody brings up unasked is theirs: how it is for them comes before the facts of it.
    fit += _BROUGHT_UP * (ledger.turned and act.move in ("attend", "reflect_feeling", "ask_view", "ask_other_view"))
    if ledger.moves and ledger.moves[-1] in ("hold", "step_back") and act.kind != "support":
        fit -= 0.3  # who was just disagreed with, or pushed back, is met before anything is asked of them
    fit += _STAYS * (act.move in TESTS and on_it(ledger)) + _HOLDS * (act.move == "ask_more")
    fit += _GOES_ON * (act.move in SEEKS and begun(ledger)) * min(1.0, bears / _READY)
    if act.kind == "challenge":
        fit += _EDGE * _presses(act) * (bears - _READY)
        pressed = [m for m in recent[-2:] if m in ACTS and ACTS[m].intensity >= _STRONG]
        fit -= 0.15 * len(pressed) * (0.3 if act.move == "synthesise" else 1.0)
        fit -= 0.6 * ledger.rupture  # what was pushed against is repaired before anything is asked of anybody
    return fit


def _in_order(act: Act, turn: int) -> bool:
    """Return whether an act may come in a fixed order of stages: none before its own, and after it only what answers.

    An answer to something that was called for may come later too: one can go back in an order, and not ahead.
    """
    low, high = _STAGES[act.stage]
    return low <= turn and (turn < high or bool(act.meets))


def _presses(act: Act) -> float:
    """Return how far an act is a challenge, 0 to 1: asking what somebody thinks is none yet."""
    return min(1.0, max(0.0, (act.intensity - _ASKS_ONLY) / (_STRONG - _ASKS_ONLY)))


def _of_course(ledger: Ledger, act: Act) -> float:
    """Return what the phase of the session adds: an agenda early, work in the middle, bringing together late."""
    late = ledger.turn >= _LATE
    just_pressed = bool(ledger.moves) and ledger.moves[-1] in ACTS and ACTS[ledger.moves[-1]].kind == "challenge"
    working = _WORK_FROM <= ledger.turn < _LATE + 2 and not just_pressed
    work = 1.0 if act.kind == "challenge" else _GENTLER * (act.move == "ask_different")
    return _WORK * work * working + _by_phase(ledger, act, late=late)


def _by_phase(ledger: Ledger, act: Act, *, late: bool) -> float:
    match act.move:
        case "ask_thought":
            return 0.7 * (ledger.since("ask_thought") >= _AGAIN) - 0.35 * (ledger.at_it > 0)
        case "ask_evidence":
            return 0.4 * ("ask_evidence" not in ledger.moves) - 0.2 * bool(ledger.against)
        case "ask_exception":
            return 0.2 * (ledger.since("ask_exception") >= 4) + 0.15 * bool(ledger.thought)
        case "ask_alternative":
            return 0.2 * bool(ledger.against) * (ledger.since("ask_alternative") >= 4) + 0.15 * bool(ledger.thought)
        case "synthesise" | "ask_both_sides":
            return _WEIGHS[act.move]
        case "summarise":
            return 0.25 * (len(ledger.kept) >= 4) + 0.15 * (ledger.since("summarise") >= 8)
        case "small_question" | "check_in":
            return -_TIRES[act.move] * ledger.moves.count(act.move)
        case "open_question":
            return 0.2 * (ledger.turn < 3) - 0.15 * (ledger.turn > 8)
        case "check_hint" if ledger.hints:
            return 0.35
        case "take_away":
            return 0.5 * late + 0.9 * (ledger.turn >= CLOSING)
        case "next_step":
            return 0.35 * late
        case _:
            return 0.0


def values(known: Known, ledger: Ledger, turn: Heard, rng: Generator, policy: Policy) -> dict[str, Worth]:
    """Return what every act that may be chosen now is worth."""
    gains = {kind: information_gain(known.stance, kind) for kind in ("support", "question", "challenge", "offer")}
    now = STANCE_VALUES @ known.stance.p + NEED_VALUES @ known.need.p
    later = worth_of_futures(known.stance, known.edge, rng) if policy.foresees else np.zeros(len(ACTS))
    later = FORESIGHT * (later - later.mean())
    call = call_of(told_in(turn.text) or turn.text)  # what is called for in so many words can be answered at any rate
    bears, of_edge = policy.assumes, _WITHOUT_TABLES
    if bears is None:
        bears, of_edge = known.ready, to_learn(known.levels["edge"], "here")
    # Who comes to see something anew after a question about danger has answered it and gone on.
    went_on = call == "insight" and ledger.moves[-1:] == ("safety_check",)
    met_first = ledger.moves[-1:] != () and ledger.moves[-1] in ANSWERED_BACK and not went_on
    can_bear = bears >= _READY and not (met_first or _is_raw(known.stance))
    open_now = _open_now(ledger, turn, known, call, bears=can_bear)
    out = {}
    for i, act in enumerate(ACTS.values()):
        if too_early(known.stance, act) or not open_now.get(act.move, True):
            continue
        if not policy.adapts and not _in_order(act, ledger.turn):
            continue
        teaches = CURIOSITY * gains[act.kind] * policy.curious
        if act.move == "check_in":
            teaches += (_OF_THE_EDGE * of_edge + _ANEW * not_asked_lately(ledger)) * policy.curious
        own = float(now[i]) + _fit(ledger, act, bears, voiced=call == "distortion")
        own += _of_course(ledger, act) if policy.foresees else 0.0
        out[act.move] = Worth(act, own + float(later[i]) + teaches, own, float(later[i]), teaches)
    return out


@dataclass(frozen=True, slots=True)
class Choice:
    """An act that may be chosen, and what it is worth (with the noise that settles ties)."""

    act: Act
    worth: float
    known: Known
    of: Worth
    beside: Worth
    first: bool

    @property
    def why(self) -> str:
        """Why it would be chosen, in one sentence read off the beliefs and worths that decide."""
        return _why(self.of, self.beside, self.known, first=self.first)


def choose(known: Known, ledger: Ledger, turn: Heard, rng: Generator, policy: Policy | None = None) -> list[Choice]:
    """Return the acts that may be chosen, best first; each can say why. A little noise is among near ties."""
    policy = policy or Policy()
    worth = values(known, ledger, turn, rng, policy)
    noise = {move: policy.noise * float(rng.standard_normal()) for move in sorted(worth)}
    order = sorted(worth, key=lambda m: (-(worth[m].total + noise[m]), m))
    best = [worth[m] for m in order]
    second = best[min(1, len(best) - 1)]
    return [
        Choice(w.act, w.total + noise[w.act.move], known, w, best[0] if i else second, i == 0)
        for i, w in enumerate(best)
    ]


def _why(chosen: Worth, other: Worth, known: Known, *, first: bool) -> str:
    at = int(known.need.p.argmax())
    stance = int(known.stance.p.argmax())
    need = "nothing is called for" if NEEDS[at] == "none" else f"{NEEDS[at]} is called for ({known.need.p[at]:.2f})"
    bond = f", bond {expected('bond', known.levels['bond']):.2f}" if "bond" in known.levels else ""
    beside = f"before {other.act.move}" if first else f"where no words for {other.act.move} held up"
    return (
        f"{chosen.act.move}: {need}, "
        f"the patient seems {known.stance.hypotheses[stance]} ({known.stance.p[stance]:.2f}), "
        f"can bear a challenge {known.ready:.2f}{bond}; worth {chosen.now:.2f} now {chosen.later:+.2f} later "
        f"{chosen.teaches:+.2f} to learn, {beside} ({other.total:.2f})."
    )
