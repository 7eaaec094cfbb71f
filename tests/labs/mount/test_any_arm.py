"""mount with arms that it was not written for: reactions beside Pinocchio, rails and stands beside closed forms."""

import numpy as np
import pinocchio as pin
import pytest
from scipy.integrate import solve_ivp

import carpal
from carpal.dynamics import mount_force
from carpal.errors import CarpalError
from carpal.model.zoo.sources import zoo_file
from carpal.tasks import make_task

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
ARMS = ("panda", "ur3", "ur5", "ur10", "kinova", "xarm7", "z1", "baxter", "tiago", "talos_arm")


def urdf(name):
    """The robot's URDF, or a skip with the reason."""
    try:
        file = zoo_file(name)
    except CarpalError as missing:
        pytest.skip(str(missing))
    if file is None or file.path.suffix != ".urdf":
        pytest.skip(f"no URDF of {name} here")
    return file.path


@pytest.mark.parametrize("name", ARMS)
def test_the_predicted_reaction_is_pinocchios(name, figure):
    """The rate of the arm's momentum less its weight, over random states with all joints but the tool's chain locked."""
    whole = pin.buildModelFromUrdf(str(urdf(name)))
    arm = make_task("mount", robot=name).arm
    locked = [whole.getJointId(n) for n in whole.names[1:] if n not in arm.joint_names]
    theirs = pin.buildReducedModel(whole, locked, _home(whole, carpal.load(name)))
    data, rng = theirs.createData(), np.random.default_rng(0)
    joints = [theirs.joints[theirs.getJointId(n)] for n in arm.joint_names]
    weight = arm.mass * np.array(arm.gravity)  # Pinocchio leaves out what stands on the ground
    moving = sum(inertia.mass for inertia in theirs.inertias[1:])
    worst, scale = 0.0, 1.0
    for _ in range(20):
        q, v, vdot = rng.uniform(-1.0, 1.0, (3, arm.nq))
        there, (tv, ta) = pin.neutral(theirs), np.zeros((2, theirs.nv))
        for i, joint in enumerate(joints):
            there[joint.idx_q : joint.idx_q + joint.nq] = (np.cos(q[i]), np.sin(q[i])) if joint.nq == 2 else (q[i],)
            tv[joint.idx_v], ta[joint.idx_v] = v[i], vdot[i]
        pin.computeCentroidalMomentumTimeVariation(theirs, data, there, tv, ta)
        force = np.array(data.dhg.linear) - weight
        assert moving <= arm.mass * (1 + 1e-12)
        worst = max(worst, np.abs(mount_force(arm, q, v, vdot) - force).max())
        scale = max(scale, np.abs(force).max())
    figure(f"mount: predicted reaction of {name} against Pinocchio, relative", worst / scale, 1e-9)


def _home(whole, model):
    q = pin.neutral(whole)
    for name, (_, i) in zip(model.joint_names, model.joint_slices(), strict=True):
        joint = whole.joints[whole.getJointId(name)]
        at = float(model.q_home[i])
        q[joint.idx_q : joint.idx_q + joint.nq] = (np.cos(at), np.sin(at)) if joint.nq == 2 else (at,)
    return q


@pytest.mark.parametrize("robot", ["panda", "ur5", "z1"])
def test_the_reaction_is_cancelled(robot, figure):
    """The plant, forward dynamics of arm and table, is independent of the prediction."""
    urdf(robot)
    free, held = (
        make_task("mount", robot=robot, control=control, duration=2.0).run().score for control in ("none", "open")
    )
    assert free.ok and held.ok, (free.status, held.status)
    assert free.numbers["peak_displacement_m"] > 0.01
    figure(f"mount: {robot}, residual of the open loop [m]", held.numbers["peak_displacement_m"], 1e-9)


def test_a_rail_lets_only_x_go(figure):
    table, rail = (make_task("mount", robot="sawyer", case=3, base=base).run().recording for base in ("table", "rail"))
    assert np.abs(rail.q[:, 1]).max() == 0.0
    figure("mount: x on a rail against x on a table [m]", np.abs(rail.q[:, 0] - table.q[:, 0]).max(), 1e-9)
    held = make_task("mount", case=3, base="rail", control="closed", pulse="default").score_seeds([0])[0]
    assert held.ok and held.numbers["least_tension_N"] < held.numbers["largest_tension_N"]


def test_a_stand_gives_way_as_a_mass_on_a_spring(figure):
    """A pushed arm at rest: M x" = push - k x - c x', integrated by SciPy."""
    stiffness, damping, push = 4e3, 60.0, 30.0
    home = carpal.load("sawyer").q_home
    task = make_task(
        "mount", joints=tuple(home + 1e-9), base="stand", stand_stiffness=stiffness, table_damping=damping, push=(push, 0.0),
        duration=1.0, tolerance=1.0,
    )  # fmt: skip
    recording = task.run().recording
    mass = task.sliding_mass
    there = solve_ivp(
        lambda _, y: [y[1], (push - stiffness * y[0] - damping * y[1]) / mass], (0.0, 1.0), [0.0, 0.0],
        t_eval=np.asarray(recording.time), rtol=1e-11, atol=1e-13, method="DOP853",
    )  # fmt: skip
    figure("mount: a stand against SciPy [m]", np.abs(recording.q[:, 0] - there.y[0]).max(), 1e-8)
    assert recording.q[:, 0].max() > 1.2 * push / stiffness


def test_joints_that_do_not_move_the_tool_are_locked_and_cases_are_sawyers():
    urdf("panda")
    task = make_task("mount", robot="panda")
    assert task.arm.nq == 7 and not task.arm.is_constrained
    for options, words in (
        ({"robot": "panda", "case": 2}, "cases are movements of sawyer"),
        ({"robot": "panda", "dead_joint": 8}, "dead_joint must be 1 to 7"),
        ({"robot": "panda", "tool": "hand"}, "panda_hand"),
        ({"robot": "panda", "inertia": "assumed"}, "only robots of the catalogue"),
        ({"robot": "no_such_arm"}, "no_such_arm"),
        ({"base": "rail", "engine": "mujoco", "drive": "torque"}, "a rail needs engine 'rigid'"),
        ({"base": "stand", "cable_stiffness": 1e4, "pulley_inertia": 1e-4}, "a stand has no cables"),
    ):
        with pytest.raises(CarpalError, match=words):
            make_task("mount", **options).check()
