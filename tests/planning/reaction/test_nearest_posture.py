"""Nearest end posture: on the point, inside the limits, and no neighbour nor sample on the surface is nearer."""

import numpy as np
import pytest
from scipy.optimize import minimize

import carpal
from carpal.errors import UnreachableError
from carpal.kinematics import random_configurations
from carpal.planning.reaction.nearest_posture import nearest_posture_to, postures_at, settle

POINT = np.array([0.6, 0.6, 0.6])


def nearest(name, point, start, seed=0):
    model = carpal.load(name)
    return model, nearest_posture_to(model, point, start, postures_at(model, point, start, seed=seed))


@pytest.mark.parametrize("name", ["sawyer", "srs7", "so101_old"])
def test_it_is_there_inside_and_stationary(name):
    """At the nearest posture what is left of q - q0 along the surface points out of the limits, or is nothing."""
    model = carpal.load(name)
    start = np.array(model.q_home)
    point = carpal.fk(model, random_configurations(model, 1, seed=4))[0, :3, 3]
    model, q = nearest(name, point, start)
    assert np.abs(carpal.fk(model, q)[:3, 3] - point).max() < 1e-12
    assert ((q >= model.q_min) & (q <= model.q_max)).all()
    free = (q > model.q_min + 1e-9) & (q < model.q_max - 1e-9)
    J = carpal.jacobian(model, q)[:3][:, free]
    along = (q - start)[free]
    left = along - np.linalg.pinv(J) @ (J @ along)
    assert np.linalg.norm(left) < 1e-5 * max(1.0, np.linalg.norm(along))


def test_no_sample_is_nearer(figure):
    """Case 3 of Alkire (2020): 20,000 other postures on the point, drawn by another seed, are all farther away."""
    model, q = nearest("sawyer", POINT, np.zeros(7))
    others = postures_at(model, POINT, np.zeros(7), seed=99, count=20_000)
    gap = np.linalg.norm(others, axis=1).min() - np.linalg.norm(q)
    figure("nearest posture, case 3: nearest of 20,000 samples minus the one found [rad]", gap, -1e-9, at_least=True)


def test_a_penalty_method_finds_the_same():
    """An independent minimiser: squared distance plus a growing price of the miss, from 8 starts, unconstrained."""
    model, q = nearest("sawyer", POINT, np.zeros(7))
    rng, best = np.random.default_rng(3), np.inf
    for _ in range(8):
        x = 0.5 * rng.normal(size=7)
        for price in (1e1, 1e3, 1e5, 1e7):

            def cost(x, price=price):
                miss = carpal.fk(model, x)[:3, 3] - POINT
                return x @ x + price * miss @ miss, 2 * x + 2 * price * carpal.jacobian(model, x)[:3].T @ miss

            x = minimize(cost, x, jac=True, method="BFGS", options={"gtol": 1e-9}).x
        best = min(best, np.linalg.norm(x))
    assert np.linalg.norm(q) == pytest.approx(best, abs=1e-5)


def test_limits_bind():
    """With joint 0 barred from where the nearest posture has it, the answer changes and ends at or inside the bar."""
    model, q = nearest("sawyer", POINT, np.zeros(7))
    joint = model.body("l0").joint if "l0" in model.frames else None
    assert joint is not None and q[0] > 0.5
    import dataclasses

    bodies = tuple(
        dataclasses.replace(b, joint=dataclasses.replace(b.joint, q_max=0.4)) if b.name == "l0" else b
        for b in model.bodies
    )
    barred = model.replace(bodies=bodies)
    other = nearest_posture_to(barred, POINT, np.zeros(7), postures_at(barred, POINT, np.zeros(7)))
    assert other[0] == pytest.approx(0.4, abs=1e-9) and other[0] <= 0.4
    assert np.linalg.norm(other) > np.linalg.norm(q)
    assert np.abs(carpal.fk(barred, other)[:3, 3] - POINT).max() < 1e-12


def test_settle_keeps_the_limits():
    model = carpal.load("sawyer")
    q = settle(model, POINT, model.q_max + 1.0)
    assert ((q >= model.q_min) & (q <= model.q_max)).all()


def test_out_of_reach_is_said():
    model = carpal.load("sawyer")
    with pytest.raises(UnreachableError, match=r"cannot be brought to \(3, 0, 0\) m: out of reach"):
        postures_at(model, np.array([3.0, 0, 0]), np.zeros(7))
