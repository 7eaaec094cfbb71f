"""The simulated truth: coordinates, what may touch while the relay stands or is held."""

import numpy as np
from retrieve_inputs import RELAY_AT

from carpal.kinematics import fk
from carpal.labs.retrieve import HOME, relay_pose
from carpal.labs.retrieve.scene import OPEN
from carpal.labs.retrieve.simulation.true_scene import (
    CARRIED,
    NEAR_GROUND,
    STANDS,
    true_checker,
    true_model,
    true_rows,
    true_scene,
)


def test_coordinates_are_joints_opening_and_the_relays_pose():
    model = true_model()
    X = relay_pose(*RELAY_AT)
    row = true_rows(HOME, OPEN, X)
    assert row.shape == (13,) == (model.nq,)
    assert np.allclose(fk(model, row, "relay/relay"), X)
    blade, wrist = (fk(model, row, f"arm/{name}")[:3, 3] for name in ("blade_link", "wrist_link"))
    closed = fk(model, true_rows(HOME, 0.003, X), "arm/blade_link")[:3, 3]
    assert (
        np.linalg.norm(blade - closed) == np.float64(OPEN - 0.003)
        or abs(np.linalg.norm(blade - closed) - 0.032) < 1e-12
    )
    assert np.linalg.norm(blade - wrist) > np.linalg.norm(closed - wrist)
    assert np.allclose(true_scene(X).start().q[:5], HOME)


def test_what_counts_depends_on_who_holds_it():
    X = relay_pose(*RELAY_AT)
    standing, sunk = true_rows(HOME, OPEN, X), X.copy()
    sunk[2, 3] = -0.002
    low = true_rows(HOME, OPEN, sunk)
    assert not true_checker(STANDS)(standing) and not true_checker(STANDS)(low)
    assert not true_checker(NEAR_GROUND)(low) and true_checker(CARRIED)(low)
    at_arm = true_rows(HOME, OPEN, relay_pose(0.0, -0.45, 0.0))
    assert all(true_checker(how)(at_arm) for how in (STANDS, NEAR_GROUND, CARRIED)), "the arm's links always count"
