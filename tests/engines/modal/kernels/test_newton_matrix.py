"""The Newton matrix: a step from beside a solution leaves only what is of second order, in every branch."""

import numpy as np
import pytest
from contact_problems import NO_TREES, random_problem, solver_room

from carpal.engines.modal.kernels.contact_table import BRANCH, IMPULSE, STRETCH
from carpal.engines.modal.kernels.friction_law import APART, SLIDES, law_residual, velocities_under
from carpal.engines.modal.kernels.newton_matrix import factor_newton, mark_branches, right_side, solve_newton
from carpal.engines.modal.kernels.newton_solve import solve_contacts


def _left_after_a_step(W, solved, push):
    """Residual of the contact law, relative to its scale, after a Newton step from impulses that are off by `push` (n, 3)."""
    con, n = solved.copy(), solved.shape[1]
    A, Y, x, index, _, pivots, bodies = solver_room(n)
    con[0, :, IMPULSE : IMPULSE + 3] += push
    velocities_under(W, con, 0, n)
    mark_branches(W, con, 0, n)
    m = factor_newton(NO_TREES, W, con, A, Y, index, pivots, bodies, 0, 0.0, 0, n)
    right_side(W, con, x, index, 0, m)
    assert m >= 0 and solve_newton(NO_TREES, W, con, A, Y, x, index, pivots, bodies, 0, 0.0, 0, m, n)
    for i in range(m):
        con[0, int(index[0, i]) // 4, IMPULSE + int(index[0, i]) % 4] += x[0, i]
    velocities_under(W, con, 0, n)
    worst, scale = law_residual(W, con, 0, n)
    return worst / scale


@pytest.mark.parametrize("stretch", [1.0, 10.0, 0.1])
def test_a_step_from_beside_a_solution_leaves_what_is_of_second_order(stretch, figure):
    rng, worst, seen = np.random.default_rng(1), 0.0, set()
    for k in range(30):
        n = 1 + k % 4
        W, con, _, _ = random_problem(rng, n, "any")
        solve_contacts(NO_TREES, W, con, *solver_room(n), 0, n)
        con[0, :, STRETCH] = stretch - 1.0
        velocities_under(W, con, 0, n)
        mark_branches(W, con, 0, n)
        seen |= set(con[0, :, BRANCH].astype(int).tolist())
        pressed = con[0, :, BRANCH] != APART
        size = 1e-6 * np.abs(con[0, :, IMPULSE : IMPULSE + 3]).max()
        push = size * rng.normal(size=(n, 3)) * pressed[:, None]
        worst = max(worst, _left_after_a_step(W, con, push))
    assert APART in seen and SLIDES in seen
    figure(f"Newton step from 1e-6 beside the solution, projections {stretch:g} times as long: left", worst, 1e-8)
