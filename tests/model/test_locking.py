"""Locked joints against Pinocchio's reduced model, and against the whole robot held still."""

import numpy as np
import pinocchio as pin
import pytest
from random_models import random_q, random_tree

import carpal
from carpal.errors import InputError, ModelError, UnknownNameError
from carpal.kinematics import fk
from carpal.model import Actuator, Body, Coupling, Joint, Loop, Model, ModelTendon, lock_joints
from carpal.model.zoo.sources import zoo_file
from carpal.spatial import Inertia


def held(model, q, locked):
    """Columns of q and v of the joints that still move."""
    columns = [(model.q_index(n), model.v_index(n)) for n in model.joint_names if n not in locked]
    return np.array([c[0] for c in columns]), np.array([c[1] for c in columns])


@pytest.mark.parametrize("seed", range(8))
def test_a_locked_robot_is_the_robot_held_still(seed):
    rng = np.random.default_rng(seed)
    model = random_tree(seed, joints=9)
    q = random_q(model, rng)
    singles = [
        n
        for n, (kind, _) in zip(model.joint_names, model.joint_slices(), strict=True)
        if kind in ("revolute", "prismatic")
    ]
    moving = set(singles[::2])
    locked = [n for n in model.joint_names if n not in moving]
    reduced = lock_joints(model, locked, q)
    assert reduced.joint_names == tuple(n for n in model.joint_names if n in moving)
    iq, iv = held(model, q, set(locked))
    for name in model.frames:
        assert np.allclose(fk(reduced, q[iq], name), fk(model, q, name), atol=1e-12)
    v, vdot = np.zeros(model.nv), np.zeros(model.nv)
    v[iv], vdot[iv] = rng.normal(size=(2, len(iv)))
    whole = carpal.inverse_dynamics(model, q, v, vdot)
    assert np.allclose(carpal.inverse_dynamics(reduced, q[iq], v[iv], vdot[iv]), whole[iv], rtol=1e-10, atol=1e-10)
    assert np.allclose(carpal.mass_matrix(reduced, q[iq]), carpal.mass_matrix(model, q)[np.ix_(iv, iv)], atol=1e-10)


def test_it_is_pinocchios_reduced_model():
    model = carpal.load("panda")
    whole = pin.buildModelFromUrdf(str(zoo_file("panda").path))
    fingers = ["panda_finger_joint1", "panda_finger_joint2"]
    theirs = pin.buildReducedModel(whole, [whole.getJointId(name) for name in fingers], pin.neutral(whole))
    ours = lock_joints(model, fingers, np.zeros(model.nq))
    assert not ours.is_constrained and ours.nq == theirs.nq == 7
    data, rng = theirs.createData(), np.random.default_rng(0)
    for _ in range(20):
        q, v, a = rng.uniform(-1, 1, (3, 7))
        torques = pin.rnea(theirs, data, q, v, a)
        assert np.allclose(carpal.inverse_dynamics(ours, q, v, a), torques, rtol=1e-10, atol=1e-10)


def links(**options):
    bodies = [Body("a", None, Joint("a", "revolute"), Inertia.point(1.0, (0.1, 0, 0)))]
    for name, parent in (("b", "a"), ("c", "b")):
        at = np.eye(4)
        at[0, 3] = 1.0
        bodies.append(Body(name, parent, Joint(name, "revolute", X_PJ=at), Inertia.point(1.0, (0.1, 0, 0))))
    return Model("links", tuple(bodies), **options)


def test_the_others_begin_where_it_was_locked():
    arm, q = carpal.load("srs7"), np.array([0.3, -1.0, 0.8, 0.2, -0.4, 0.5, 0.1])
    reduced = lock_joints(arm, arm.joint_names[2:4], q)
    assert np.array_equal(reduced.q_home, q[[0, 1, 4, 5, 6]])
    with pytest.raises(InputError, match="7 finite numbers"):
        lock_joints(arm, arm.joint_names[:1], [0.0])


def test_couplings_end_with_their_joints_and_are_not_cut():
    model = links(couplings=(Coupling("gear", "c", "b", (0.1, 2.0)),))
    with pytest.raises(ModelError, match="coupling 'gear' ties it to 'b'; lock both"):
        lock_joints(model, ["c"])
    with pytest.raises(ModelError, match=r"coupling 'gear' .* is off by 0.1"):
        lock_joints(model, ["b", "c"], [0.0, 0.0, 0.0])
    assert lock_joints(model, ["b", "c"], [0.0, 0.2, 0.5]).couplings == ()
    assert lock_joints(model, ["a"]).couplings == model.couplings


def test_rigid_loops_must_be_closed():
    ahead = np.eye(4)
    ahead[0, 3] = 2.0
    model = links(loops=(Loop("tie", "connect", "a", "c", X_AL=ahead),))
    assert lock_joints(model, ["b", "c"], np.zeros(3)).loops == ()
    with pytest.raises(ModelError, match=r"loop 'tie' .* is open by"):
        lock_joints(model, ["b", "c"], [0.0, 0.3, 0.0])
    assert len(lock_joints(model, ["a"]).loops) == 1


def test_tendons_and_actuators_of_what_moves_stay():
    tendon = ModelTendon("cord", {"a": 1.0, "b": 2.0}, stiffness=3.0, rest=(0.5, 0.6))
    other = ModelTendon("short", {"b": 1.0})
    drives = (
        Actuator("on_a", joint="a"),
        Actuator("on_b", joint="b"),
        Actuator("on_cord", tendon="cord"),
        Actuator("on_short", tendon="short"),
    )
    locked = lock_joints(links(tendons=(tendon, other), actuators=drives), ["b"], [0.0, 0.25, 0.0])
    assert [a.name for a in locked.actuators] == ["on_a", "on_cord"]
    assert locked.tendons[0].joints == {"a": 1.0} and locked.tendons[0].rest == pytest.approx((0.0, 0.1))
    assert len(locked.tendons) == 1


def test_unknown_names_and_nothing_to_lock():
    model = links()
    assert lock_joints(model, []) is model
    with pytest.raises(UnknownNameError, match="joint of model 'links' 'd'"):
        lock_joints(model, ["d"])
