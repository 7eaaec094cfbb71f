"""The mount's reaction along a motion: finite differences of the centre of mass, and derivatives by finite differences."""

import numpy as np
import pytest
from random_models import random_chain

import carpal
from carpal.dynamics import com, mount_wrench
from carpal.errors import InputError, UnknownNameError
from carpal.planning.reaction.mount_reaction import MountReaction, level_axes


def states(model, count=12, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(count, model.nq)) for _ in range(3)]


@pytest.mark.parametrize("kind", ["force", "displacement", "wrench"])
def test_derivatives_by_finite_differences(kind, figure):
    model = carpal.load("sawyer")
    q, v, vdot = states(model)
    reaction = MountReaction(model, kind, model.q_home, (1.0, 0.5, 0.0, 2.0, 1.0, 3.0))
    exact = reaction.derivatives(q, v, vdot)
    h, worst = 1e-4, 0.0
    for order in range(3):
        for j in range(model.nq):
            moved = []
            for sign in (1, -1):
                motion = [q.copy(), v.copy(), vdot.copy()]
                motion[order][:, j] += sign * h
                moved.append(reaction.values(*motion))
            worst = max(worst, np.abs((moved[0] - moved[1]) / (2 * h) - exact[order][:, :, j]).max())
    size = max(np.abs(d).max() for d in exact)
    figure(f"mount {kind}: derivatives against central differences, relative", worst / size, 1e-6)


def test_force_is_the_wrench_s_level_part_and_needs_no_gravity():
    model = carpal.load("sawyer")
    q, v, vdot = states(model, seed=1)
    force = MountReaction(model, "force", model.q_home).values(q, v, vdot)
    assert np.allclose(force, mount_wrench(model, q, v, vdot)[:, :2], rtol=1e-11, atol=1e-11)


def test_a_weighted_wrench_is_the_mount_s_without_gravity():
    model = carpal.load("sawyer")
    q, v, vdot = states(model, seed=3)
    still = np.zeros_like(q)
    weights = np.array([1.0, 0.0, 2.0, 0.5, 0.0, 0.0])
    ours = MountReaction(model, "wrench", model.q_home, tuple(weights)).values(q, v, vdot)
    moving = mount_wrench(model, q, v, vdot) - mount_wrench(model, q, still, still)
    assert np.allclose(ours, (moving * weights)[:, weights > 0], rtol=1e-9, atol=1e-9)
    for wrong in ((1.0, 2.0), (0.0,) * 6, (1.0, 1.0, 1.0, 0.0, 0.0, -1.0), (np.nan,) * 6):
        with pytest.raises(InputError, match="weights"):
            MountReaction(model, "wrench", model.q_home, wrong)


def test_displacement_is_the_centre_of_mass_s_shift():
    model = carpal.load("sawyer")
    q, v, vdot = states(model, seed=2)
    shift = MountReaction(model, "displacement", model.q_home).values(q, v, vdot)
    assert np.allclose(shift, (com(model, q) - com(model, model.q_home))[:, :2], atol=1e-15)


@pytest.mark.parametrize("gravity", [(0, 0, -9.81), (0, -9.81, 0), (1.0, 2.0, -3.0), (0, 0, 0)])
def test_level_is_across_gravity(gravity):
    axes = level_axes(random_chain(0).replace(gravity=np.array(gravity, float)))
    assert np.allclose(axes @ axes.T, np.eye(2), atol=1e-15)
    assert np.abs(axes @ np.array(gravity, float)).max() < 1e-14
    if gravity[2] == -9.81 or not any(gravity):
        assert np.array_equal(axes, np.eye(3)[:2])


def test_an_unknown_kind_is_refused():
    with pytest.raises(UnknownNameError, match="force, displacement"):
        MountReaction(carpal.load("sawyer"), "torque", np.zeros(7))
