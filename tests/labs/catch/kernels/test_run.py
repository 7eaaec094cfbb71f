"""The compiled loop: the engine's own step, cuts and batches bit for bit, divergence within ten steps."""

import numpy as np
from catch_inputs import commands_at, grid_case

from carpal.labs.catch.catcher_numbers import CatcherNumbers
from carpal.labs.catch.compiled import CompiledCatch
from carpal.labs.catch.kernels import watch as w

CATCHER = CompiledCatch(CatcherNumbers())


def test_its_step_is_the_engines(figure):
    start, plan = grid_case(CATCHER, 0)
    q, v = np.array(start.q), np.array(start.v)
    q[..., -7:-4] = [0.17, -0.3075, -0.36]  # half a millimetre above the palm of the start pose
    v[..., -6:-3] = [0.1, -1.0, 0.2]
    state = start.replace(q=q, v=v)
    ours, _, _, _ = CATCHER.run(state, [plan], 5, keep=False)
    assert ours.watch[w.TOUCHED] > 0  # it strikes the palm on the way
    other = state
    # the same commands, held and running on at their rates, in the engine itself
    for k in range(25):
        command, rate = commands_at(plan, k * 2e-4)
        other = CATCHER.engine.run(other, steps=10, command=command, rate=rate).state
    figure(
        "catch: compiled loop against the penalty engine with the same commands, 5 ms with a contact: bodies",
        np.abs(ours.q - other.q).max(),
        1e-9,
    )


def test_where_a_run_is_cut_does_not_matter():
    start, plan = grid_case(CATCHER, 7)
    whole = CATCHER.run(start, [plan], 6)[0]
    first = CATCHER.run(start, [plan], 2)[0]
    second = CATCHER.run(first, [plan], 4)[0]
    for part in ("q", "v", "anchors", "carry", "watch"):
        np.testing.assert_array_equal(getattr(whole, part), getattr(second, part))


def test_many_are_the_same_as_one():
    cases = [grid_case(CATCHER, k) for k in (0, 11, 29)]
    start = cases[0][0].replace(
        **{part: np.array([getattr(s, part) for s, _ in cases]) for part in ("q", "v", "anchors", "carry", "watch")}
    )
    many = CATCHER.run(start, [plan for _, plan in cases], 4)[0]
    for row, (state, plan) in enumerate(cases):
        one = CATCHER.run(state, [plan], 4)[0]
        np.testing.assert_array_equal(one.q, many.q[row])
        np.testing.assert_array_equal(one.watch, many.watch[row])


def test_a_step_that_diverges_is_noticed_at_once():
    start, plan = grid_case(CATCHER, 0)
    v = np.array(start.v)
    v[:3] = 1e6
    after = CATCHER.run(start.replace(v=v), [plan], 1)[0]
    assert 0 <= after.watch[w.DIVERGED] <= 10 * CATCHER.dt
