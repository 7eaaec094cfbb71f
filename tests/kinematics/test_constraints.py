"""Configurations and rates that satisfy couplings and loops: closed forms, finite differences, MuJoCo."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from constrained_models import (
    at,
    five_bar,
    five_bar_angles,
    five_bar_tip,
    four_bar,
    four_bar_angles,
    mimic_arm,
    rod_model,
)
from extended_models import extended_model

from carpal.errors import InputError
from carpal.kinematics import (
    constraint_jacobian,
    constraint_residual,
    fk,
    integrate,
    random_configurations,
    reduced_jacobian,
    satisfy_constraints,
    velocity_map,
)
from carpal.model import Body, Coupling, Joint, Loop, Model


def test_a_four_bar_closes_where_two_circles_meet():
    model = four_bar()
    cranks = np.linspace(-np.pi, np.pi, 200)
    truth = np.array([four_bar_angles(crank) for crank in cranks])
    rng = np.random.default_rng(0)
    given = truth + np.column_stack([np.zeros(200), rng.uniform(-0.3, 0.3, (200, 2))])
    result = satisfy_constraints(model, given)
    assert result.ok.all() and result.residual.max() <= 1e-12
    assert np.array_equal(result.q[:, 0], cranks)
    np.testing.assert_allclose(result.q[:, 1:], truth[:, 1:], atol=1e-11)
    one = satisfy_constraints(model, given[7])
    assert np.array_equal(one.q, result.q[7]) and one.ok and "satisfied" in one.status


def test_a_five_bar_puts_its_tip_where_the_couplers_meet():
    model = five_bar()
    assert model.independent_joints == ("right", "left")
    rng = np.random.default_rng(1)
    left, right = rng.uniform(1.7, 2.6, 50), rng.uniform(0.4, 1.4, 50)
    given = np.tile(model.q_home, (50, 1))
    given[:, 0], given[:, 2] = right, left
    result = satisfy_constraints(model, given)
    assert result.ok.all()
    tips = fk(model, result.q)[:, :2, 3]
    np.testing.assert_allclose(tips, [five_bar_tip(a, b) for a, b in zip(left, right, strict=True)], atol=1e-12)
    np.testing.assert_allclose(result.q[3], five_bar_angles(left[3], right[3]), atol=1e-11)


def test_what_cannot_close_is_told_with_the_loop():
    model = five_bar()
    q = np.array(model.q_home)
    q[0], q[2] = 0.0, np.pi  # the elbows are farther apart than both couplers are long
    result = satisfy_constraints(model, np.stack([model.q_home, q]))
    assert result.ok.tolist() == [True, False]
    assert "loop 'pin' is open by" in result.status
    with pytest.raises(InputError, match="steps must be"):
        satisfy_constraints(model, q, steps=0)


def test_followers_are_their_polynomials_also_in_chains():
    bodies = tuple(Body(name, None, Joint(name, "revolute")) for name in "abcd")
    first, second = (0.3, -1.2, 0.4, 0.1, -0.05), (0.0, 2.0, 0.0, 0.3)
    model = Model(
        "gears", bodies, couplings=(
            Coupling("late", "a", "b", second, leader_ref=0.2), Coupling("early", "b", "c", first, 0.1, -0.4),
            Coupling("still", "d", None, (0.7,), follower_ref=-0.1),
        ),
    )  # fmt: skip
    assert model.independent_joints == ("c",)
    q = satisfy_constraints(model, random_configurations(model, 20, seed=3)).q
    b = 0.1 + np.polynomial.polynomial.polyval(q[:, 2] + 0.4, first)
    np.testing.assert_allclose(q[:, 1], b, rtol=1e-14)
    np.testing.assert_allclose(q[:, 0], np.polynomial.polynomial.polyval(b - 0.2, second), rtol=1e-13)
    assert (q[:, 3] == 0.6).all()
    assert np.abs(constraint_residual(model, q)).max() < 1e-12


@pytest.mark.parametrize(
    "model", [extended_model(), rod_model("connect"), rod_model("weld"), mimic_arm(True)], ids=lambda model: model.name
)
def test_the_jacobian_is_the_residuals_derivative(model):
    rng = np.random.default_rng(5)
    h = 1e-6
    for q in random_configurations(model.replace(couplings=(), loops=()), 4, seed=2, unlimited=1.0):
        v = rng.normal(size=model.nv)
        slope = (
            constraint_residual(model, integrate(model, q, v, h)) - constraint_residual(model, integrate(model, q, v, -h))
        ) / (2 * h)  # fmt: skip
        np.testing.assert_allclose(constraint_jacobian(model, q) @ v, slope, atol=1e-8)


@pytest.mark.parametrize("model", [four_bar(), five_bar(), rod_model(), mimic_arm(True)], ids=lambda model: model.name)
def test_the_reduced_jacobian_is_the_tools_derivative_along_satisfied_configurations(model):
    model = model.assembled()
    q = np.array(model.q_home)
    assert np.abs(constraint_residual(model, q)).max() < 1e-12
    rng = np.random.default_rng(6)
    v = velocity_map(model, q) @ rng.normal(size=velocity_map(model, q).shape[1])
    assert np.abs(constraint_jacobian(model, q) @ v).max() < 1e-12
    h = 1e-5
    ends = []
    for sign in (1.0, -1.0):
        moved = satisfy_constraints(model, integrate(model, q, v, sign * h))
        assert moved.ok
        ends.append(fk(model, moved.q))
    free = [model.v_index(name) for name in model.independent_joints]
    twist = reduced_jacobian(model, q) @ v[free]
    np.testing.assert_allclose((ends[0] - ends[1])[:3, 3] / (2 * h), twist[:3], atol=1e-8)
    spin = (ends[0] - ends[1])[:3, :3] / (2 * h) @ fk(model, q)[:3, :3].T
    np.testing.assert_allclose([spin[2, 1], spin[0, 2], spin[1, 0]], twist[3:], atol=1e-8)


def test_without_constraints_nothing_changes():
    model = mimic_arm().replace(couplings=())
    q = random_configurations(model, 3, seed=1)
    result = satisfy_constraints(model, q)
    assert result.ok.all() and np.array_equal(result.q, q)
    assert model.independent_joints == model.joint_names and constraint_residual(model, q).shape == (3, 0)


MJCF = """<mujoco><option gravity="0 0 0"/><worldbody>
<body name="a" pos="0.1 0.2 0.3" euler="10 20 30"><joint name="a" axis="0 0 1"/>MASS
 <body name="b" pos="0.3 0 0.1" euler="-20 40 5"><joint name="b" axis="0 1 0"/>MASS
  <body name="c" pos="0 0.2 0.1"><joint name="c" type="slide" axis="1 0 0"/>MASS
  </body></body></body>
<body name="d" pos="0.5 0.1 0"><joint name="d" axis="1 1 0"/>MASS
 <body name="e" pos="0 0.1 0.2"><joint name="e" axis="0 0 1"/>MASS</body></body>
</worldbody><equality>
<connect body1="c" body2="e" anchor="0.1 0.02 0.03"/><weld body1="b" body2="d"/>
<joint joint1="e" joint2="a" polycoef="0.2 -1.5 0.3 0.1 -0.2"/></equality></mujoco>""".replace(
    "MASS", '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
)


def _mujoco_twin() -> tuple[mujoco.MjModel, Model]:
    """The same robot for both; MuJoCo closes its loops at its reference configuration."""
    mj = mujoco.MjModel.from_xml_string(MJCF)
    data = mujoco.MjData(mj)
    mujoco.mj_kinematics(mj, data)
    X = {}
    for name in "abcde":
        X[name] = np.eye(4)
        X[name][:3, :3], X[name][:3, 3] = data.body(name).xmat.reshape(3, 3), data.body(name).xpos
    bodies = []
    for name, parent, kind, axis in (
        ("a", None, "revolute", [0, 0, 1]), ("b", "a", "revolute", [0, 1, 0]), ("c", "b", "prismatic", [1, 0, 0]),
        ("d", None, "revolute", [1, 1, 0]), ("e", "d", "revolute", [0, 0, 1]),
    ):  # fmt: skip
        X_PJ = X[name] if parent is None else np.linalg.inv(X[parent]) @ X[name]
        bodies.append(Body(name, parent, Joint(name, kind, X_PJ=X_PJ, axis=np.array(axis, float))))
    anchor = X["c"] @ at(0.1, 0.02, 0.03)
    loops = (
        Loop("point", "connect", "c", "e", at(0.1, 0.02, 0.03), np.linalg.inv(X["e"]) @ anchor),
        Loop("frame", "weld", "b", "d", np.linalg.inv(X["b"]) @ X["d"], np.eye(4)),
    )
    return mj, Model(
        "twin", tuple(bodies), couplings=(Coupling("gear", "e", "a", (0.2, -1.5, 0.3, 0.1, -0.2)),), loops=loops
    )


def test_rows_equal_mujocos_equality_constraints():
    mj, model = _mujoco_twin()
    rng = np.random.default_rng(2)
    for scale in (0.0, 0.1, 0.6):
        q = scale * rng.uniform(-1, 1, 5)
        data = mujoco.MjData(mj)
        data.qpos[:] = q
        mujoco.mj_forward(mj, data)
        rows = data.efc_J.reshape(-1, mj.nv)
        J, r = constraint_jacobian(model, q), constraint_residual(model, q)
        np.testing.assert_allclose(J[1:4], rows[:3], atol=1e-12)
        np.testing.assert_allclose(r[1:4], data.efc_pos[:3], atol=1e-12)
        np.testing.assert_allclose(J[0], rows[9], atol=1e-12)
        np.testing.assert_allclose(r[0], data.efc_pos[9], atol=1e-12)
        np.testing.assert_allclose(np.abs(r[4:7]), np.abs(data.efc_pos[3:6]), atol=1e-12)
        # MuJoCo halves the rotation's rows and writes them in a body's axes
        np.testing.assert_allclose(np.linalg.norm(r[7:]), 2 * np.linalg.norm(data.efc_pos[6:9]), atol=1e-12)
        if scale == 0.0:  # elsewhere the rates differ by the turning of those axes
            np.testing.assert_allclose(J[7:].T @ J[7:], 4 * rows[6:9].T @ rows[6:9], atol=1e-12)


@pytest.mark.parametrize("function", [constraint_residual, constraint_jacobian])
def test_rows_of_a_batch_are_those_of_one_at_a_time_and_nan_is_refused(function) -> None:
    model = extended_model()
    q = np.random.default_rng(3).uniform(-1.0, 1.0, (3, 4, model.nq))
    together = function(model, q)
    alone = np.array([function(model, q[index]) for index in np.ndindex(3, 4)])
    assert together.shape[:2] == (3, 4) and np.array_equal(alone.reshape(together.shape), together)
    with pytest.raises(InputError, match=r"q\[1\] is nan"):
        function(model, [0.0, np.nan, 0.0])
    with pytest.raises(InputError, match=f"needs {model.nq}"):
        function(model, np.zeros(model.nq + 1))
