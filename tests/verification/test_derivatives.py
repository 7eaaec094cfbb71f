"""Velocities and accelerations against central finite differences of positions and velocities.

A central difference of step h is wrong by about h^2 |third derivative| + eps |value| / h: 1e-5 leaves about 1e-10.
Perturbations go through `integrate`, so that ball and free joints turn from the side that Carpal's v means.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from random_models import random_state, random_tree, relative_error
from scipy.spatial.transform import Rotation

from carpal.dynamics import com, com_acceleration, com_velocity, inverse_dynamics, kinetic_energy, potential_energy
from carpal.kinematics import fk, frame_acceleration, frame_velocity, integrate, jacobian, jacobian_rate_times_v
from carpal.model import Model

H = 1e-5
BOUND = 2e-8
COUNTS = [20, pytest.param(150, marks=pytest.mark.full)]
Figure = Callable[..., None]


def trees(count: int) -> list[tuple[Model, tuple[np.ndarray, ...]]]:
    """Half of them with free joints inside the tree."""
    out = []
    for seed in range(count):
        model = random_tree(20_000 + seed, free="anywhere" if seed % 2 else "root")
        out.append((model, random_state(model, np.random.default_rng(seed))))
    return out


def twist_between(X_behind: np.ndarray, X_ahead: np.ndarray) -> np.ndarray:
    """(*batch, 6) difference of two near poses: step of the origin, rotation vector in world axes."""
    turned = X_ahead[..., :3, :3] @ np.swapaxes(X_behind[..., :3, :3], -1, -2)
    angles = Rotation.from_matrix(turned.reshape(-1, 3, 3)).as_rotvec().reshape(*turned.shape[:-2], 3)
    return np.concatenate([X_ahead[..., :3, 3] - X_behind[..., :3, 3], angles], axis=-1)


def differentiated(model: Model, q: np.ndarray, directions: np.ndarray, frame: str) -> np.ndarray:
    """Rate of a frame's pose when q moves along each of the directions (n, nv)."""
    ahead, behind = integrate(model, q, directions, H), integrate(model, q, directions, -H)
    return twist_between(fk(model, behind, frame), fk(model, ahead, frame)) / (2 * H)


@pytest.mark.parametrize("count", COUNTS)
def test_jacobian_is_the_derivative_of_the_pose(count: int, figure: Figure) -> None:
    worst = 0.0
    for model, (q, v, _) in trees(count):
        frame = model.frames[-1 if len(model.frames) % 2 else -3]
        columns = differentiated(model, q, np.eye(model.nv), frame).T
        worst = max(worst, relative_error(jacobian(model, q, frame), columns))
        R = fk(model, q, frame)[:3, :3]
        in_frame = np.vstack([R.T @ columns[:3], R.T @ columns[3:]])
        worst = max(worst, relative_error(jacobian(model, q, frame, axes="frame"), in_frame))
        worst = max(worst, relative_error(frame_velocity(model, q, v, frame), columns @ v))
    figure(f"Jacobians against central differences of the pose, {count} trees: largest error", worst, BOUND)


@pytest.mark.parametrize("axes", ["world", "frame"])
@pytest.mark.parametrize("count", COUNTS)
def test_jacobian_rate_is_the_derivative_of_the_jacobian(count: int, axes: str, figure: Figure) -> None:
    worst = 0.0
    for model, (q, v, _) in trees(count):
        frame = model.frames[-3]
        ahead, behind = (jacobian(model, integrate(model, q, v, s), frame, axes=axes) for s in (H, -H))
        expected = (ahead - behind) / (2 * H) @ v
        worst = max(worst, relative_error(jacobian_rate_times_v(model, q, v, frame, axes=axes), expected))
    figure(f"Jacobian rate times v ({axes} axes) against central differences, {count} trees: error", worst, BOUND)


@pytest.mark.parametrize("count", COUNTS)
def test_acceleration_is_the_derivative_of_the_velocity(count: int, figure: Figure) -> None:
    worst = {"frame acceleration": 0.0, "com velocity": 0.0, "com acceleration": 0.0}
    for model, (q, v, vdot) in trees(count):
        frame = model.frames[-3]
        q_ahead, q_behind = integrate(model, q, v, H), integrate(model, q, v, -H)
        v_ahead, v_behind = v + H * vdot, v - H * vdot  # q to second order only, which the central difference forgives

        def slope(f: Callable[..., np.ndarray], ahead: tuple, behind: tuple) -> np.ndarray:
            return (f(*ahead) - f(*behind)) / (2 * H)

        pairs = {
            "frame acceleration": (
                frame_acceleration(model, q, v, vdot, frame),
                slope(frame_velocity, (model, q_ahead, v_ahead, frame), (model, q_behind, v_behind, frame)),
            ),
            "com velocity": (com_velocity(model, q, v), slope(com, (model, q_ahead), (model, q_behind))),
            "com acceleration": (
                com_acceleration(model, q, v, vdot),
                slope(com_velocity, (model, q_ahead, v_ahead), (model, q_behind, v_behind)),
            ),
        }
        for what, (got, expected) in pairs.items():
            worst[what] = max(worst[what], relative_error(got, expected))
    for what, error in worst.items():
        figure(f"{what} against central differences, {count} trees: largest error", error, BOUND)


@pytest.mark.parametrize("count", COUNTS)
def test_power_is_the_derivative_of_the_energy(count: int, figure: Figure) -> None:
    """tau . v = d/dt (kinetic + potential), with the joint forces of inverse dynamics: no oracle, only physics."""
    worst = 0.0
    for model, (q, v, vdot) in trees(count):
        energies = [
            kinetic_energy(model, integrate(model, q, v, s), v + s * vdot)
            + potential_energy(model, integrate(model, q, v, s))
            for s in (H, -H)
        ]
        power = inverse_dynamics(model, q, v, vdot) @ v
        worst = max(worst, relative_error(power, (energies[0] - energies[1]) / (2 * H)))
    # energies are far larger than their rates, so their rounding divided by the step is larger too
    figure(f"power of the joint forces against the rate of energy, {count} trees: largest error", worst, 5 * BOUND)
