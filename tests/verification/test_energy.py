"""Conservation laws of unforced motion: energy to the integrator's order, momentum without gravity.

The fourth-order Runge-Kutta integrator is the test's own; a quaternion's rate is 1/2 (0, w) wxyz with w on the parent's
side. The model knows nothing of it, so that an error in forward dynamics shows as drift that does not vanish with dt.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from random_models import random_state, random_tree

from carpal.dynamics import angular_momentum, com, com_velocity, forward_dynamics, kinetic_energy, potential_energy
from carpal.model import Model

Figure = Callable[..., None]
SEEDS = (1, 4, 7, 9)


def rate_of_q(model: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    out, iv = np.empty_like(q), 0
    for kind, iq in model.joint_slices():
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


def rk4(model: Model, q: np.ndarray, v: np.ndarray, dt: float, steps: int) -> tuple[np.ndarray, np.ndarray]:
    nothing = np.zeros(model.nv)

    def rates(q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return rate_of_q(model, q, v), forward_dynamics(model, q, v, nothing)

    for _ in range(steps):
        a1, b1 = rates(q, v)
        a2, b2 = rates(q + dt / 2 * a1, v + dt / 2 * b1)
        a3, b3 = rates(q + dt / 2 * a2, v + dt / 2 * b2)
        a4, b4 = rates(q + dt * a3, v + dt * b3)
        q, v = q + dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4), v + dt / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
    return q, v


def energy(model: Model, q: np.ndarray, v: np.ndarray) -> float:
    return float(kinetic_energy(model, q, v) + potential_energy(model, q))


def mixed_tree(seed: int, *, gravity: bool = True) -> Model:
    """The first tree at or after 1000 x seed that has a ball and a free joint."""
    for number in range(1000 * seed, 1000 * seed + 1000):
        model = random_tree(number, joints=8, free="anywhere", gravity=gravity)
        if {"ball", "free", "revolute"} <= {kind for kind, _ in model.joint_slices()}:
            return model
    raise AssertionError("no such tree")


@pytest.mark.parametrize("seed", SEEDS)
def test_energy_is_conserved_at_fourth_order(seed: int, figure: Figure) -> None:
    """Halving dt divides the error by 16, as long as it stays far above rounding."""
    model = mixed_tree(seed)
    q, v, _ = random_state(model, np.random.default_rng(seed))
    start, duration, steps = energy(model, q, v), 0.3, 48
    scale = abs(kinetic_energy(model, q, v)) + abs(potential_energy(model, q))
    errors = [abs(energy(model, *rk4(model, q, v, duration / n, n)) - start) / scale for n in (steps, 2 * steps)]
    what = f"unforced tree with ball and free joints (seed {seed}), {duration} s under gravity"
    figure(f"{what}: energy error / energy after {2 * steps} steps", errors[1], 1e-7)
    # the leading term of an energy error is of order four or, where it cancels, five
    figure(f"{what}: observed order of the energy error", np.log2(errors[0] / errors[1]), 3.7, at_least=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_momentum_is_conserved_without_gravity(seed: int, figure: Figure) -> None:
    """Only trees whose roots all float: nothing outside acts on them."""
    number = 1000 * seed
    while True:
        model = random_tree(number, joints=6, free="root", gravity=False)
        number += 1
        roots = [body.joint.kind for body in model.bodies if body.parent is None]
        if set(roots) == {"free"} and model.nv > 8:
            break
    q, v, _ = random_state(model, np.random.default_rng(seed))
    q_end, v_end = rk4(model, q, v, 1e-3, 200)
    assert np.abs(v_end - v).max() > 1e-3  # the joints do exchange momentum
    drift = np.abs(angular_momentum(model, q_end, v_end) - angular_momentum(model, q, v)).max()
    straight = com(model, q) + 0.2 * com_velocity(model, q, v)
    figure(f"floating tree (seed {seed}), 0.2 s, no gravity: angular momentum drift [kg m^2/s]", drift, 1e-8)
    figure(
        f"floating tree (seed {seed}), 0.2 s, no gravity: centre of mass off its straight line [m]",
        np.abs(com(model, q_end) - straight).max(),
        1e-10,
    )


def test_the_integrator_sees_a_wrong_mass() -> None:
    """This file's own alarm: the motion of one robot does not conserve the energy of a slightly different one."""
    model = mixed_tree(1)
    q, v, _ = random_state(model, np.random.default_rng(1))
    tilted = model.replace(gravity=model.gravity + 0.01)
    q_end, v_end = rk4(tilted, q, v, 1e-3, 100)
    assert abs(energy(model, q_end, v_end) - energy(model, q, v)) > 1e-5
