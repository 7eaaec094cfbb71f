"""Every kinematic and dynamic function against Pinocchio and MuJoCo on random trees of all joint kinds.

Errors are max |a - b| / max(1, max |b|) over a result. Forward dynamics inverts the mass matrix, so its bound is
max(1e-9, 50 eps cond(M)); the figure is error / bound.
"""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from oracle.converters import MuJoCo, Pinocchio, matrix_of
from random_models import random_inertia, random_state, random_tree, relative_error

from carpal import dynamics, kinematics
from carpal.model import Body, Joint, Model, load

EPS = np.finfo(float).eps
LWA, LOCAL = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED, pin.ReferenceFrame.LOCAL
Errors = dict[str, float]


class Worst:
    """The largest error of each quantity, over all trees."""

    def __init__(self) -> None:
        self.errors: Errors = {}

    def see(self, what: str, got: np.ndarray, expected: np.ndarray, bound: float = 1.0) -> None:
        self.errors[what] = max(self.errors.get(what, 0.0), relative_error(got, expected) / bound)


def forward_dynamics_bound(M: np.ndarray) -> float:
    return max(1e-9, 50 * EPS * np.linalg.cond(M)) if len(M) else 1e-9


def mount_point(model: Model) -> np.ndarray | None:
    """Origin of the first body that the world holds, where `mount_wrench` is taken; None when all float."""
    held = [body for body in model.bodies if body.parent is None and body.joint.kind != "free"]
    if not held:
        return None
    joint = held[0].joint
    return (joint.X_PJ @ joint.X_JB if joint.kind == "fixed" else joint.X_PJ)[:3, 3]


def compare_with_pinocchio(model: Model, worst: Worst, seed: int) -> None:
    oracle = Pinocchio(model)
    m, d = oracle.model, oracle.data
    q, v, vdot = random_state(model, np.random.default_rng(seed))
    T, bias = oracle.rates(q), oracle.bias(q, v)
    qp, vp, ap = oracle.q(q), T @ v, T @ vdot + bias
    pin.computeJointJacobiansTimeVariation(m, d, qp, vp)
    pin.forwardKinematics(m, d, qp, vp, ap)
    pin.updateFramePlacements(m, d)
    for name in model.frames:
        f = oracle.frame(name)
        worst.see("pose", kinematics.fk(model, q, name), d.oMf[f].homogeneous)
        # Pinocchio's Python drops the axis of a robot with one freedom
        J, J_local = (pin.getFrameJacobian(m, d, f, axes).reshape(6, -1) for axes in (LWA, LOCAL))
        worst.see("Jacobian", kinematics.jacobian(model, q, name), J @ T)
        worst.see("Jacobian in the frame's axes", kinematics.jacobian(model, q, name, axes="frame"), J_local @ T)
        for axes, reference, J_ref in (("world", LWA, J), ("frame", LOCAL, J_local)):
            rate = pin.getFrameJacobianTimeVariation(m, d, f, reference).reshape(6, -1)
            expected = rate @ vp + J_ref @ bias
            got = kinematics.jacobian_rate_times_v(model, q, v, name, axes=axes)
            worst.see("Jacobian rate times v", got, expected)
        V, A = pin.getFrameVelocity(m, d, f, LWA).vector, pin.getFrameClassicalAcceleration(m, d, f, LWA).vector
        worst.see("frame velocity", kinematics.frame_velocity(model, q, v, name), V)
        worst.see("frame acceleration", kinematics.frame_acceleration(model, q, v, vdot, name), A)

    tau = pin.rnea(m, d, qp, vp, ap).copy()
    worst.see("inverse dynamics", dynamics.inverse_dynamics(model, q, v, vdot), T.T @ tau)
    point = mount_point(model)
    if point is not None:
        force, torque = -oracle.fixed_mass * model.gravity, -np.cross(oracle.fixed_moment, model.gravity)
        for i in range(1, m.njoints):
            if m.parents[i] == 0 and m.joints[i].nq != 7:
                f = d.liMi[i].act(d.f[i])
                force, torque = force + f.linear, torque + f.angular
        expected = np.concatenate([force, torque - np.cross(point, force)])
        worst.see("mount wrench", dynamics.mount_wrench(model, q, v, vdot), expected)
    worst.see("gravity forces", dynamics.gravity_forces(model, q), T.T @ pin.computeGeneralizedGravity(m, d, qp))
    M = T.T @ _symmetric(pin.crba(m, d, qp)) @ T
    worst.see("mass matrix", dynamics.mass_matrix(model, q), M)
    got = dynamics.forward_dynamics(model, q, v, T.T @ tau)
    expected = T.T @ (pin.aba(m, d, qp, vp, tau) - bias)  # T is orthogonal
    worst.see("forward dynamics / bound", got, expected, forward_dynamics_bound(M))
    worst.see("kinetic energy", dynamics.kinetic_energy(model, q, v), 0.5 * v @ M @ v)

    pin.centerOfMass(m, d, qp, vp, ap)
    moving, mass = d.mass[0], d.mass[0] + oracle.fixed_mass
    com = (moving * d.com[0] + oracle.fixed_moment) / mass
    worst.see("centre of mass", dynamics.com(model, q), com)
    worst.see("com velocity", dynamics.com_velocity(model, q, v), moving / mass * d.vcom[0])
    worst.see("com acceleration", dynamics.com_acceleration(model, q, v, vdot), moving / mass * d.acom[0])
    lever = d.com[0] - com
    angular = pin.computeCentroidalMomentum(m, d, qp, vp).angular + np.cross(lever, moving * d.vcom[0])
    worst.see("angular momentum", dynamics.angular_momentum(model, q, v), angular)
    potential = pin.computePotentialEnergy(m, d, qp) - oracle.fixed_moment @ model.gravity
    worst.see("potential energy", dynamics.potential_energy(model, q), np.float64(potential))


def _symmetric(upper: np.ndarray) -> np.ndarray:
    return np.triu(upper) + np.triu(upper, 1).T


def compare_with_mujoco(model: Model, worst: Worst, seed: int) -> None:
    oracle = MuJoCo(model)
    m, d = oracle.model, oracle.data
    q, v, vdot = random_state(model, np.random.default_rng(seed))
    T = oracle.rates(q)  # its rate times v is zero: see test_converters
    d.qpos, d.qvel = oracle.q(q), T @ v
    mujoco.mj_forward(m, d)
    d.qacc = T @ vdot
    mujoco.mj_inverse(m, d)
    Jp, Jr, dJp, dJr = (np.zeros((3, m.nv)) for _ in range(4))
    for name in model.frames:
        s = oracle.site(name)
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = d.site_xmat[s].reshape(3, 3), d.site_xpos[s]
        worst.see("pose", kinematics.fk(model, q, name), X)
        mujoco.mj_jacSite(m, d, Jp, Jr, s)
        J = np.vstack([Jp, Jr]) @ T
        worst.see("Jacobian", kinematics.jacobian(model, q, name), J)
        in_frame = np.vstack([X[:3, :3].T @ J[:3], X[:3, :3].T @ J[3:]])
        worst.see("Jacobian in the frame's axes", kinematics.jacobian(model, q, name, axes="frame"), in_frame)
        mujoco.mj_jacDot(m, d, dJp, dJr, d.site_xpos[s], m.site_bodyid[s])
        rate = np.vstack([dJp, dJr]) @ d.qvel
        worst.see("Jacobian rate times v", kinematics.jacobian_rate_times_v(model, q, v, name), rate)
        worst.see("frame velocity", kinematics.frame_velocity(model, q, v, name), J @ v)
        worst.see("frame acceleration", kinematics.frame_acceleration(model, q, v, vdot, name), J @ vdot + rate)

    tau = d.qfrc_inverse.copy()
    worst.see("inverse dynamics", dynamics.inverse_dynamics(model, q, v, vdot), T.T @ tau)
    point = mount_point(model)
    if point is not None:
        mujoco.mj_rnePostConstraint(m, d)
        force, torque = np.zeros(3), np.zeros(3)
        for body in range(1, m.nbody):
            floats = m.body_jntnum[body] and m.jnt_type[m.body_jntadr[body]] == mujoco.mjtJoint.mjJNT_FREE
            if m.body_parentid[body] == 0 and not floats:  # cfrc_int: torque first, at the tree's centre of mass
                t, f = d.cfrc_int[body, :3], d.cfrc_int[body, 3:]
                force, torque = force + f, torque + t + np.cross(d.subtree_com[m.body_rootid[body]] - point, f)
        worst.see("mount wrench", dynamics.mount_wrench(model, q, v, vdot), np.concatenate([force, torque]))
    full = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(m, d, full)
    M = T.T @ full @ T
    worst.see("mass matrix", dynamics.mass_matrix(model, q), M)
    worst.see("gravity and Coriolis forces", _bias_forces(model, q, v), T.T @ d.qfrc_bias)
    mujoco.mj_subtreeVel(m, d)
    worst.see("centre of mass", dynamics.com(model, q), d.subtree_com[0])
    worst.see("com velocity", dynamics.com_velocity(model, q, v), d.subtree_linvel[0])
    worst.see("angular momentum", dynamics.angular_momentum(model, q, v), d.subtree_angmom[0])
    mujoco.mj_energyPos(m, d)
    mujoco.mj_energyVel(m, d)
    worst.see("potential energy", dynamics.potential_energy(model, q), d.energy[0])
    worst.see("kinetic energy", dynamics.kinetic_energy(model, q, v), d.energy[1])
    acceleration = np.zeros(3)
    for body in range(1, m.nbody):
        mujoco.mj_jacBodyCom(m, d, Jp, None, body)
        mujoco.mj_jacDot(m, d, dJp, None, d.xipos[body], body)
        acceleration += m.body_mass[body] * (Jp @ d.qacc + dJp @ d.qvel)
    expected = acceleration / m.body_mass.sum()
    worst.see("com acceleration", dynamics.com_acceleration(model, q, v, vdot), expected)

    d.qfrc_applied = tau
    mujoco.mj_forward(m, d)
    got = dynamics.forward_dynamics(model, q, v, T.T @ tau)
    worst.see("forward dynamics / bound", got, np.linalg.solve(T, d.qacc), forward_dynamics_bound(M))


def _bias_forces(model: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    return dynamics.gravity_forces(model, q) + dynamics.coriolis_forces(model, q, v)


def report(worst: Worst, figure: Callable[..., None], peer: str, trees: str) -> None:
    for what, error in sorted(worst.errors.items()):
        bound = 1.0 if what.endswith("/ bound") else 1e-9
        figure(f"{what} against {peer}, {trees}: largest error", error, bound)


@pytest.mark.parametrize("count", [60, pytest.param(400, marks=pytest.mark.full)])
def test_trees_equal_pinocchio(count: int, figure: Callable[..., None]) -> None:
    worst = Worst()
    for seed in range(count):
        compare_with_pinocchio(random_tree(seed), worst, seed)
    report(worst, figure, "Pinocchio", f"{count} random trees of 2 to 30 joints")


@pytest.mark.parametrize("count", [60, pytest.param(400, marks=pytest.mark.full)])
def test_trees_equal_mujoco(count: int, figure: Callable[..., None]) -> None:
    worst = Worst()
    for seed in range(count):
        compare_with_mujoco(random_tree(seed), worst, seed)
    report(worst, figure, "MuJoCo", f"{count} random trees of 2 to 30 joints")


@pytest.mark.parametrize("count", [20, pytest.param(150, marks=pytest.mark.full)])
def test_free_joints_anywhere_equal_pinocchio(count: int, figure: Callable[..., None]) -> None:
    """Free joints inside a tree, which MuJoCo does not have."""
    worst = Worst()
    for seed in range(count):
        compare_with_pinocchio(random_tree(10_000 + seed, free="anywhere"), worst, seed)
    report(worst, figure, "Pinocchio", f"{count} random trees with free joints anywhere")


CATALOGUE = ["sawyer", "sawyer_dh", "catcher_arm", "cuhk_hand", "so101_old", "sia5", "srs7", "k10"]


@pytest.mark.parametrize("name", CATALOGUE)
def test_catalogue_robots_equal_both_oracles(name: str, figure: Callable[..., None]) -> None:
    """Robots without published inertias take part with their listed assumptions."""
    model = load(name, **({"inertia": "assumed"} if name in ("sia5", "srs7", "k10") else {}))
    for peer, compare in (("Pinocchio", compare_with_pinocchio), ("MuJoCo", compare_with_mujoco)):
        worst = Worst()
        for seed in range(5):
            compare(model, worst, seed)
        report(worst, figure, peer, name)


def test_rotor_inertia_of_a_free_joint_equals_mujoco(figure: Callable[..., None]) -> None:
    """Pinocchio's free joint measures v in the body, where a rotor inertia means something else: MuJoCo only."""
    rng, worst = np.random.default_rng(5), Worst()
    base = Body("base", None, Joint("floating", "free", armature=0.7), random_inertia(rng))
    arm = Body("arm", "base", Joint("elbow", "revolute", axis=[1, 2, 3], armature=0.1), random_inertia(rng))
    compare_with_mujoco(Model(name="rotor", bodies=(base, arm)), worst, 5)
    report(worst, figure, "MuJoCo", "one floating arm with rotor inertia on the free joint")


def test_a_robot_far_from_the_origin_loses_no_digits(figure: Callable[..., None]) -> None:
    """The same floating tree at 1e4 m: its mass matrix may not change beyond the rounding of q itself."""
    model = random_tree(3, joints=12, free="root", gravity=False)
    q, v, tau = random_state(model, np.random.default_rng(3))
    far = q.copy()
    for kind, first in model.joint_slices():
        if kind == "free":
            far[first : first + 3] = np.round(q[first : first + 3] * 1024) / 1024 + 16384.0
    assert "free" in [kind for kind, _ in model.joint_slices()]
    error = relative_error(dynamics.mass_matrix(model, far), dynamics.mass_matrix(model, q))
    figure("mass matrix of a floating tree moved by 16 km: change", error, 1e-12)
    error = relative_error(dynamics.forward_dynamics(model, far, v, tau), dynamics.forward_dynamics(model, q, v, tau))
    figure("forward dynamics of a floating tree moved by 16 km: change", error, 1e-9)


def test_quaternions_of_any_length_give_the_same_robot() -> None:
    model = random_tree(3, joints=12)
    q, v, vdot = random_state(model, np.random.default_rng(3))
    longer = q.copy()
    for kind, first in model.joint_slices():
        if kind in ("ball", "free"):
            longer[first + (3 if kind == "free" else 0) :][:4] *= 3.7
    assert not np.array_equal(q, longer)
    assert np.allclose(matrix_of(longer[3:7]), matrix_of(q[3:7]))
    for name in model.frames:
        assert relative_error(kinematics.fk(model, longer, name), kinematics.fk(model, q, name)) < 1e-13
    got = dynamics.inverse_dynamics(model, longer, v, vdot)
    assert relative_error(got, dynamics.inverse_dynamics(model, q, v, vdot)) < 1e-12
