"""The mount kernel: force and torque at the world's origin, with the fixed parts' weight."""

import numpy as np
from kernel_inputs import BODIES, JOINTS, MODEL, SLOT, WORLD, WORLDS, q, scratch, spoiled, v, vdot

from carpal.dynamics import inverse_dynamics
from carpal.dynamics.kernels.mount import mount_batch
from carpal.dynamics.kernels.rnea import COLUMNS


def run(bodies: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    tau, wrench = np.empty((WORLDS, MODEL.nv)), np.empty((WORLDS, 6))
    bad = mount_batch(JOINTS, bodies, q, v, vdot, tau, wrench, scratch(COLUMNS), 0, WORLDS, 1, SLOT)
    return tau, wrench, bad


def test_joint_forces_come_along() -> None:
    tau, _, bad = run(BODIES, q)
    assert bad == 0
    assert np.array_equal(tau, inverse_dynamics(MODEL, q, v, vdot))


def test_a_heavier_base_adds_its_weight_and_its_moment() -> None:
    heavier, extra, where = BODIES.copy(), 3.0, np.array([0.2, -0.1, 0.5])
    heavier[0, 12] += extra
    heavier[0, 13:16] += extra * where
    more = run(heavier, q)[1] - run(BODIES, q)[1]
    push = -extra * MODEL.gravity
    assert np.allclose(more, np.concatenate([push, np.cross(where, push)]), rtol=0, atol=1e-11)


def test_bad_worlds_are_named() -> None:
    assert run(BODIES, spoiled(q))[2] == WORLD + 1
