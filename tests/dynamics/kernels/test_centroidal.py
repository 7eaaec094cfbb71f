"""The centroidal kernel: its fourteen numbers lie where the public functions take them from."""

import numpy as np
from kernel_inputs import BODIES, JOINTS, MODEL, SLOT, WORLD, WORLDS, q, scratch, spoiled, v, vdot

from carpal import dynamics
from carpal.dynamics.kernels import centroidal as kernel


def run(q: np.ndarray, v: np.ndarray, vdot: np.ndarray) -> tuple[np.ndarray, int]:
    out, work = np.full((WORLDS, kernel.OUTPUTS), 7.0), scratch(kernel.COLUMNS)
    bad = kernel.centroidal_batch(JOINTS, BODIES, q, v, vdot, out, work, WORLD, WORLDS, 1, SLOT)
    assert (out[0] == 7.0).all()
    assert np.isnan(work[0]).all()
    return out[WORLD], bad


def test_columns() -> None:
    out, bad = run(q, v, vdot)
    a, b, c = q[WORLD], v[WORLD], vdot[WORLD]
    assert bad == 0
    assert np.array_equal(out[kernel.COM :][:3], dynamics.com(MODEL, a))
    assert np.array_equal(out[kernel.VELOCITY :][:3], dynamics.com_velocity(MODEL, a, b))
    assert np.array_equal(out[kernel.ACCELERATION :][:3], dynamics.com_acceleration(MODEL, a, b, c))
    assert np.array_equal(out[kernel.ANGULAR :][:3], dynamics.angular_momentum(MODEL, a, b))
    assert out[kernel.KINETIC] == dynamics.kinetic_energy(MODEL, a, b)
    assert out[kernel.POTENTIAL] == dynamics.potential_energy(MODEL, a)


def test_rotor_inertia_counts_once_per_freedom() -> None:
    heavier = BODIES.copy()
    heavier[1:, 22] += 0.5
    out = np.empty((WORLDS, kernel.OUTPUTS))
    kernel.centroidal_batch(JOINTS, heavier, q, v, vdot, out, scratch(kernel.COLUMNS), 0, WORLDS, 1, SLOT)
    gained = out[WORLD, kernel.KINETIC] - run(q, v, vdot)[0][kernel.KINETIC]
    assert np.isclose(gained, 0.25 * v[WORLD] @ v[WORLD], rtol=1e-12)


def test_bad_worlds_are_named() -> None:
    for given in ((spoiled(q), v, vdot), (q, spoiled(v), vdot), (q, v, spoiled(vdot))):
        assert run(*given)[1] == WORLD + 1
