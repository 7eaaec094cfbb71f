"""The linear system of the bodies against the dense one of the contacts; order and envelope of the trees."""

import numpy as np
from modal_stages import plain

from carpal.engines.modal.kernels.arrays import Bodies
from carpal.engines.modal.kernels.body_solve import factor_bodies, order_trees, solve_bodies
from carpal.engines.modal.kernels.contact_table import (
    ACTIVE,
    BRANCH,
    CLOSED,
    CONTACT_COLUMNS,
    IMPULSE,
    ISLAND_END,
    MU,
    TORSION,
    TREE_A,
    TREE_B,
)
from carpal.engines.modal.kernels.friction_law import HELD, SLIDES, SPINS

WIDE = 6


def _chain(rng, trees, contacts):
    """Contacts between neighbours of a row of trees and with the world, with random rows Y; W of them."""
    con, Y = np.zeros((1, contacts, CONTACT_COLUMNS)), np.zeros((1, 8 * contacts, WIDE))
    table = np.zeros((trees, 6), np.int64)
    table[:, 1] = rng.integers(3, WIDE + 1, trees)
    for c in range(contacts):
        a = c if c < trees - 1 else int(rng.integers(trees - 1))
        con[0, c, [TREE_A, TREE_B]] = a, -1 if c >= trees and rng.random() < 0.5 else a + 1
        for side, tree in enumerate(con[0, c, [TREE_A, TREE_B]].astype(int)):
            if tree >= 0:
                Y[0, 8 * c + 4 * side : 8 * c + 4 * side + 4, : table[tree, 1]] = rng.normal(size=(4, table[tree, 1]))
    con[0, :, ISLAND_END], con[0, :, CLOSED], con[0, :, MU] = contacts, 1.0, 0.5
    return table, con, Y


def _dense(table, con, Y):
    """Rows of all contacts in the coordinates of all trees."""
    first = np.concatenate([[0], np.cumsum(table[:, 1])])
    rows = np.zeros((4 * con.shape[1], first[-1]))
    for c in range(con.shape[1]):
        for side, tree in enumerate(con[0, c, [TREE_A, TREE_B]].astype(int)):
            if tree >= 0:
                at = slice(first[tree], first[tree] + table[tree, 1])
                rows[4 * c : 4 * c + 4, at] += Y[0, 8 * c + 4 * side : 8 * c + 4 * side + 4, : table[tree, 1]]
    return rows


def _room(table):
    n = int(table[:, 1].sum())
    return Bodies(
        *(np.full((1, n, n), np.nan) for _ in range(2)), np.zeros((1, n)), *np.full((4, 1, len(table) + 1), np.nan)
    )


def test_the_solution_is_that_of_the_dense_newton_matrix(figure):
    rng, soft, worst = np.random.default_rng(0), 1e-3, 0.0
    for _ in range(6):
        table, con, Y = _chain(rng, 5, 12)
        rows = _dense(table, con, Y)
        W = (rows @ rows.T)[None]
        P, Q, kept = np.zeros((48, 48)), np.zeros((48, 48)), []
        for c in range(12):
            i, kind = 4 * c, rng.integers(5)
            size = np.diag(W[0])[i : i + 3].max()
            if kind == 4:  # apart
                continue
            con[0, c, ACTIVE], con[0, c, BRANCH] = (1, HELD) if kind == 0 else (4, HELD) if kind == 3 else (3, HELD)
            con[0, c, TORSION] = 0.1 if kind == 3 else 0.0
            con[0, c, MU] = 0.0 if kind == 0 else 0.5
            kept += [i + 2] if kind == 0 else list(range(i, i + (4 if kind == 3 else 3)))
            P[i : i + 4, i : i + 4] = np.eye(4)
            Q[i : i + 3, i : i + 3] = soft * (W[0, i + 2, i + 2] if kind == 0 else size) * np.eye(3)
            Q[i + 3, i + 3] = soft * W[0, i + 3, i + 3]
            if kind >= 2:  # slides, and spins where the tip is soft; t = IMPULSE, since AFTER is zero
                angle, r_n = rng.uniform(0, 6), rng.uniform(1, 2)
                d, rho = np.array([np.cos(angle), np.sin(angle)]), 2.0 / (W[0, i, i] + W[0, i + 1, i + 1])
                con[0, c, IMPULSE : IMPULSE + 4] = [*(0.9 * r_n * d), r_n, -0.3]
                con[0, c, BRANCH] = SLIDES + (SPINS if kind == 3 else 0)
                p = 0.5 / 0.9 / (1.0 + soft) * (np.eye(2) - np.outer(d, d))
                P[i : i + 2, i : i + 2], Q[i : i + 2, i : i + 2] = rho * p, np.eye(2) - p
                Q[i : i + 2, i + 2] = -0.5 * d
                if kind == 3:
                    P[i + 3, i + 3], Q[i + 3, i + 3], Q[i + 3, i + 2] = 0.0, 1.0, 0.1
        b = rng.normal(size=len(kept))
        truth = np.linalg.solve((P @ W[0] + Q)[np.ix_(kept, kept)], b)
        bodies, x = _room(table), np.r_[b, np.zeros(48 - len(kept))][None]
        unknowns = plain(order_trees)(table, con, bodies, 0, 12)
        assert plain(factor_bodies)(table, W, con, Y, bodies, soft, 0, 12, unknowns)
        assert plain(solve_bodies)(table, W, con, Y, bodies, x, soft, 0, 12, unknowns)
        worst = max(worst, np.abs(x[0, : len(kept)] - truth).max() / np.abs(truth).max())
    figure("Newton step in the space of the bodies: off the dense one [of it]", worst, 1e-10)


def test_trees_stand_side_by_side_with_those_they_touch():
    """A row of trees in any order of numbers has an envelope of one neighbour."""
    rng, n = np.random.default_rng(1), 9
    numbers = rng.permutation(n)
    table, con = np.zeros((n, 6), np.int64), np.zeros((1, n - 1, CONTACT_COLUMNS))
    table[:, 1] = 6
    con[0, :, TREE_A], con[0, :, TREE_B], con[0, :, ISLAND_END] = numbers[:-1], numbers[1:], n - 1
    bodies = _room(table)
    assert plain(order_trees)(table, con, bodies, 0, n - 1) == 6 * n
    places = np.arange(n)
    assert sorted(bodies.queue[0, :n]) == list(range(n))
    assert np.array_equal(bodies.reach[0, :n], np.maximum(places - 1, 0))
    assert np.array_equal(bodies.at[0], 6 * np.arange(n + 1))
