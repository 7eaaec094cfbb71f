# ruff: noqa: E501 - robot files stand in the text as they are
"""MJCF: MuJoCo itself is the judge of what was read."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
import trimesh

from carpal.dynamics import mass_matrix
from carpal.errors import MissingInertiaError, ModelError
from carpal.kinematics import fk
from carpal.model.readers.reading import read_file, read_text

INERTIAL = '<inertial pos="0.1 0 0" mass="2" diaginertia="1 1 1"/>'
ARM = f"""<mujoco model="arm">
  <compiler angle="degree" eulerseq="zyx"/>
  <option gravity="1 2 3" timestep="0.001"/>
  <visual><headlight ambient="1 1 1"/></visual>
  <asset><texture name="t" type="2d" builtin="checker" width="99999999" height="99999999"/>
    <material name="m" texture="t"/></asset>
  <default><joint armature="0.1" damping="0.2"/><default class="c"><joint range="-90 90"/><geom material="m"/></default></default>
  <worldbody>
    <light pos="0 0 1"/><geom type="plane" size="1 1 1" material="m"/>
    <body name="base" pos="0 0 1" euler="30 0 0">{INERTIAL}
      <body name="upper" pos="0.1 0.2 0.3" quat="1 1 0 0" childclass="c">
        <joint name="j1" axis="0 1 1" pos="0.1 0.2 0.3" actuatorfrcrange="-5 5" frictionloss="0.3"/>
        <joint name="j2" type="slide" axis="1 0 0" range="-1 2" ref="0.25"/>
        <joint name="j3" axis="1 0 0" pos="0 0 0.5" ref="30"/>
        <geom type="box" size="0.1 0.2 0.3" mass="3" material="m"/>
        <frame euler="10 20 30"><body name="hand" pos="0.3 0 0">
          <joint name="b" type="ball" range="0 90" pos="0.05 0 0"/>
          <inertial pos="0 0 0.1" mass="1" fullinertia="1 2 2.5 0.1 0.2 0.3"/>
          <site name="tool" pos="0 0 0.2" euler="0 90 0"/><camera/></body></frame>
      </body>
    </body>
    <body name="ball" pos="1 2 3" euler="10 0 0"><freejoint name="free"/><geom size="0.1"/></body>
    <body name="marker" mocap="true" pos="0 1 0"/>
  </worldbody>
  <sensor><jointpos joint="j1"/></sensor>
</mujoco>"""


def compare(text: str, seed: int = 0, folder: str | None = None) -> tuple[float, float]:
    """Largest difference to MuJoCo: poses of all bodies and sites, and the mass matrix without ball and free joints."""
    m = read_text(text, folder=folder)
    there = mujoco.MjModel.from_xml_string(text.replace('width="99999999" height="99999999"', 'width="8" height="8"'))
    data = mujoco.MjData(there)
    rng = np.random.default_rng(seed)
    data.qpos[:] = rng.uniform(-2, 2, there.nq)
    mujoco.mj_normalizeQuat(there, data.qpos)
    mujoco.mj_forward(there, data)
    q = np.array(data.qpos)
    error = 0.0
    for kind, count, where, turn in (
        ("body", there.nbody, data.xpos, data.xmat),
        ("site", there.nsite, data.site_xpos, data.site_xmat),
    ):
        for i in range(kind == "body", count):
            name = getattr(there, kind)(i).name
            X = fk(m, q, name)
            error = max(error, np.abs(X[:3, 3] - where[i]).max(), np.abs(X[:3, :3].ravel() - turn[i]).max())
    M = np.zeros((there.nv, there.nv))
    mujoco.mj_fullM(there, data, M)
    scalar = np.isin(there.jnt_type[there.dof_jntid], [2, 3])
    ours = mass_matrix(m, q)
    return error, np.abs(M - ours)[np.ix_(scalar, scalar)].max() / np.abs(ours).max()


def test_kinematics_and_mass_agree_with_mujoco(figure):
    errors = [compare(ARM, seed) for seed in range(20)]
    figure("MJCF read vs MuJoCo: pose of every body and site [m, 1]", max(e[0] for e in errors), 1e-12)
    figure("MJCF read vs MuJoCo: mass matrix, relative", max(e[1] for e in errors), 1e-12)


def test_everything_a_joint_has():
    m = read_text(ARM)
    assert m.name == "arm"
    assert [body.name for body in m.bodies] == ["base", "upper/j1", "upper/j2", "upper", "hand", "ball", "marker"]
    assert m.joint_names == ("j1", "j2", "j3", "b", "free")
    j1, j2, j3, ball = (m.bodies[i].joint for i in (1, 2, 3, 4))
    assert (j1.q_max, j2.q_min, j2.q_max) == (np.pi / 2, -1, 2)
    assert (j1.tau_max, j1.friction, j1.armature, j1.damping) == (5, 0.3, 0.1, 0.2)
    assert (j2.tau_max, ball.kind, ball.q_max) == (np.inf, "ball", np.inf)
    assert m.bodies[1].inertia.mass == 0.0
    assert m.gravity.tolist() == [1, 2, 3]
    assert m.tool == "tool"
    assert np.allclose(m.q_home[[1, 2]], [0.25, np.pi / 6], atol=1e-15)
    assert m.q_home[7:10].tolist() == [1, 2, 3]
    assert j3.X_JB[0, 3] == 0.0
    assert any("range of ball joint 'b'" in note for note in m.notes)
    assert any("mocap body 'marker'" in note for note in m.notes)


def test_a_full_inertia_keeps_its_digits():
    tiny = ARM.replace('"1 2 2.5 0.1 0.2 0.3"', '"1e-12 2e-12 2.5e-12 1e-13 2e-13 3e-13"')
    I = next(body for body in read_text(tiny).bodies if body.name == "hand").inertia.about_com
    assert I.tolist() == [[1e-12, 1e-13, 2e-13], [1e-13, 2e-12, 3e-13], [2e-13, 3e-13, 2.5e-12]]


def test_keyframes():
    bodies = f'<worldbody><body><joint name="j"/>{INERTIAL}</body></worldbody>'
    two = '<keyframe><key name="x" qpos="1" ctrl="1 2"/><key name="home" qpos="2"/></keyframe>'
    m = read_text(f"<mujoco>{bodies}{two}</mujoco>")
    assert m.q_home.tolist() == [2.0]
    assert any("of 2 keyframes only 'home'" in note for note in m.notes)
    assert read_text(f"<mujoco>{bodies}{two.replace('home', 'y')}</mujoco>").q_home.tolist() == [1.0]


def test_equalities_tendons_actuators_and_springs_are_read():
    text = f"""<mujoco><worldbody>
      <body name="a"><joint name="j" stiffness="3"/>{INERTIAL}<site name="s"/><site name="a"/></body></worldbody>
      <tendon><fixed name="cord"><joint joint="j" coef="1"/></fixed></tendon>
      <equality><joint name="tie" joint1="j"/></equality>
      <actuator><motor name="drive" joint="j" forcerange="-4 4" gear="2"/></actuator></mujoco>"""
    m = read_text(text)
    assert [thing.name for thing in (*m.tendons, *m.couplings, *m.actuators)] == ["cord", "tie", "drive"]
    assert (m.bodies[0].joint.stiffness, m.tau_max[0]) == (3.0, 8.0)
    assert m.frames == ("a", "s", "a_")
    assert any("site 'a' is called 'a_'" in note for note in m.notes)


def test_what_changes_the_motion_and_is_not_kept_is_warned_about():
    text = f"""<mujoco><option density="1.2"><flag gravity="disable"/></option><worldbody>
      <body name="a"><joint name="j" springref="1" stiffness="0 2"/>{INERTIAL}</body></worldbody>
      <equality><joint name="tie" joint1="j" active="false"/></equality></mujoco>"""
    with pytest.warns(UserWarning, match="density") as heard:
        m = read_text(text)
    said = " ".join(str(warning.message) for warning in heard)
    for part in ("density", "'tie'", "'j'"):
        assert part in said, part
    assert m.gravity.tolist() == [0, 0, 0]
    assert all(any(str(warning.message).endswith(note) for note in m.notes) for warning in heard)


def test_meshes_found_and_missing(tmp_path):
    trimesh.creation.box((1.0, 2.0, 3.0)).export(tmp_path / "box.stl")
    text = f"""<mujoco><asset><mesh name="x" file="box.stl"/><mesh file="gone.stl"/></asset><worldbody>
      <body name="a"><joint/><geom type="mesh" mesh="x" density="10"/>
        <body name="b" pos="1 0 0"><joint/>{INERTIAL}<geom type="mesh" mesh="gone"/>
          <body pos="1 0 0"><joint/><geom type="mesh" mesh="GONE"/></body></body></body></worldbody></mujoco>"""
    (tmp_path / "fine.xml").write_text(
        text.replace('<body pos="1 0 0"><joint/><geom type="mesh" mesh="GONE"/></body>', "")
    )
    with pytest.warns(UserWarning, match=r"'fine.xml': 1 mesh file was not found: 'gone.stl'"):
        m = read_file(tmp_path / "fine.xml")
    assert m.bodies[0].inertia.mass == pytest.approx(60.0, rel=1e-6)
    assert m.mass == pytest.approx(62.0, rel=1e-6)
    (tmp_path / "bare.xml").write_text(text.replace("GONE", "gone"))
    with pytest.warns(UserWarning, match=r"gone\.stl"):
        m = read_file(tmp_path / "bare.xml")
    assert [body.inertia is None for body in m.bodies] == [False, False, True]
    with pytest.raises(MissingInertiaError, match="for body3"):
        mass_matrix(m, np.zeros(m.nq))
    (tmp_path / "total.xml").write_text(
        text.replace("GONE", "gone").replace("<asset>", '<compiler settotalmass="9"/><asset>')
    )
    with pytest.warns(UserWarning, match=r"gone\.stl"):
        assert all(body.inertia is None for body in read_file(tmp_path / "total.xml").bodies)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<mujoco/>", "'x.xml'.*has no bodies"),
        ("<mujoco><worldbody><body><joint/></body></worldbody></mujoco>", "mass and inertia of moving bodies"),
        ('<mujoco><worldbody><body pos="x"/></worldbody></mujoco>', "was refused by MuJoCo: .*'pos'"),
        ("<mujoco><worldbody><bdy/></worldbody></mujoco>", "bdy"),
        ('<mujoco><worldbody><body><inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/></body></worldbody></mujoco>', "negative"),
        ("<mujoco><asset><model name='a' file='b.xml'/></asset><worldbody/></mujoco>", "cannot include files"),
        ("<mujoco><worldbody><attach model='a'/></worldbody></mujoco>", "refused by MuJoCo"),
        ("<mujoco><worldbody><replicate count='99999999'/></worldbody></mujoco>", "99999999 times"),
        ("<mujoco><worldbody>" + "<body/>" * 2001 + "</worldbody></mujoco>", "2001 bodies; at most 2000"),
        ("<mujoco><worldbody><replicate count='3000' offset='1 0 0'><body/></replicate></worldbody></mujoco>", "3000 bodies"),
        ("<mujoco><worldbody><body pos='1e308 0 0'><body pos='1e308 0 0'/></body></worldbody></mujoco>", "overflow|finite"),
    ],
)  # fmt: skip
def test_refusals_are_one_sentence(text, sentence):
    with pytest.raises(ModelError, match=sentence) as caught:
        read_text(text, name="x.xml")
    assert "x.xml" in str(caught.value)
    assert "\n" not in str(caught.value)
