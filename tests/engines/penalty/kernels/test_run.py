"""The entry: batches equal single worlds bit for bit, threads do not matter, a run can be cut in two, divergence is caught."""

import re

import numpy as np
import penalty_inputs as inputs
import pytest

from carpal.engines import ContactLaw, PenaltyEngine, PenaltyState
from carpal.errors import DivergedError
from carpal.model import Mechanism, PlacedShape, Sphere


def _many(engine, worlds):
    start = engine.start((worlds,))
    rng = np.random.default_rng(3)
    return PenaltyState(0.0, start.q, start.v + 0.01 * rng.normal(size=start.v.shape))


def test_many_worlds_equal_one_at_a_time_for_any_number_of_threads():
    many = _many(PenaltyEngine(inputs.pendulum(0.5), dt=2e-5), 5)
    ends = [PenaltyEngine(inputs.pendulum(0.5), dt=2e-5, threads=n).run(many, steps=200).state for n in (1, 2)]
    assert np.array_equal(ends[0].q, ends[1].q) and np.array_equal(ends[0].v, ends[1].v)
    engine = PenaltyEngine(inputs.pendulum(0.5), dt=2e-5)
    for world in range(5):
        alone = engine.run(PenaltyState(0.0, many.q[world], many.v[world]), steps=200).state
        assert np.array_equal(alone.q, ends[0].q[world]) and np.array_equal(alone.v, ends[0].v[world])


def test_a_run_can_be_cut_in_two():
    engine = PenaltyEngine(inputs.pendulum(0.5), dt=2e-5)
    whole = engine.run(engine.start(), steps=1_000).state
    half = engine.run(engine.run(engine.start(), steps=500).state, steps=500).state
    assert half.q == pytest.approx(whole.q, abs=1e-11) and half.time == whole.time


@pytest.mark.parametrize("over", [1.3, 3.0, 10.0])
def test_a_step_that_diverges_is_caught_within_ten_steps_and_named(over, figure):
    """Counted from where the motion stops to mean anything: the gap passes a hundred times its largest stable value."""
    stable = PenaltyEngine(inputs.pendulum(0.5), dt=1e-5)
    normal = max(stable.worst_gap(s)[0] for s in inputs.trace(stable, stable.start(), 2_000, 100))
    engine = PenaltyEngine(inputs.pendulum(0.5), dt=over * stable.stable_step, check_step=False)
    state, wrong = engine.start(), 0
    said = ""
    while not said and float(state.time) < 2_000 * engine.dt:
        try:
            state = engine.run(state).state
        except DivergedError as error:
            said = str(error)
        wrong += bool(engine.worst_gap(state)[0] > 100 * normal)
    assert re.search(r"t = .* s diverged at body 'rod'; the gap of joint 'pin/.*try dt", said)
    figure(f"divergence at {over:g} times the stable step: steps until caught", wrong, 10)


def test_a_contact_too_stiff_for_the_step_is_caught():
    ball = inputs.body(
        "ball",
        0.1,
        moments=(1e-5,) * 3,
        X_WB=inputs.pose((0, 0, 0.01)),
        shapes=(PlacedShape("s", "ball", Sphere(0.02)),),
    )
    law = ContactLaw(stiffness=1e13)
    engine = PenaltyEngine(Mechanism("ball", (ball,), fixed=inputs.floor()), dt=1e-3, contact=law, check_step=False)
    with pytest.raises(DivergedError, match="body 'ball'"):
        engine.run(engine.start(), steps=100)
