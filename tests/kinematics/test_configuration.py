"""Moving along velocities, and random configurations."""

import numpy as np
import pytest
from constrained_models import five_bar, four_bar, mimic_arm
from random_models import random_state, random_tree
from scipy.spatial.transform import Rotation
from scipy.stats import kstest

from carpal.errors import InputError
from carpal.kinematics import constraint_residual, integrate, random_configurations
from carpal.model import Body, Joint, Model

FREE = Model(name="free", bodies=(Body("b", None, Joint("j", "free")),))
LIMITED = Model(
    name="limited",
    bodies=(
        Body("a", None, Joint("j", "revolute", q_min=0.5, q_max=0.7)),
        Body("b", "a", Joint("k", "ball")),
        Body("c", "b", Joint("l", "prismatic")),
    ),
)


def test_free_bodies_turn_about_axes_of_the_world() -> None:
    q, v = np.array([1, 2, 3, 0.5, 0.5, 0.5, 0.5]), np.array([1, 0, 0, 0.1, 0.2, 0.3])
    moved = integrate(FREE, q, v, 2.0)
    assert np.allclose(moved[:3], [3, 2, 3])
    turned = Rotation.from_rotvec(2 * v[3:]) * Rotation.from_quat(q[3:], scalar_first=True)
    assert np.allclose(Rotation.from_quat(moved[3:], scalar_first=True).as_matrix(), turned.as_matrix())


def test_there_and_back_and_in_two_halves(figure) -> None:
    worst = 0.0
    for seed in range(10):
        model = random_tree(seed, free="anywhere")
        q, v, _ = random_state(model, np.random.default_rng(seed))
        worst = max(worst, np.abs(integrate(model, integrate(model, q, v, 0.7), v, -0.7) - q).max())
        halves = integrate(model, integrate(model, q, v, 0.35), v, 0.35)
        worst = max(worst, np.abs(halves - integrate(model, q, v, 0.7)).max())
    figure("integrate there and back, and in two halves, 10 trees: largest difference", worst, 1e-14)


def test_each_world_may_have_its_own_step() -> None:
    q, v, _ = random_state(FREE, np.random.default_rng(0), (3,))
    dt = np.array([0.1, 0.0, -2.0])
    assert np.array_equal(integrate(FREE, q, v, dt)[2], integrate(FREE, q[2], v[2], -2.0))
    with pytest.raises(InputError, match="dt is not an array of numbers"):
        integrate(FREE, q, v, [[1.0], [1.0, 2.0]])


def test_random_configurations_fill_the_limits_evenly() -> None:
    q = random_configurations(LIMITED, 4000, seed=3)
    assert kstest(q[:, 0], "uniform", args=(0.5, 0.2)).pvalue > 1e-3
    assert kstest(q[:, 5], "uniform", args=(-np.pi, 2 * np.pi)).pvalue > 1e-3
    assert np.abs(np.linalg.norm(q[:, 1:5], axis=1) - 1).max() < 1e-15 * 2
    # rotations are uniform when the angle t has the density (1 - cos t) / pi (Shoemake 1992)
    angle = 2 * np.arccos(np.abs(q[:, 1]).clip(0, 1))
    assert kstest(angle, lambda t: (t - np.sin(t)) / np.pi).pvalue > 1e-3
    assert np.abs(random_configurations(LIMITED, 100, unlimited=0.1)[:, 5]).max() <= 0.1


def test_same_seed_same_numbers() -> None:
    assert np.array_equal(random_configurations(LIMITED, 5, seed=1), random_configurations(LIMITED, 5, seed=1))
    assert not np.array_equal(random_configurations(LIMITED, 5, seed=1), random_configurations(LIMITED, 5, seed=2))
    assert random_configurations(LIMITED, 0).shape == (0, 6)


@pytest.mark.parametrize("count", [-1, 1.5, "many"])
def test_bad_counts_are_refused(count) -> None:
    with pytest.raises(InputError, match="count must be a whole number, zero or above; got "):
        random_configurations(LIMITED, count)


def test_random_configurations_satisfy_couplings_loops_and_limits() -> None:
    for model in (mimic_arm(True), four_bar(), five_bar()):
        q = random_configurations(model, 100, seed=3)
        assert q.shape == (100, model.nq)
        assert np.abs(constraint_residual(model, q)).max() <= 1e-12
        assert ((q >= model.q_min) & (q <= model.q_max)).all()
        assert np.array_equal(q, random_configurations(model, 100, seed=3))
        free = [model.q_index(name) for name in model.independent_joints]
        assert len(np.unique(q[:, free], axis=0)) == 100
