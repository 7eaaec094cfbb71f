"""SRDF: groups, states and disabled pairs reach the model; what it names wrongly is noted."""

import warnings

import numpy as np
import pytest

import carpal
from carpal.errors import ModelError
from carpal.model.readers.srdf import srdf_beside, with_srdf
from carpal.model.serialise import model_from_json, model_to_json
from carpal.model.zoo.sources import _example_root

LINKS = "".join(f'<link name="{n}"/>' for n in ("base", "a", "b", "tip"))
JOINT = (
    '<joint name="{n}" type="{t}"><parent link="{p}"/><child link="{c}"/><axis xyz="0 0 1"/>'
    '<limit lower="-1" upper="1"/></joint>'
)
URDF = (
    f'<robot name="arm">{LINKS}{JOINT.format(n="j1", t="revolute", p="base", c="a")}'
    f"{JOINT.format(n='j2', t='prismatic', p='a', c='b')}{JOINT.format(n='weld', t='fixed', p='b', c='tip')}</robot>"
)
SRDF = """<robot name="arm"><group name="arm"><chain base_link="base" tip_link="tip"/></group>
<group name="one"><joint name="j2"/></group><group name="all"><group name="one"/><link name="a"/></group>
<group_state name="up" group="arm"><joint name="j1" value="0.5"/></group_state>
<group_state name="home" group="arm"><joint name="j1" value="3"/><joint name="j2" value="0.25"/></group_state>
<disable_collisions link1="a" link2="b" reason="Adjacent"/><disable_collisions link1="b" link2="a" reason="again"/>
<disable_collisions link1="a" link2="nose" reason="Never"/><end_effector name="e" parent_link="tip" group="arm"/></robot>"""


@pytest.fixture
def arm(tmp_path):
    (tmp_path / "urdf").mkdir()
    file = tmp_path / "urdf" / "arm.urdf"
    file.write_text(URDF)
    return file


def put(file, text=SRDF):
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return file


@pytest.mark.parametrize("where", ["urdf/arm.srdf", "srdf/arm.srdf", "other/x.srdf"])
@pytest.mark.parametrize("untrusted", [False, True])
def test_found_beside_or_named(arm, tmp_path, where, untrusted):
    file = put(tmp_path / where)
    assert (srdf_beside(arm) == file) == ("other" not in where)
    model = carpal.load(arm, untrusted=untrusted, srdf=file if "other" in where else None)
    assert model.groups == {"arm": ("j1", "j2"), "one": ("j2",), "all": ("j2", "j1")}
    assert {name: q.tolist() for name, q in model.configurations.items()} == {"up": [0.5, 0.0], "home": [3.0, 0.25]}
    assert model.q_home.tolist() == [1.0, 0.25]  # home, moved inside the limits
    assert model.exclusions == (("a", "b"),)
    notes = " ".join(model.notes)
    for part in ("come from '", "moved inside: 'j1' from 3 to 1", "does not have: nose", "<end_effector>"):
        assert part in notes, part
    same = model_from_json(model_to_json(model))
    assert same.groups == model.groups
    assert np.array_equal(same.configurations["home"], model.configurations["home"])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("<mujoco/>", "root element <mujoco>"),
        (SRDF.replace('value="0.5"', 'value="up"'), "has the value \"up\" for joint 'j1'"),
        (
            SRDF.replace('<group name="one"><joint name="j2"/>', '<group name="one"><group name="all"/>'),
            "contains itself",
        ),
        ("<robot", "arm.srdf"),
    ],
)
def test_a_broken_file_is_one_sentence(arm, tmp_path, text, sentence):
    file = put(tmp_path / "other" / "arm.srdf", text)
    with pytest.raises(ModelError, match=sentence):
        carpal.load(arm, srdf=file)
    with pytest.raises(ModelError, match="no file"):
        carpal.load(arm, srdf=tmp_path / "none.srdf")
    put(tmp_path / "urdf" / "arm.srdf", text)
    with pytest.warns(UserWarning, match=r"'arm.urdf': its SRDF is left out"):
        assert carpal.load(arm).nq == 2


def test_states_of_two_groups_keep_both(arm, tmp_path):
    both = SRDF.replace('<group_state name="up" group="arm">', '<group_state name="home" group="one">')
    model = with_srdf(carpal.load(arm), put(tmp_path / "x.srdf", both))
    assert set(model.configurations) == {"one/home", "arm/home"}


def test_panda():
    if _example_root() is None:
        pytest.skip("example-robot-data is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = carpal.load("example-robot-data:panda")
    assert model.groups["arm"] == tuple(f"panda_joint{i}" for i in range(1, 8))
    assert model.q_home[:4].tolist() == [0.0, -0.785398, 0.0, -2.35619]
    assert ("panda_hand", "panda_link3") in model.exclusions
