# ruff: noqa: E501 - robot files stand in the text as they are
"""URDF: what MuJoCo alone would drop is there, and random robots agree with Pinocchio."""

from __future__ import annotations

import itertools

import numpy as np
import pinocchio as pin
import pytest

from carpal.dynamics import mass_matrix
from carpal.errors import MissingInertiaError, ModelError
from carpal.kinematics import fk
from carpal.model import NQ, NV, Model
from carpal.model.readers.reading import read_file, read_text

INERTIAL = '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def robot(*joints: str, links: tuple[str, ...] = ("a", "b", "c"), inside: str = INERTIAL) -> str:
    made = "".join(f'<link name="{link}">{inside}</link>' for link in links)
    return f'<robot name="r">{made}{"".join(joints)}</robot>'


def joint(name: str, parent: str, child: str, kind: str = "revolute", inside: str = "") -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{inside}</joint>'


def test_base_mass_fixed_frames_and_every_limit_are_kept():
    limit = '<limit lower="-1" upper="2" effort="33" velocity="4"/><dynamics damping="0.1" friction="0.2"/><axis xyz="0 0 2"/>'
    m = read_text(robot(joint("j", "a", "b", inside=limit), joint("f", "b", "c", "fixed")))
    assert [(b.name, b.parent, b.joint.name, b.joint.kind) for b in m.bodies] == [
        ("a", None, "a/fixed", "fixed"), ("b", "a", "j", "revolute"), ("c", "b", "f", "fixed"),
    ]  # fmt: skip
    assert m.mass == 6.0
    j = m.bodies[1].joint
    assert (j.q_min, j.q_max, j.v_max, j.tau_max, j.damping, j.friction) == (-1, 2, 4, 33, 0.1, 0.2)
    assert j.axis.tolist() == [0, 0, 1]
    assert m.name == "r"
    assert m.notes == ()


def test_continuous_and_unbounded_joints_have_no_limits():
    limit = '<limit lower="-1" upper="2" effort="3" velocity="4"/>'
    m = read_text(robot(joint("j", "a", "b", "continuous", limit), joint("k", "b", "c", inside='<limit effort="0"/>')))
    assert m.q_min.tolist() == [-np.inf] * 2
    assert m.v_max.tolist() == [4, np.inf]
    assert m.tau_max.tolist() == [3, 0]
    assert any("joint 'k' has tau_max = 0" in note for note in m.notes)


def test_joints_whose_limit_has_no_bounds_are_named_in_a_warning(tmp_path):
    (tmp_path / "wheel.urdf").write_text(
        """<robot name="wheel"><link name="a"/><link name="b"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="turn" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
        <limit effort="35" velocity="20"/></joint></robot>"""
    )
    with pytest.warns(UserWarning, match="the limits of 'turn' say neither lower nor upper"):
        model = read_file(tmp_path / "wheel.urdf")
    assert np.isinf([model.q_min, model.q_max]).all() and model.tau_max[0] == 35.0


def test_a_root_link_called_world_keeps_its_name_and_mass():
    m = read_text(robot(joint("j", "world", "world_"), links=("world", "world_")))
    assert [(b.name, b.parent) for b in m.bodies] == [("world", None), ("world_", "world")]
    assert m.mass == 4.0


def test_floating_planar_and_mimic():
    text = robot(
        joint("j", "a", "b", "floating", '<origin xyz="1 2 3"/>'),
        joint("p", "b", "c", "planar"),
        joint("k", "c", "d", inside='<mimic joint="j"/>'),
        links=("a", "b", "c", "d"),
    )
    with pytest.warns(UserWarning, match="'k' mimics 'j'"):
        m = read_text(text)
    assert [body.joint.kind for body in m.bodies] == ["fixed", "free", "prismatic", "prismatic", "revolute", "revolute"]
    X = fk(m, [1, 1, 1, 1, 0, 0, 0, *[0.0] * 4], "b")
    assert X[:3, 3].tolist() == [2, 3, 4]
    assert any("'k' mimics 'j'" in note for note in m.notes)
    assert any("planar joint 'p'" in note for note in m.notes)


def test_links_without_mass():
    shape = '<visual><geometry><box size="1 1 1"/></geometry></visual>'
    two = joint("j", "a", "b") + joint("f", "b", "c", "fixed")
    frames = read_text(robot(two, inside=""))
    assert frames.mass == 0.0
    shaped = read_text(robot(two, inside=shape))
    assert [body.inertia is None for body in shaped.bodies] == [False, True, False]
    with pytest.raises(MissingInertiaError, match="for b,"):
        mass_matrix(shaped, [0.0])
    assert any("inertia is unknown: b." in note for note in shaped.notes)
    assert any("have no mass, as URDF says: a, c." in note for note in shaped.notes)


def test_missing_meshes_are_named_in_a_warning_and_a_note(tmp_path):
    mesh = '<collision><geometry><mesh filename="package://p/hand.stl"/></geometry></collision>'
    (tmp_path / "r.urdf").write_text(robot(joint("j", "a", "b"), links=("a", "b"), inside=INERTIAL + mesh))
    with pytest.warns(UserWarning, match=r"'r.urdf': 1 mesh file was not found: 'package://p/hand.stl'"):
        m = read_file(tmp_path / "r.urdf")
    assert any("hand.stl" in note for note in m.notes)
    assert mass_matrix(m, [0.0]).shape == (1, 1)


def test_an_unphysical_inertia_is_kept_as_written_with_a_note():
    m = read_text(robot(joint("j", "a", "b"), links=("a", "b")).replace('izz="1"', 'izz="7"'))
    assert m.bodies[1].inertia.about_com[2, 2] == 7.0
    assert any("'b' has an inertia that no solid body could have" in note for note in m.notes)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (robot(joint("j", "a", "b"), joint("j", "b", "c")), "two joints named 'j'"),
        (robot(links=("a", "a")), "two links named 'a'"),
        (robot(links=("",)), "a link named ''"),
        (robot(links=()), "has no links"),
        (robot(joint("j", "a", "x")), "child link 'x', which does not exist"),
        (robot(joint("j", "x", "b")), "parent link 'x', which does not exist"),
        (robot(joint("j", "a", "b")), r"2 links without a parent \(a, c\)"),
        (robot(joint("j", "a", "b"), joint("k", "b", "a"), joint("l", "b", "c")), "cycle: a, b, c"),
        (robot(joint("j", "b", "c"), joint("k", "c", "b")), "cycle: b, c"),
        (robot(joint("j", "a", "c"), joint("k", "b", "c")), "child of two joints"),
        (robot(joint("j", "a", "b", "hinge"), joint("k", "b", "c")), "type 'hinge'; valid: revolute"),
        (robot(joint("j", "a", "b", inside='<limit velocity="x"/>'), joint("k", "b", "c")), 'velocity="x" in <limit>'),
        (robot(joint("j", "a", "b", inside='<limit velocity="-1"/>'), joint("k", "b", "c")), "v_max of joint 'j'"),
        (robot(joint("j", "a", "b", inside='<limit lower="2" upper="1"/>'), joint("k", "b", "c")), "q_min 2.0 above"),
        (robot(joint("j", "a", "b", inside='<axis xyz="0 0 0"/>'), joint("k", "b", "c")), "axis too small"),
        (robot(joint("j", "a", "b"), joint("k", "b", "c")).replace('"2"', '"-2"'), "negative mass"),
        (robot(joint("j", "a", "b"), joint("k", "b", "c")).replace('ixx="1"', 'ixx="inf"'), "must be finite"),
        (robot(joint("j", "a", "b"), joint("k", "b", "c")).replace('ixx="1"', 'ixx="one"'), "'robot.urdf' was refused by MuJoCo"),
        (robot(*(joint(f"j{i}", f"l{i}", f"l{i + 1}") for i in range(2000)), links=tuple(f"l{i}" for i in range(2001))), "2001 links"),
    ],
)  # fmt: skip
def test_refusals_are_one_sentence_with_the_file_and_the_cause(text, sentence):
    with pytest.raises(ModelError, match=sentence) as caught:
        read_text(text, name="robot.urdf")
    assert "robot.urdf" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def numbers(values: object) -> str:
    return " ".join(repr(float(x)) for x in np.atleast_1d(np.asarray(values)))


def random_urdf(seed: int) -> str:
    """A branching robot; every fifth one is of a centimetre's size, where MuJoCo's own inertias lose digits."""
    rng = np.random.default_rng(seed)
    size = 0.02 if seed % 5 == 0 else 1.0
    parts = []
    for i in range(int(rng.integers(2, 14))):
        a, b, c = (rng.uniform(0.05, 0.4, 3) * size) ** 2
        mass = rng.uniform(0.2, 5.0) * size**3
        Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        I = Q @ np.diag([b + c, a + c, a + b]) @ Q.T * mass / 12
        six = " ".join(
            f'i{"xyz"[r]}{"xyz"[s]}="{numbers(I[r, s])}"' for r, s in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]
        )
        origin = f'<origin xyz="{numbers(0.1 * size * rng.normal(size=3))}" rpy="{numbers(rng.uniform(-3, 3, 3))}"/>'
        mass_text = f'<mass value="{numbers(mass)}"/>'
        parts.append(f'<link name="l{i}"><inertial>{origin}{mass_text}<inertia {six}/></inertial></link>')
        if i:
            kinds = ["revolute", "continuous", "prismatic", "fixed", "floating"]
            inside = (
                f'<origin xyz="{numbers(0.3 * size * rng.normal(size=3))}" rpy="{numbers(rng.uniform(-3, 3, 3))}"/>'
            )
            inside += f'<axis xyz="{numbers(rng.normal(size=3))}"/>'
            inside += f'<limit lower="-1.5" upper="2" effort="{numbers(rng.uniform(1, 50))}" velocity="{rng.uniform(1, 9)!r}"/>'
            kind = str(rng.choice(kinds, p=[0.4, 0.15, 0.2, 0.15, 0.1]))
            parts.append(joint(f"j{i}", f"l{rng.integers(i)}", f"l{i}", kind, inside))
    return f'<robot name="r">{"".join(parts)}</robot>'


def pinocchio_state(m: Model, p: pin.Model, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same random configuration for both, and T with v_pinocchio = T v_carpal."""
    q, qp, T = rng.uniform(-2, 2, m.nq), np.zeros(p.nq), np.zeros((m.nv, m.nv))
    iq = iv = 0
    for body in m.bodies:
        kind = body.joint.kind
        if kind == "fixed":
            continue
        there = p.joints[p.getJointId(body.joint.name)]
        if kind == "free":
            w = rng.normal(size=4)
            w /= np.linalg.norm(w)
            q[iq + 3 : iq + 7] = w
            qp[there.idx_q : there.idx_q + 7] = [*q[iq : iq + 3], *w[1:], w[0]]
            T[there.idx_v : there.idx_v + 6, iv : iv + 6] = np.kron(np.eye(2), pin.Quaternion(*w).matrix().T)
        else:
            T[there.idx_v, iv] = 1.0
            part = [np.cos(q[iq]), np.sin(q[iq])] if there.nq == 2 else [q[iq]]
            qp[there.idx_q : there.idx_q + there.nq] = part
        iq, iv = iq + NQ[kind], iv + NV[kind]
    return q, qp, T


def test_random_urdfs_agree_with_pinocchio(figure):
    fk_error = mass_error = limit_error = 0.0
    for seed in range(100):
        text = random_urdf(seed)
        m, p = read_text(text), pin.buildModelFromXML(text)
        data = p.createData()
        q, qp, T = pinocchio_state(m, p, np.random.default_rng(seed))
        pin.framesForwardKinematics(p, data, qp)
        for body in m.bodies:
            there = data.oMf[p.getFrameId(body.name)].homogeneous
            fk_error = max(fk_error, np.abs(there - fk(m, q, body.name)).max())
        if m.nv:
            pin.crba(p, data, qp)
            M = T.T @ (np.triu(data.M) + np.triu(data.M, 1).T) @ T
            ours = mass_matrix(m, q)
            mass_error = max(mass_error, np.abs(M - ours).max() / np.abs(ours).max())
        scalar = [b.joint for b in m.bodies if b.joint.kind in ("revolute", "prismatic")]
        for j in scalar:
            there = p.joints[p.getJointId(j.name)]
            limit_error = max(limit_error, abs(p.velocityLimit[there.idx_v] - j.v_max))
            limit_error = max(limit_error, abs(p.upperEffortLimit[there.idx_v] - j.tau_max))
    figure("URDF vs Pinocchio, 100 random robots: pose of every link [m, 1]", fk_error, 1e-12)
    figure("URDF vs Pinocchio, 100 random robots: mass matrix, relative", mass_error, 1e-12)
    figure("URDF vs Pinocchio, 100 random robots: speed and effort limits", limit_error, 0.0)


def test_links_without_mass_and_point_masses_are_read_as_pinocchio_reads_them(tmp_path, figure):
    """A moving link of mass zero before one with mass, and a point mass at the end, which MuJoCo refuses."""
    zero = '<inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/>'
    links = {
        "base": "", "carriage": f'<inertial><mass value="0"/>{zero}</inertial>',
        "arm": '<inertial><origin xyz="0.1 0 0" rpy="0.3 0 0"/><mass value="1"/><inertia ixx="1" iyy="2" izz="2.5" ixy="0.1" ixz="0" iyz="0"/></inertial>',
        "tip": f'<inertial><origin xyz="0 0.2 0"/><mass value="0.5"/>{zero}</inertial>',
    }  # fmt: skip
    names = list(links)
    joints = "".join(
        f'<joint name="j{i}" type="revolute"><parent link="{a}"/><child link="{b}"/><origin xyz="0.1 0.2 {i}" rpy="0.1 0.2 {i}"/>'
        f'<axis xyz="{i % 2} 1 0"/><limit lower="-9" upper="9" effort="1" velocity="1"/></joint>'
        for i, (a, b) in enumerate(itertools.pairwise(names))
    )
    text = "".join(f'<link name="{name}">{inside}</link>' for name, inside in links.items())
    file = tmp_path / "r.urdf"
    file.write_text(f'<robot name="r">{text}{joints}</robot>')
    model = read_file(file)
    there = pin.buildModelFromUrdf(str(file))
    q = np.array([0.3, -0.7, 1.1])
    M = pin.crba(there, there.createData(), q)
    M = np.triu(M) + np.triu(M, 1).T
    figure(
        "mass matrix with massless and point-mass links against Pinocchio",
        np.abs(mass_matrix(model, q) - M).max(),
        1e-12,
    )
