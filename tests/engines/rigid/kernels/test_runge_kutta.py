"""The Runge-Kutta step against the same method written with NumPy, and its clean use of scratch."""

import numpy as np
from kernel_inputs import BODIES, JOINTS, MODEL, SLOT, WORLD, WORLDS, q, spoiled, v
from step_inputs import DOFS, DT, SMOOTH, TENDONS, U, stage

from carpal.dynamics import forward_dynamics
from carpal.engines.rigid.kernels.passive import FASTEST, passive_forces
from carpal.engines.rigid.kernels.runge_kutta import rk4_step


def rate_of_q(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    out, iv = np.empty_like(q), 0
    for kind, iq in MODEL.joint_slices():
        if kind in ("revolute", "prismatic"):
            out[iq] = v[iv]
            iv += 1
            continue
        if kind == "free":
            out[iq : iq + 3] = v[iv : iv + 3]
            iq, iv = iq + 3, iv + 3
        w, vector = v[iv : iv + 3], q[iq + 1 : iq + 4]
        out[iq] = -0.5 * (w @ vector)
        out[iq + 1 : iq + 4] = 0.5 * (q[iq] * w + np.cross(w, vector))
        iv += 3
    return out


def rates(q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    passive = np.empty((1, MODEL.nv))
    passive_forces(JOINTS, DOFS, SMOOTH, v[None], passive, 0)
    return rate_of_q(q, v), forward_dynamics(MODEL, q, v, U[WORLD] + passive[0])


def test_one_step_is_the_textbooks() -> None:
    a, b, books = q.copy(), v.copy(), np.zeros((WORLDS, 2))
    assert rk4_step(JOINTS, BODIES, DOFS, TENDONS, SMOOTH, DT, a, b, U, books, stage(), WORLD, SLOT) == 0
    q0, v0 = q[WORLD], v[WORLD]
    r1 = rates(q0, v0)
    r2 = rates(q0 + DT / 2 * r1[0], v0 + DT / 2 * r1[1])
    r3 = rates(q0 + DT / 2 * r2[0], v0 + DT / 2 * r2[1])
    r4 = rates(q0 + DT * r3[0], v0 + DT * r3[1])
    q1, v1 = (x + DT / 6 * (r1[i] + 2 * r2[i] + 2 * r3[i] + r4[i]) for i, x in enumerate((q0, v0)))
    for kind, first in MODEL.joint_slices():
        if kind in ("ball", "free"):
            end = first + {"ball": 4, "free": 7}[kind]
            q1[end - 4 : end] /= np.linalg.norm(q1[end - 4 : end])
    assert np.abs(a[WORLD] - q1).max() < 1e-15 and np.abs(b[WORLD] - v1).max() < 1e-13
    others = [0, 2]
    assert np.array_equal(a[others], q[others]) and np.array_equal(b[others], v[others])
    assert not books[others].any() and books[WORLD].all()


def test_divergence_is_reported() -> None:
    slow = DOFS.copy()
    slow[3, FASTEST] = 1e-3
    for dofs, start, speed in ((DOFS, spoiled(q), v), (DOFS, q, spoiled(v)), (slow, q, v)):
        books = np.zeros((WORLDS, 2))
        step = rk4_step(
            JOINTS, BODIES, dofs, TENDONS, SMOOTH, DT, start.copy(), speed.copy(), U, books, stage(), WORLD, SLOT
        )
        assert step == 1
