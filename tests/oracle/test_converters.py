"""The converters are tested before anything is judged by them; no Carpal kernel takes part here."""

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from oracle.converters import MuJoCo, Oracle, Pinocchio, matrix_of
from random_models import random_q, random_state, random_tree, relative_error
from scipy.spatial.transform import Rotation

from carpal.model import Model

SEEDS = range(12)


def pose_by_hand(model: Model, q: np.ndarray, name: str) -> np.ndarray:
    """X_WB by multiplying X_PJ motion(q) X_JB along the chain, straight from the definition."""
    body, X, first = model.body(name), np.eye(4), {}
    for joint_name, (_, iq) in zip(model.joint_names, model.joint_slices(), strict=True):
        first[joint_name] = iq
    while True:
        joint, motion = body.joint, np.eye(4)
        i = first.get(joint.name, 0)
        if joint.kind == "revolute":
            motion[:3, :3] = Rotation.from_rotvec(q[i] * joint.axis).as_matrix()
        elif joint.kind == "prismatic":
            motion[:3, 3] = q[i] * joint.axis
        elif joint.kind == "ball":
            motion[:3, :3] = matrix_of(q[i : i + 4])
        elif joint.kind == "free":
            motion[:3, :3], motion[:3, 3] = matrix_of(q[i + 3 : i + 7]), q[i : i + 3]
        X = joint.X_PJ @ motion @ joint.X_JB @ X
        if body.parent is None:
            return X
        body = model.body(body.parent)


def moved_by_hand(model: Model, q: np.ndarray, v: np.ndarray, dt: float) -> np.ndarray:
    """q after dt at the velocity v, in Carpal's convention: angular velocities turn from the left."""
    out, iv = q.copy(), 0
    for kind, iq in model.joint_slices():
        if kind in ("revolute", "prismatic"):
            out[iq] += dt * v[iv]
            iv += 1
            continue
        if kind == "free":
            out[iq : iq + 3] += dt * v[iv : iv + 3]
            iq, iv = iq + 3, iv + 3
        turned = Rotation.from_rotvec(dt * v[iv : iv + 3]) * Rotation.from_quat(q[iq : iq + 4], scalar_first=True)
        out[iq : iq + 4] = turned.as_quat(scalar_first=True)
        iv += 3
    return out


@pytest.mark.parametrize("free", ["root", "anywhere"])
@pytest.mark.parametrize("seed", SEEDS)
def test_poses_equal_the_definition(seed: int, free: str) -> None:
    model = random_tree(seed, free=free)
    q = random_q(model, np.random.default_rng(seed))
    oracle = Pinocchio(model)
    pin.framesForwardKinematics(oracle.model, oracle.data, oracle.q(q))
    for body in model.bodies:
        got = oracle.data.oMf[oracle.frame(body.name)].homogeneous
        assert relative_error(got, pose_by_hand(model, q, body.name)) < 1e-12
    if free == "root":
        other = MuJoCo(model)
        other.data.qpos = other.q(q)
        mujoco.mj_kinematics(other.model, other.data)
        for body in model.bodies:
            X, site = np.eye(4), other.site(body.name)
            X[:3, :3], X[:3, 3] = other.data.site_xmat[site].reshape(3, 3), other.data.site_xpos[site]
            assert relative_error(X, pose_by_hand(model, q, body.name)) < 1e-12


def _step(oracle: Oracle, q: np.ndarray, v: np.ndarray, dt: float) -> np.ndarray:
    """The oracle's own integrator of positions."""
    if isinstance(oracle, Pinocchio):
        return pin.integrate(oracle.model, q, v * dt)
    out = q.copy()
    mujoco.mj_integratePos(oracle.model, out, v, dt)
    return out


def _difference(oracle: Oracle, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if isinstance(oracle, Pinocchio):
        return pin.difference(oracle.model, a, b)
    out = np.zeros(oracle.model.nv)
    mujoco.mj_differentiatePos(oracle.model, out, 1.0, a, b)
    return out


@pytest.mark.parametrize("make", [Pinocchio, MuJoCo])
@pytest.mark.parametrize("seed", SEEDS)
def test_velocities_agree_with_positions(seed: int, make: type[Oracle]) -> None:
    """Moving by hand and converting equals converting and moving with the oracle's integrator, to second order."""
    model = random_tree(seed)
    oracle = make(model)
    q, v, _ = random_state(model, np.random.default_rng(seed))
    v_oracle = oracle.rates(q) @ v
    dt = 1e-5
    ahead, behind = (oracle.q(moved_by_hand(model, q, v, s)) for s in (dt, -dt))
    assert relative_error(_difference(oracle, behind, ahead) / (2 * dt), v_oracle) < 1e-8
    assert np.abs(_difference(oracle, ahead, _step(oracle, oracle.q(q), v_oracle, dt))).max() < 1e-8


@pytest.mark.parametrize("make", [Pinocchio, MuJoCo])
@pytest.mark.parametrize("seed", SEEDS)
def test_bias_is_the_rate_of_the_converter(seed: int, make: type[Oracle]) -> None:
    model = random_tree(seed)
    oracle = make(model)
    q, v, _ = random_state(model, np.random.default_rng(seed))
    dt = 1e-5
    ahead, behind = (oracle.rates(moved_by_hand(model, q, v, s)) @ v for s in (dt, -dt))
    assert relative_error((ahead - behind) / (2 * dt), oracle.bias(q, v)) < 1e-8


@pytest.mark.parametrize("seed", SEEDS)
def test_the_oracles_agree_with_each_other_on_masses(seed: int) -> None:
    model = random_tree(seed)
    a, b = Pinocchio(model), MuJoCo(model)
    expected = sum(body.inertia.mass for body in model.bodies)
    assert sum(i.mass for i in a.model.inertias) + a.fixed_mass == pytest.approx(expected, rel=1e-12)
    assert b.model.body_mass.sum() == pytest.approx(expected, rel=1e-12)


def test_random_trees_cover_what_they_promise() -> None:
    """All joint kinds, branching, several roots, rotor inertias: in the seeds that the oracle tests use."""
    trees = [random_tree(seed) for seed in range(60)]
    kinds = {body.joint.kind for tree in trees for body in tree.bodies}
    assert kinds == {"fixed", "revolute", "prismatic", "ball", "free"}
    assert min(len(tree.bodies) for tree in trees) == 2
    assert max(len(tree.bodies) for tree in trees) == 30
    parents = [[body.parent for body in tree.bodies] for tree in trees]
    assert sum(len(set(p)) < len(p) for p in parents) > 40  # branching
    assert sum(p.count(None) > 1 for p in parents) > 20  # several roots
    assert any(body.joint.armature > 0 for tree in trees for body in tree.bodies)
    assert np.array_equal(random_q(trees[0], np.random.default_rng(1)), random_q(trees[0], np.random.default_rng(1)))
