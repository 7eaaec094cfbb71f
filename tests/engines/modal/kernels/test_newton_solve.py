"""The solver on random contact problems, redundant ones among them, judged by an independent check."""

import numpy as np
import pytest
from contact_problems import NO_TREES, complementarity_errors, random_problem, solver_room

from carpal.engines.modal.kernels.contact_table import IMPULSE
from carpal.engines.modal.kernels.newton_solve import onto_cone, solve_contacts


def _solve(W, con):
    n = con.shape[1]
    return solve_contacts(NO_TREES, W, con, *solver_room(n), 0, n)


@pytest.mark.parametrize("kind", ["grasp", "any", "floor"])
def test_random_problems_are_solved(kind, figure):
    rng = np.random.default_rng(3)
    worst, steps = 0.0, 0
    for k in range(200):
        W, con, mu, torsion = random_problem(rng, 1 + k % 8, kind)
        before = con.copy()
        residual, spent = _solve(W, con)
        r = con[0, :, IMPULSE : IMPULSE + 4]
        worst = max(worst, residual, *complementarity_errors(W[0], before[0], r, mu, torsion))
        steps += spent
    figure(f"solver, {kind} contacts: worst relative error over 200 problems", worst, 1e-9)
    assert steps / 200 < 12


@pytest.mark.full
@pytest.mark.parametrize("kind", ["grasp", "any", "floor"])
def test_many_random_problems_are_solved(kind, figure):
    rng = np.random.default_rng(4)
    failed = 0
    for k in range(5000):
        W, con, mu, torsion = random_problem(rng, 1 + k % 12, kind)
        before = con.copy()
        _solve(W, con)
        errors = complementarity_errors(W[0], before[0], con[0, :, IMPULSE : IMPULSE + 4], mu, torsion)
        failed += max(errors) > 1e-8  # of the largest force and speed, which may be far below what comes in
    figure(f"solver, {kind} contacts: problems of 5,000 above 1e-8", failed, 0)


def test_a_block_on_eight_points_is_carried_although_its_forces_are_not_unique():
    W, con, mu, torsion = random_problem(np.random.default_rng(5), 8, "floor")
    before = con.copy()
    assert np.linalg.matrix_rank(W[0]) < 24
    residual, _ = _solve(W, con)
    assert residual < 1e-10
    assert max(complementarity_errors(W[0], before[0], con[0, :, IMPULSE : IMPULSE + 4], mu, torsion)) < 1e-9


def test_rounding_is_cut_to_the_cone():
    _, con, mu, _ = random_problem(np.random.default_rng(6), 1, "any")
    con[0, 0, IMPULSE : IMPULSE + 3] = 2.0, 0.0, 1.0
    onto_cone(con, 0, 0)
    assert con[0, 0, IMPULSE] == pytest.approx(mu)
