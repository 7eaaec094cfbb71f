"""Moving a configuration: in place, only its own world, and unit quaternions out."""

import numpy as np
from kernel_inputs import JOINTS, MODEL, WORLD, WORLDS, q, spoiled, v

from carpal.kinematics.kernels.integrate import integrate, integrate_batch, integrate_body
from carpal.model import NQ, NV
from carpal.model.tables import KINDS


def test_in_place_equals_out_of_place() -> None:
    out, inside = np.full(q.shape, 7.0), q.copy()
    integrate(JOINTS, q, v, 0.3, out, WORLD)
    integrate(JOINTS, inside, v, 0.3, inside, WORLD)
    assert np.array_equal(out[WORLD], inside[WORLD])
    assert np.array_equal(inside[0], q[0])
    assert (out[0] == 7.0).all()


def test_one_body_moves_its_own_coordinates_by_a_velocity_that_may_stand_elsewhere() -> None:
    """Inverse kinematics keeps velocities in the chain's order, not the model's."""
    whole = np.full(q.shape, 7.0)
    integrate(JOINTS, q, v, 0.3, whole, WORLD)
    for body in range(1, len(JOINTS)):
        kind, _, iq, iv = JOINTS[body]
        nq, nv = NQ[KINDS[kind]], NV[KINDS[kind]]
        moved = np.full((WORLDS, nv + 2), np.nan)
        moved[WORLD, 2:] = v[WORLD, iv : iv + nv]
        out = np.full(q.shape, 7.0)
        integrate_body(JOINTS, body, q, moved, 2, 0.3, out, WORLD)
        assert np.array_equal(out[WORLD, iq : iq + nq], whole[WORLD, iq : iq + nq])
        out[WORLD, iq : iq + nq] = 7.0
        assert (out == 7.0).all()


def test_quaternions_come_out_with_length_one() -> None:
    out = np.empty_like(q)
    assert integrate_batch(JOINTS, 3 * q, v, np.full((WORLDS, 1), 0.2), out, 0, WORLDS, 1, 0) == 0
    for kind, first in MODEL.joint_slices():
        if kind in ("ball", "free"):
            wxyz = out[:, first + NQ[kind] - 4 : first + NQ[kind]]
            assert np.abs(np.linalg.norm(wxyz, axis=1) - 1).max() < 4e-16


def test_bad_worlds_are_named() -> None:
    dt = np.full((WORLDS, 1), 0.2)
    assert integrate_batch(JOINTS, spoiled(q), v, dt, np.empty_like(q), 0, WORLDS, 1, 0) == WORLD + 1
    dt[WORLD] = np.inf
    assert integrate_batch(JOINTS, q, v, dt, np.empty_like(q), 0, WORLDS, 1, 0) == WORLD + 1
