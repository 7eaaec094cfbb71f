"""Contacts in the middle of the step: rates of arms and normals, and what they do to the energy of a rolling ellipsoid."""

import hard_contact_scenes as hard
import numpy as np
from modal_stages import plain

from carpal.engines import ModalEngine
from carpal.engines.modal.kernels.contact_table import (
    AXIS,
    CONTACT_COLUMNS,
    LEAD,
    NORMAL,
    POINT,
    PRESSED,
    RATE,
    ROW_A,
    ROW_B,
    STARTED,
    TREE_A,
    TREE_B,
)
from carpal.engines.modal.kernels.leading import forget_rates, lead_contacts, start_contacts
from carpal.kinematics.kernels.placement import P_WB

TREES = np.array([[0, 6, 1, 1, 0, 0], [6, 6, 0, 2, 0, 0]], np.int64)
"""A single free body and a robot."""


def _moved(tree):
    """A contact of a body with the world whose arm and normal turn at 2 rad/s, after two parts of 0.1 s."""
    con, placed = np.zeros((1, 1, CONTACT_COLUMNS)), np.zeros((1, 2, 18))
    con[0, 0, [ROW_A, ROW_B, TREE_A, TREE_B, PRESSED]] = 1, 0, tree, -1, 1
    for angle in (0.0, 0.2):
        turn = np.array([np.cos(angle), np.sin(angle), 0.0])
        placed[0, 1, P_WB : P_WB + 3] = [3.0 * angle, 0, 0]
        con[0, 0, POINT : POINT + 3] = placed[0, 1, P_WB : P_WB + 3] + turn
        con[0, 0, NORMAL : NORMAL + 3] = con[0, 0, AXIS : AXIS + 3] = -turn  # as the search for contacts leaves them
        plain(start_contacts)(TREES, placed, con, 0.1, 0, 1)
    plain(lead_contacts)(TREES, con, 0.1, 0, 1)
    return con[0, 0]


def test_arms_and_normals_go_on_as_they_changed():
    row = _moved(0)
    assert row[STARTED] == 2.0
    change = np.array([np.cos(0.2) - 1, np.sin(0.2), 0.0])
    assert np.abs(row[RATE : RATE + 3] - change / 0.1).max() < 1e-12
    assert np.abs(row[LEAD : LEAD + 3] - 0.5 * change).max() < 1e-12, "half of it over half a step"
    expected = -np.array([np.cos(0.2), np.sin(0.2), 0]) - 0.5 * change
    assert np.abs(row[AXIS : AXIS + 3] - expected / np.linalg.norm(expected)).max() < 1e-12


def test_contacts_of_robots_stay_at_the_start_of_the_step():
    row = _moved(1)
    assert (row[LEAD : LEAD + 6] == 0.0).all()
    assert np.array_equal(row[AXIS : AXIS + 3], row[NORMAL : NORMAL + 3])


def test_a_collision_ends_the_rates():
    con = np.zeros((1, 1, CONTACT_COLUMNS))
    con[0, 0, STARTED] = 2.0
    forget_rates(con, 0, 0)
    assert con[0, 0, STARTED] == 1.0


def test_a_rolling_ellipsoid_gains_nothing(figure):
    """With contacts at the start of the step it gains 1 % in a second."""
    scene, surface, seconds = hard.ellipsoid()
    engine, state = ModalEngine(scene.build(), surface=surface), scene.start()
    first, lost, gained = sum(engine.energies(state)), 0.0, 0.0
    for _ in range(round(100 * seconds)):
        ahead = engine.run(state, None, 10)
        state, lost = ahead.state, lost + float(ahead.dissipated)
        gained = max(gained, float(sum(engine.energies(state)) + lost - first))
    figure("rolling ellipsoid, time stepper, 1 ms: energy gained in 1 s [of it]", gained / float(first), 1e-4)
