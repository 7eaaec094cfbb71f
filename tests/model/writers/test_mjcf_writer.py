# ruff: noqa: E501 - robot files stand in the text as they are
"""What the writer writes, MuJoCo opens with the same numbers, and the reader gives back."""

from __future__ import annotations

import warnings

import mujoco
import numpy as np
import pytest
from random_models import random_axis, random_inertia, random_pose, random_q, random_tree
from scipy.spatial.transform import Rotation

from carpal.dynamics import mass_matrix
from carpal.errors import ModelError
from carpal.kinematics import fk
from carpal.model import NQ, NV, Body, Frame, Joint, Model, load, robots
from carpal.model.parts import JOINT_NUMBERS
from carpal.model.readers.reading import read_text
from carpal.model.writers.mjcf_writer import mjcf_text
from carpal.spatial import POINT_INERTIA, Inertia


def opened(text: str) -> mujoco.MjModel:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return mujoco.MjModel.from_xml_string(text)


def mujoco_state(m: Model, there: mujoco.MjModel, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The configuration in MuJoCo's order, and T with v_mujoco = T v_carpal (MuJoCo turns in the child's axes)."""
    qpos, T = np.zeros(there.nq), np.zeros((m.nv, m.nv))
    iq = iv = 0
    for body in m.bodies:
        kind = body.joint.kind
        if kind == "fixed":
            continue
        j = mujoco.mj_name2id(there, mujoco.mjtObj.mjOBJ_JOINT, body.joint.name)
        back = 3 if kind == "free" and there.jnt_type[j] == mujoco.mjtJoint.mjJNT_BALL else 0  # three slides come first
        oq, ov = there.jnt_qposadr[j] - back, there.jnt_dofadr[j] - back
        qpos[oq : oq + NQ[kind]] = q[iq : iq + NQ[kind]]
        block = np.eye(NV[kind])
        if kind in ("ball", "free"):
            wxyz = q[iq + NQ[kind] - 4 : iq + NQ[kind]]
            block[-3:, -3:] = Rotation.from_quat(wxyz, scalar_first=True).as_matrix().T
        T[ov : ov + NV[kind], iv : iv + NV[kind]] = block
        iq, iv = iq + NQ[kind], iv + NV[kind]
    return qpos, T


def errors_in_mujoco(m: Model, seed: int) -> tuple[float, float]:
    """Largest differences of poses (of bodies that MuJoCo has, and of frames) and of the mass matrix, relative to its largest."""
    there = opened(mjcf_text(m))
    data = mujoco.MjData(there)
    q = random_q(m, np.random.default_rng(seed))
    data.qpos[:], T = mujoco_state(m, there, q)
    mujoco.mj_forward(there, data)
    pose_error = 0.0
    for i in range(1, there.nbody):
        name = there.body(i).name
        if name in m.frames:
            X = fk(m, q, name)
            pose_error = max(
                pose_error, np.abs(X[:3, 3] - data.xpos[i]).max(), np.abs(X[:3, :3].ravel() - data.xmat[i]).max()
            )
    for frame in m.extra_frames:
        X, site = fk(m, q, frame.name), data.site(frame.name)
        pose_error = max(pose_error, np.abs(X[:3, 3] - site.xpos).max(), np.abs(X[:3, :3].ravel() - site.xmat).max())
    M = np.zeros((there.nv, there.nv))
    mujoco.mj_fullM(there, data, M)
    ours = mass_matrix(m, q)
    return pose_error, float(np.abs(T.T @ M @ T - ours).max() / np.abs(ours).max())


def difference(a: np.ndarray, b: np.ndarray, scale: float | None = None) -> float:
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape
    return float(np.abs(a - b).max(initial=0.0) / (scale or max(1.0, np.abs(a).max(initial=0.0))))


def errors_of_reading_back(m: Model) -> float:
    """Largest relative difference of any number; everything that is not a rounded number must be equal."""
    back = read_text(mjcf_text(m))
    worst = max(difference(m.q_home, back.q_home), difference(m.tool_axis, back.tool_axis))
    for what in ("name", "tool", "source", "notes", "frames", "joint_names"):
        assert getattr(back, what) == getattr(m, what), what
    assert back.gravity.tolist() == m.gravity.tolist()
    for a, b in zip(m.bodies, back.bodies, strict=True):
        assert (a.name, a.parent, a.joint.name, a.joint.kind) == (b.name, b.parent, b.joint.name, b.joint.kind)
        for what in JOINT_NUMBERS:
            assert getattr(a.joint, what) == getattr(b.joint, what), (a.joint.name, what)
        worst = max(worst, difference(a.joint.X_PJ, b.joint.X_PJ), difference(a.joint.X_JB, b.joint.X_JB))
        if a.joint.kind in ("revolute", "prismatic"):
            worst = max(worst, difference(a.joint.axis, b.joint.axis))
        assert (a.inertia is None) == (b.inertia is None)
        if a.inertia is not None:
            assert a.inertia.mass == b.inertia.mass
            assert a.inertia.com.tolist() == b.inertia.com.tolist()
            scale = np.abs(a.inertia.about_com).max() or 1.0
            worst = max(worst, difference(a.inertia.about_com, b.inertia.about_com, scale))
    for f, g in zip(m.extra_frames, back.extra_frames, strict=True):
        assert (f.name, f.body) == (g.name, g.body)
        worst = max(worst, difference(f.X_BF, g.X_BF))
    return worst


@pytest.mark.parametrize("name", robots())
def test_catalogue_robots_in_mujoco_and_back(name, figure):
    m = load(name)
    figure(f"MJCF of {name} read back: any number, relative", errors_of_reading_back(m), 3e-15)
    m = m if m.has_inertia else load(name, inertia="assumed")
    pose_error, mass_error = errors_in_mujoco(m, 0)
    figure(f"MJCF of {name} in MuJoCo: poses [m, 1]", pose_error, 1e-12)
    figure(f"MJCF of {name} in MuJoCo: mass matrix, relative to its largest", mass_error, 1e-12)


def test_random_trees_in_mujoco_and_back(figure):
    poses, masses, backs = [], [], []
    for seed in range(150):
        m = random_tree(seed, free="anywhere" if seed % 2 else "root")
        pose_error, mass_error = errors_in_mujoco(m, seed)
        poses.append(pose_error)
        masses.append(mass_error)
        backs.append(errors_of_reading_back(m))
    figure("MJCF written, 150 random trees in MuJoCo: poses [m, 1]", max(poses), 1e-12)
    figure("MJCF written, 150 random trees in MuJoCo: mass matrix, relative to its largest", max(masses), 1e-12)
    figure("MJCF written and read back: any number, relative", max(backs), 3e-15)


def small_hand(seed: int) -> Model:
    """Fingers of a gram with two- and three-axis knuckles (massless bodies between the axes), in all orders of joints."""
    rng = np.random.default_rng(seed)
    bodies = [Body("palm", None, Joint("mount", X_PJ=random_pose(rng)), random_inertia(rng))]
    for finger in range(3):
        parent = "palm"
        for k in range(6):
            kind = str(rng.choice(["revolute", "prismatic"]))
            joint = Joint(
                f"f{finger}_{k}",
                kind,
                X_PJ=random_pose(rng, 0.01),
                axis=random_axis(rng),
                X_JB=random_pose(rng, 0.01),
                v_max=k + 1,
            )
            full = Inertia(1e-3, 0.01 * rng.normal(size=3), np.diag([1e-8, 2e-8, 2.5e-8]))
            name = f"b{finger}_{k}"
            bodies.append(Body(name, parent, joint, full if k in (2, 3, 5) else Inertia.nothing()))
            parent = name
    return Model("hand", tuple(bodies))


def test_massless_bodies_between_axes_add_nothing(figure):
    errors = [errors_in_mujoco(small_hand(seed), seed) for seed in range(10)]
    figure("MJCF of hands with massless knuckles in MuJoCo: poses [m, 1]", max(e[0] for e in errors), 1e-12)
    figure("MJCF of hands with massless knuckles in MuJoCo: mass matrix, relative", max(e[1] for e in errors), 1e-12)
    assert max(errors_of_reading_back(small_hand(seed)) for seed in range(10)) < 3e-15
    assert opened(mjcf_text(small_hand(0))).nbody == 1 + 1 + 3 * 3


def awkward() -> Model:
    joint = Joint(
        "j", "revolute", q_min=-1.0, v_max=2.0, tau_max=0.0, vdot_max=7.0, friction=0.25, damping=0.5, armature=0.125
    )
    stuck = Joint("stuck", "prismatic", q_min=0.5, q_max=0.5, tau_max=3.0)
    ball = Joint("ball <&\"'\n>", "ball", q_min=-0.5, q_max=0.5, v_max=1.0, tau_max=2.0, armature=0.01)
    return Model(
        'arm & "co" <é>',
        (
            Body("world", None, Joint("weld", tau_max=5.0), Inertia.point(0.5, [0, 0, 1])),
            Body("unknown", "world", joint),
            Body("light", "unknown", stuck, Inertia.nothing()),
            Body("point", "light", ball, Inertia.point(0.5, [0.1, 0, 0])),
            Body("rod", "unknown", Joint("r", "revolute"), Inertia(1.0, np.zeros(3), np.diag([0.1, 0.1, 0.0]))),
            Body("ghost", "rod", Joint("g"), Inertia(0.0, np.array([1.0, 2.0, 3.0]), np.zeros((3, 3)))),
            Body("lamina", None, Joint("l", "free"), Inertia(1.0, np.ones(3), np.diag([0.1, 0.2, np.nextafter(0.1 + 0.2, 1)]))),
        ),
        extra_frames=(Frame("second", "rod", random_pose(np.random.default_rng(0))), Frame("first", None)),
        tool="light",
        tool_axis=np.array([0.6, 0.0, 0.8]),
        gravity=np.array([0.1, 0.2, -3.0]),
        q_home=np.array([-0.5, 0.5, 0.6, 0.8, 0.0, 0.0, 0.25, 1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0]),
        source="thesis, table 'a' < b",
        notes=("one.", "two."),
    )  # fmt: skip


def test_everything_awkward_survives():
    assert errors_of_reading_back(awkward()) < 3e-15
    text = mjcf_text(awkward())
    assert "inertia unknown" in text
    there = opened(text)
    assert there.body("point").inertia.tolist() == [POINT_INERTIA] * 3


def test_an_edit_by_hand_counts():
    text = (
        mjcf_text(awkward())
        .replace('pos="0.1 0.0 0.0"', 'pos="0.7 0.0 0.0"')
        .replace('damping="0.5"', 'damping="0.75"')
    )
    back = read_text(text)
    assert back.body("point").inertia.com[0] == 0.7
    assert back.body("unknown").joint.damping == 0.75


@pytest.mark.parametrize(
    ("bodies", "sentence"),
    [
        ([Body("a", None, Joint("j", "revolute"), Inertia(1, np.zeros(3), np.diag([1.0, 1.0, 3.0])))], "no solid body could have .*1, 1, 3 kg"),
        ([Body("a\x01", None, Joint("j"), None)], "cannot be written as XML"),
        ([Body("", None, Joint("j"), None)], "without a name"),
        ([Body(str(i), str(i - 1) if i else None, Joint(str(i)), None) for i in range(300)], "too deep for MJCF"),
    ],
)  # fmt: skip
def test_refusals(bodies, sentence):
    with pytest.raises(ModelError, match=sentence):
        mjcf_text(Model("m", tuple(bodies)))


def test_no_digit_is_lost():
    m = Model("m", (Body("a", None, Joint("j", X_PJ=np.eye(4) + np.outer(np.eye(4)[0], [0, 0, 0, 0.1 + 0.2])), None),))
    assert "0.30000000000000004" in mjcf_text(m)
