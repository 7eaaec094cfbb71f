"""Closing gaps: an overlap goes away at once, the velocity does not know of it, and nothing creeps sideways."""

import modal_scenes as scenes
import numpy as np
from contact_problems import solver_room

from carpal.engines import ModalEngine, Surface
from carpal.engines.modal.kernels.contact_modes import SLIDE, STICK
from carpal.engines.modal.kernels.contact_table import (
    CONTACT_COLUMNS,
    GAP,
    IMPULSE,
    INCLUDED,
    ISLAND_END,
    MATCH,
    MODE,
    MU,
    TREE_A,
    TREE_B,
)
from carpal.engines.modal.kernels.projection import project_positions


def test_an_overlap_is_lifted_out_without_speed():
    scene = scenes.thrown_ball(0.0)
    start = scene.start()
    q = start.q.copy()
    q[2] -= 8e-7
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.5))
    state = engine.step(start.replace(q=q), np.zeros(6))
    assert abs(state.q[2] - 0.1) < 1e-12
    assert np.abs(state.v).max() < 1e-15
    assert np.abs(state.q[:2]).max() < 1e-15


def test_a_block_that_is_pushed_but_sticks_does_not_creep(figure):
    scene = scenes.block(push=(1.5, 0.5))
    engine = ModalEngine(scene.build(), surface=Surface(mu=0.2))
    state = engine.run(scene.start(), None, 2000).state
    figure("block that sticks on four corners: creep in 2 s [m]", np.abs(state.q - scene.start().q).max(), 1e-13)


def test_the_tangents_of_a_sticking_contact_are_held_and_of_a_sliding_one_are_not():
    """One tree with three freedoms of unit mass whose normal and first tangent are not at right angles."""
    Y = np.zeros((1, 8, 3))
    Y[0, :3] = [[1.0, 0, 0], [0, 1.0, 0], [0.3, 0, 1.0]]
    W = np.zeros((1, 4, 4))
    W[0, :3, :3] = Y[0, :3] @ Y[0, :3].T
    trees, order = np.array([[0, 3, 0]]), np.array([[k, k, 0] for k in range(3)])
    con, fresh = np.zeros((1, 1, CONTACT_COLUMNS)), np.zeros((1, 1, CONTACT_COLUMNS))
    con[0, 0, [MU, INCLUDED, IMPULSE + 2, TREE_A, TREE_B, ISLAND_END]] = 0.5, 1.0, 1.0, 0, -1, 1
    fresh[0, 0, [GAP, MATCH]] = 1e-6, 0
    for mode, holding, slips in ((STICK, True, False), (STICK, False, True), (SLIDE, True, True)):
        con[0, 0, MODE] = mode
        room = [np.zeros((1, 4, 4)), *(np.zeros((1, 4)) for _ in range(3)), *(np.zeros((1, 3)) for _ in range(2))]
        bodies, L = solver_room(1)[-1], np.eye(3)[None]
        rows = project_positions(
            trees, order, W, L, Y, con, fresh, *room[:4], bodies, *room[4:], holding, 0, False, 0, 1, 1
        )
        assert rows == (1 if slips else 3)
        moved = Y[0, :3] @ room[4][0]
        assert abs(moved[2] + 1e-6) < 1e-14
        assert (abs(moved[0]) > 1e-8) == slips
