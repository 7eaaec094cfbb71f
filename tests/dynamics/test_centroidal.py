"""Centre of mass and momentum against sums over bodies, from poses and velocities of public functions."""

import numpy as np
import pytest
from random_models import random_state, random_tree, relative_error

from carpal.dynamics import angular_momentum, com, com_acceleration, com_velocity
from carpal.errors import InputError
from carpal.kinematics import fk, frame_velocity
from carpal.model import Body, Joint, Model
from carpal.spatial import Inertia


def test_sums_over_bodies(figure) -> None:
    worst = {"centre of mass": 0.0, "com velocity": 0.0, "angular momentum": 0.0}
    for seed in range(20):
        model = random_tree(seed, free="anywhere")
        q, v, _ = random_state(model, np.random.default_rng(seed))
        masses = np.array([body.inertia.mass for body in model.bodies])
        points, speeds, spins = [], [], []
        for body in model.bodies:
            X, V = fk(model, q, body.name), frame_velocity(model, q, v, body.name)
            lever = X[:3, :3] @ body.inertia.com
            points.append(X[:3, 3] + lever)
            speeds.append(V[:3] + np.cross(V[3:], lever))
            spins.append(X[:3, :3] @ body.inertia.about_com @ X[:3, :3].T @ V[3:])
        c, vel = masses @ points / masses.sum(), masses @ speeds / masses.sum()
        momentum = sum(spins) + sum(m * np.cross(p - c, s) for m, p, s in zip(masses, points, speeds, strict=True))
        for what, got, expected in (
            ("centre of mass", com(model, q), c),
            ("com velocity", com_velocity(model, q, v), vel),
            ("angular momentum", angular_momentum(model, q, v), momentum),
        ):
            worst[what] = max(worst[what], relative_error(got, expected))
    for what, error in worst.items():
        figure(f"{what} against sums over bodies, 20 trees: largest error", error, 1e-12)


def test_a_turning_stick_has_its_centripetal_acceleration_once() -> None:
    """Alkire (2020) counts it twice; see the errata. Mass at r on a joint turning with w: r w^2 inwards."""
    stick = Body("stick", None, Joint("j", "revolute"), Inertia.point(2.0, [0.3, 0, 0]))
    model = Model(name="stick", bodies=(stick,))
    assert np.allclose(com_acceleration(model, [0.0], [4.0], [0.0]), [-0.3 * 16, 0, 0], rtol=0, atol=1e-14)


def test_the_fixed_base_counts() -> None:
    base = Body("base", None, Joint("mount"), Inertia.point(3.0, [0, 0, 1]))
    arm = Body("arm", "base", Joint("j", "revolute"), Inertia.point(1.0, [1, 0, 0]))
    assert np.allclose(com(Model(name="m", bodies=(base, arm)), [0.0]), [0.25, 0, 0.75])


def test_a_model_without_any_mass_has_no_centre() -> None:
    model = Model(name="ghost", bodies=(Body("b", None, Joint("j", "revolute"), Inertia.nothing()),))
    with pytest.raises(InputError, match=r"the result is not finite: .*model 'ghost'"):
        com(model, [0.0])
