"""A world's own ball: the same as one in the tables, drag as its closed form and Runge-Kutta have it, and its energy."""

import dataclasses
import math

import numpy as np
from catch_inputs import commands_at, grid_case

from carpal.labs.catch import catcher, catcher_engine
from carpal.labs.catch.air_flight import flown_in_air
from carpal.labs.catch.catcher_numbers import CatcherNumbers
from carpal.labs.catch.compiled import CompiledCatch
from carpal.labs.catch.kernels import watch as w

CATCHER = CompiledCatch(CatcherNumbers())
OTHER = CatcherNumbers(ball_mass=0.21, ball_radius=0.031, friction=0.55)


def struck(numbers=OTHER):
    """A state half a millimetre before a ball strikes the palm aslant, and its plan."""
    start, plan = grid_case(CATCHER, 0)
    q, v = np.array(start.q), np.array(start.v)
    q[..., -7:-4] = [0.17, -0.333 + numbers.ball_radius + 0.0005, -0.36]
    v[..., -6:-3] = [0.4, -1.0, 0.2]
    return start.replace(q=q, v=v), plan


def test_another_ball_is_that_ball_in_the_tables(figure):
    state, plan = struck()
    ours = CATCHER.run(state, [plan], 5, balls=OTHER.ball)[0]
    assert ours.watch[w.TOUCHED] > 0
    other = state
    engine = catcher_engine(catcher(numbers=OTHER), OTHER, dt=CATCHER.dt)
    for k in range(25):
        command, rate = commands_at(plan, k * 2e-4)
        other = engine.run(other, steps=10, command=command, rate=rate).state
    figure("catch: a world's own ball against the engine whose tables hold it, 5 ms with a contact: bodies",
           np.abs(ours.q - other.q).max(), 1e-9)  # fmt: skip
    np.testing.assert_allclose(ours.v[-6:], other.v[-6:], atol=1e-6)  # it slides, turns and springs back
    assert np.abs(ours.v[-3:]).max() > 1.0


def test_whose_tables_it_runs_with_does_not_matter():
    """A catcher made for another ball shares its tables with all: the same bits."""
    state, plan = struck()
    made = CompiledCatch(OTHER)
    np.testing.assert_array_equal(made.run(state, [plan], 3)[0].q, CATCHER.run(state, [plan], 3, balls=OTHER.ball)[0].q)


def test_a_ball_in_air(figure):
    start, plan = grid_case(CATCHER, 7)
    light = CatcherNumbers(ball_mass=0.02, drag=0.47)
    after = CATCHER.run(start, [plan], 100, balls=light.ball)[0]
    p, v = flown_in_air(start.q[-7:-4], start.v[-6:-3], light.air_rate, 0.1)
    figure(
        "catch: ball of 20 g in air after 0.1 s, kernel against Runge-Kutta [m]", np.abs(after.q[-7:-4] - p).max(), 1e-9
    )
    without = CATCHER.run(start, [plan], 100)[0]
    assert np.abs(without.q[-7:-4] - p).max() > 1e-3  # the drag is there
    np.testing.assert_allclose(after.v[-6:-3], v, atol=1e-8)


def test_terminal_speed():
    """At sqrt(g / k) weight and drag balance."""
    numbers = CatcherNumbers(ball_mass=0.003, drag=0.47)
    start, plan = grid_case(CATCHER, 7)
    v = np.array(start.v)
    v[-6:-3] = [0.0, -math.sqrt(9.81 / numbers.air_rate), 0.0]
    after = CATCHER.run(start.replace(v=v), [plan], 20, balls=numbers.ball)[0]
    np.testing.assert_allclose(after.v[-6:-3], v[-6:-3], atol=1e-10)


def test_its_energy_and_what_the_air_takes(figure):
    start, plan = grid_case(CATCHER, 7)
    light = dataclasses.replace(CatcherNumbers(), ball_mass=0.02, drag=0.47)
    before = CATCHER.run(start, [plan], 0, balls=light.ball)[0]
    after, _, work, lost = CATCHER.run(start, [plan], 100, balls=light.ball)
    plain_before, (plain, _, plain_work, plain_lost) = CATCHER.run(start, [plan], 0)[0], CATCHER.run(start, [plan], 100)
    taken = lost - plain_lost
    ball = 0.5 * 0.02 * (start.v[-6:-3] @ start.v[-6:-3] - after.v[-6:-3] @ after.v[-6:-3])
    ball -= 0.02 * 9.81 * (after.q[-6] - start.q[-6])
    figure("catch: energy that the air takes from the ball, ledger against its motion [J]", abs(taken - ball), 1e-8)
    change = (after.kinetic + after.potential) - (before.kinetic + before.potential)
    other = (plain.kinetic + plain.potential) - (plain_before.kinetic + plain_before.potential)
    np.testing.assert_allclose(change - (work - plain_work), other - taken, atol=1e-8)
