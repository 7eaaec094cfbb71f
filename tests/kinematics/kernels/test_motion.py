"""Velocity and acceleration carried outwards against J v and a hand-made case with a Coriolis term."""

import numpy as np
from kernel_inputs import BODIES, FRAMES, JOINTS, MODEL, WORLD, WORLDS, q, spoiled, v, vdot

from carpal.kinematics import frame_acceleration, jacobian
from carpal.kinematics.kernels.motion import motion_batch
from carpal.model import Body, Joint, Model

FRAME = MODEL.frame_index(None)


def run(q: np.ndarray, v: np.ndarray, vdot: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    V, A = np.empty((2, WORLDS, 6))
    chain = MODEL.tables.chains[FRAME]
    return V, A, motion_batch(JOINTS, BODIES, FRAMES, FRAME, chain, q, v, vdot, V, A, 0, WORLDS, 1, 0)


def test_velocity_is_the_jacobian_times_v_and_acceleration_is_linear_in_vdot() -> None:
    V, A, bad = run(q, v, vdot)
    _, rate, _ = run(q, v, 0 * vdot)
    J = jacobian(MODEL, q)
    assert bad == 0
    assert np.allclose(V, (J @ v[..., None])[..., 0], rtol=0, atol=1e-12)
    assert np.allclose(A - rate, (J @ vdot[..., None])[..., 0], rtol=0, atol=1e-12)


def test_a_bead_on_a_turning_rod_has_its_coriolis_acceleration() -> None:
    """Rod turning with w, bead at r sliding outwards with u: -r w^2 along the rod, 2 u w across."""
    rod = Body("rod", None, Joint("turn", "revolute"))
    bead = Body("bead", "rod", Joint("slide", "prismatic", axis=[1, 0, 0]))
    r, w, u = 0.7, 3.0, 0.4
    A = frame_acceleration(Model(name="rod", bodies=(rod, bead)), [0.0, r], [w, u], [0.0, 0.0])
    assert np.allclose(A, [-r * w * w, 2 * u * w, 0, 0, 0, 0], rtol=0, atol=1e-14)


def test_bad_numbers_anywhere_are_found_even_where_the_frame_does_not_feel_them() -> None:
    off_chain = MODEL.nv - 1
    assert np.abs(jacobian(MODEL, q)[..., off_chain]).max() == 0.0
    for given in ((spoiled(q), v, vdot), (q, spoiled(v), vdot), (q, v, spoiled(vdot))):
        assert run(*given)[2] == WORLD + 1
