"""Bodies that no solid could be: MuJoCo moves them as the rigid engine does."""

import dataclasses

import numpy as np
import pytest
from random_models import random_tree

from carpal.engines import MuJoCoEngine, RigidEngine
from carpal.engines.mujoco.inertias import is_solid, restore_inertias, with_solid_inertias
from carpal.model import State
from carpal.spatial import Inertia


def odd_tree(seed: int):
    """A random tree with flat, too long moments on every second body."""
    rng = np.random.default_rng(seed)
    tree = random_tree(seed, joints=5)
    bodies = []
    for k, body in enumerate(tree.bodies):
        if k % 2 and body.inertia is not None and body.inertia.mass > 0:
            R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
            big = np.trace(body.inertia.about_com)
            moments = R @ np.diag([0.1 * big, 0.2 * big, big]) @ R.T
            body = dataclasses.replace(
                body, inertia=Inertia(body.inertia.mass, body.inertia.com, 0.5 * (moments + moments.T))
            )
        bodies.append(body)
    return tree.replace(bodies=tuple(bodies), shapes=())


def test_moments_of_solids():
    assert is_solid(Inertia(1.0, np.zeros(3), np.diag([1.0, 2.0, 3.0])))
    assert not is_solid(Inertia(1.0, np.zeros(3), np.diag([1.0, 2.0, 3.1])))
    assert not is_solid(Inertia(1.0, np.zeros(3), np.diag([-0.1, 2.0, 2.0])))


@pytest.mark.parametrize("seed", range(4))
def test_impossible_bodies_fall_as_in_the_rigid_engine(seed):
    model = odd_tree(seed)
    solid, odd = with_solid_inertias(model)
    assert odd and all(is_solid(body.inertia) for body in solid.bodies)
    q = np.array(model.q_home)
    state = State(0.0, q, np.random.default_rng(seed).uniform(-0.5, 0.5, model.nv))
    engines = (
        MuJoCoEngine(model, dt=1e-3, integrator="rk4", limits=False),
        RigidEngine(model, dt=1e-3, integrator="rk4"),
    )
    ends = []
    for engine in engines:
        now = state
        for _ in range(20):
            now = engine.step(now, np.zeros(model.nv))
        ends.append(now.q)
    assert np.abs(ends[0] - ends[1]).max() < 1e-9


def test_solid_models_stay_as_they_are():
    model = random_tree(3, joints=4)
    same, odd = with_solid_inertias(model)
    assert same is model and odd == {}
    restore_inertias(None, odd)
