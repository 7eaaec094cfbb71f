"""The edge of the compiled catch: starts, rows, refusals."""

import numpy as np
import pytest
from catch_inputs import Q_START, grid_case

from carpal.errors import InputError
from carpal.labs.catch import arm_angles
from carpal.labs.catch.catcher_numbers import CatcherNumbers
from carpal.labs.catch.compiled import ROW, CompiledCatch

CATCHER = CompiledCatch(CatcherNumbers())


def test_it_starts_in_the_start_pose_with_the_ball_thrown():
    state = CATCHER.start(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0]))
    np.testing.assert_allclose(arm_angles(CATCHER.mechanism, state.q), Q_START, atol=1e-9)
    np.testing.assert_array_equal(state.q[-7:-4], [1, 2, 3])
    np.testing.assert_array_equal(state.v[-6:-3], [4, 5, 6])


def test_rows_are_the_states_on_the_way():
    start, plan = grid_case(CATCHER, 3)
    after, rows, _, _ = CATCHER.run(start, [plan], 4, keep=True)
    assert rows.shape == (4, CATCHER.engine.model.nq + 21)
    np.testing.assert_array_equal(rows[0, : len(start.q)], start.q)
    np.testing.assert_array_equal(rows[2, : len(start.q)], CATCHER.run(start, [plan], 2)[0].q)
    assert after.time == pytest.approx(4 * ROW)


def test_the_ledger_of_the_approach_closes(figure):
    start, plan = grid_case(CATCHER, 3)
    first = CATCHER.run(start, [plan], 0)[0]
    after, _, work, lost = CATCHER.run(start, [plan], 100)
    change = (after.kinetic + after.potential) - (first.kinetic + first.potential)
    figure(
        "catch: energy nobody accounts for in the first 0.1 s over the work put in",
        abs(change - work + lost) / abs(work),
        1e-3,
    )


def test_refusals():
    with pytest.raises(InputError, match="must divide"):
        CompiledCatch(CatcherNumbers(), dt=1.7e-5)
    with pytest.raises(InputError, match="largest stable step"):
        CompiledCatch(CatcherNumbers(), dt=1e-4)
    start, plan = grid_case(CATCHER, 0)
    with pytest.raises(InputError, match="one plan"):
        CATCHER.run(start, [plan, plan], 1)
