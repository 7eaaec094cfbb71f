"""Passive forces: the law, component by component, and no preferred axes on ball and free joints."""

import numpy as np
from kernel_inputs import JOINTS, MODEL, WORLD, WORLDS, v

from carpal.engines.rigid.kernels.passive import DAMPING, DOF_COLUMNS, FASTEST, FRICTION, passive_forces, resolved
from carpal.model import NV

SMOOTH = 0.1


def table(damping: float, friction: float) -> np.ndarray:
    dofs = np.zeros((MODEL.nv, DOF_COLUMNS))
    dofs[:, DAMPING], dofs[:, FRICTION] = damping, friction
    return dofs


def forces(dofs: np.ndarray, speed: np.ndarray) -> np.ndarray:
    out = np.full((WORLDS, MODEL.nv), 7.0)
    passive_forces(JOINTS, dofs, SMOOTH, speed, out, WORLD)
    assert (out[[0, 2]] == 7.0).all()
    return out[WORLD]


def test_damping_is_linear() -> None:
    assert np.array_equal(forces(table(0.5, 0.0), v), -0.5 * v[WORLD])


def test_friction_saturates_and_has_no_preferred_axes() -> None:
    fast = 100.0 * v
    felt, first = forces(table(0.0, 0.3), fast), 0
    for kind, _ in MODEL.joint_slices():
        for start in range(first, first + NV[kind], 1 if NV[kind] == 1 else 3):
            part = slice(start, start + (1 if NV[kind] == 1 else 3))
            size = np.linalg.norm(fast[WORLD, part])
            assert np.allclose(felt[part], -0.3 * fast[WORLD, part] / size, rtol=1e-12)
        first += NV[kind]


def test_friction_is_smooth_through_zero() -> None:
    slow = 1e-6 * v
    assert np.allclose(forces(table(0.0, 0.3), slow), -0.3 / SMOOTH * slow[WORLD], rtol=1e-8)
    assert np.array_equal(forces(table(0.2, 0.3), 0.0 * v), np.zeros(MODEL.nv))


def test_speeds_that_a_step_cannot_resolve() -> None:
    dofs = table(0.0, 0.0)
    dofs[:, FASTEST] = 10.0
    assert resolved(dofs, v, WORLD)
    for bad in (10.1, -np.inf, np.nan):
        for i in range(MODEL.nv):
            speed = v.copy()
            speed[WORLD, i] = bad
            assert not resolved(dofs, speed, WORLD)
            assert resolved(dofs, speed, 0)
