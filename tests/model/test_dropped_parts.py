"""Files with one thing that a model does not keep: each is warned about by name when it is loaded."""

from __future__ import annotations

import warnings

import pytest

from carpal.model.loading import load

TREE = """<body name="arm"><joint name="hinge" axis="0 1 0"/><geom name="solid" size="0.1"/><site name="spot" pos="0.1 0 0"/>
  <body name="hand" pos="0.3 0 0"><joint name="wrist" axis="1 0 0"/><geom size="0.05"/></body></body>
  <site name="post" pos="0 0 1"/>"""
TENDON = '<tendon><fixed name="cord" {}><joint joint="hinge" coef="1"/></fixed></tendon>'


def mjcf(rest: str = "", tree: str = TREE, before: str = "") -> str:
    return f"<mujoco>{before}<worldbody>{tree}</worldbody>{rest}</mujoco>"


def actuator(text: str) -> str:
    return mjcf(f"<actuator>{text}</actuator>")


def urdf(joints: str, links: str = "abc", inside: str = "") -> str:
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    made = "".join(f'<link name="{link}">{inertial}{inside if link == "b" else ""}</link>' for link in links)
    return f'<robot name="r">{made}{joints}</robot>'


HINGE = '<joint name="hinge" type="continuous"><parent link="a"/><child link="b"/></joint>'
NEXT = '<joint name="next" type="{}"><parent link="b"/><child link="c"/>{}</joint>'

DROPPED = {
    "spring that is not linear": (mjcf(tree=TREE.replace('name="hinge"', 'name="hinge" stiffness="1 2"')), "'hinge'"),
    "damping that is not linear": (mjcf(tree=TREE.replace('name="hinge"', 'name="hinge" damping="1 2"')), "'hinge'"),
    "spring of a ball": (mjcf(tree='<body><joint name="ball" type="ball" stiffness="1"/><geom size="1"/></body>'), "'ball'"),
    "range of a ball": (mjcf(tree='<body><joint name="ball" type="ball" range="0 50"/><geom size="1"/></body>'), "'ball'"),
    "one-sided efforts": (mjcf(tree=TREE.replace('name="hinge"', 'name="hinge" actuatorfrcrange="-1 3"')), "'hinge'"),
    "compensation by actuators": (
        mjcf(tree=TREE.replace('name="hinge"', 'name="hinge" actuatorgravcomp="true"')), "'hinge'"),
    "mocap body": (mjcf(tree=TREE + '<body name="marker" mocap="true"/>'), "'marker'"),
    "inactive equality": (mjcf('<equality><joint name="tie" joint1="hinge" active="false"/></equality>'), "'tie'"),
    "tendon equality": (mjcf(TENDON.format("") + '<equality><tendon name="tie" tendon1="cord"/></equality>'), "'tie'"),
    "armature of a tendon": (mjcf(TENDON.format('armature="0.1"')), "'cord'"),
    "force limit of a tendon": (mjcf(TENDON.format('actuatorfrcrange="-1 1"')), "'cord'"),
    "spring of a tendon that is not linear": (mjcf(TENDON.format('stiffness="1 2"')), "'cord'"),
    "muscle": (actuator('<muscle name="drive" joint="hinge" lengthrange="0 1"/>'), "'drive'"),
    "site transmission": (actuator('<motor name="drive" site="spot" gear="1 0 0 0 0 0"/>'), "'drive'"),
    "slider crank": (actuator('<motor name="drive" cranksite="spot" slidersite="post" cranklength="2"/>'), "'drive'"),
    "adhesion": (actuator('<adhesion name="drive" body="hand" ctrlrange="0 1"/>'), "'drive'"),
    "integrated velocity": (actuator('<intvelocity name="drive" joint="hinge" actrange="-1 1"/>'), "'drive'"),
    "filtered servo": (actuator('<position name="drive" joint="hinge" timeconst="0.1"/>'), "'drive'"),
    "damper": (actuator('<damper name="drive" joint="hinge" kv="1" ctrlrange="0 1"/>'), "'drive'"),
    "plugin actuator": (actuator('<plugin name="drive" joint="hinge" plugin="mujoco.pid"/>'), "'drive'"),
    "plugins": (mjcf(before='<extension><plugin plugin="mujoco.elasticity.cable"/></extension>'), "plugin"),
    "flexcomp": (mjcf(tree=TREE + '<flexcomp name="cloth" type="grid" count="3 3 1" spacing="1 1 1" mass="1"/>'), "flexcomp"),
    "medium": (mjcf(before='<option density="1000"/>'), "density"),
    "wind": (mjcf(before='<option wind="3 0 0" viscosity="1e-5"/>'), "wind"),
    "disabled limits": (mjcf(before='<option><flag limit="disable"/></option>'), "limit"),
    "disabled groups": (mjcf(before='<option actuatorgroupdisable="1 2"/>'), "actuatorgroupdisable"),
    "missing mesh": (mjcf(before='<asset><mesh name="m" file="gone.stl"/></asset>', tree=TREE.replace(
        '<geom name="solid" size="0.1"/>', '<geom name="solid" size="0.1"/><geom type="mesh" mesh="m"/>')), "gone.stl"),
    "missing mesh of a URDF": (
        urdf(HINGE, "ab", '<collision><geometry><mesh filename="gone.stl"/></geometry></collision>'), "gone.stl"),
    "mimic of a planar joint": (urdf(HINGE + NEXT.format("planar", '<mimic joint="hinge"/>')), "'next'"),
    "mimic of a floating joint": (
        urdf(HINGE.replace("continuous", "floating") + NEXT.format("revolute", '<mimic joint="hinge"/>')), "'next'"),
    "collision without a form": (urdf(HINGE, "ab", "<collision><geometry><cone/></geometry></collision>"), "'b'"),
}  # fmt: skip


@pytest.mark.parametrize("case", DROPPED)
def test_what_is_dropped_is_warned_about_by_name(case, tmp_path):
    text, name = DROPPED[case]
    file = tmp_path / ("robot.urdf" if text.startswith("<robot") else "robot.xml")
    file.write_text(text)
    with pytest.warns(UserWarning, match="robot") as heard:
        model = load(file)
    said = [str(warning.message) for warning in heard]
    assert any(name in sentence for sentence in said), said
    assert any(name in note for note in model.notes), "the model's notes say it too"


def test_files_that_are_kept_whole_warn_of_nothing(tmp_path):
    (tmp_path / "robot.xml").write_text(
        mjcf(TENDON.format('stiffness="1"') + "<actuator><motor tendon='cord'/></actuator>")
    )
    (tmp_path / "robot.urdf").write_text(urdf(HINGE + NEXT.format("continuous", '<mimic joint="hinge"/>')))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load(tmp_path / "robot.xml")
        load(tmp_path / "robot.urdf")


def test_there_are_thirty():
    assert len(DROPPED) >= 30
