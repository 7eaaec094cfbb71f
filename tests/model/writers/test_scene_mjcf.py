"""Scenes as MJCF: MuJoCo opens them, and they come apart into the same robots, objects and shapes."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from scene_inputs import full_scene

import carpal
from carpal.errors import ModelError
from carpal.model import Scene


def same_scene(a: Scene, b: Scene) -> None:
    one, other = a.build(), b.build()
    assert one.joint_names == other.joint_names and one.frames == other.frames and one.tool == other.tool
    assert one.notes == other.notes and one.name == other.name
    assert np.abs(one.tables.bodies - other.tables.bodies).max() < 1e-13
    assert np.abs(one.q_home - other.q_home).max() < 1e-15 and np.abs(a.start().v - b.start().v).max() == 0.0
    for x, y in zip(one.shapes, other.shapes, strict=True):
        assert (x.name, x.body, x.shape, x.rgba, x.collides) == (y.name, y.body, y.shape, y.rgba, y.collides)
        assert np.abs(x.X_BS - y.X_BS).max() < 1e-15


def test_round_trip(tmp_path) -> None:
    scene = full_scene()
    text = scene.to_mjcf()
    path = tmp_path / "lab.xml"
    path.write_text(text, encoding="utf-8")
    for back in (Scene.from_mjcf(text), Scene.from_mjcf(path), Scene.from_mjcf(str(path))):
        assert [robot.name for robot in back.robots] == ["left", "right", "rover"]
        assert [thing.name for thing in back.objects] == ["ball", "brick"]
        assert [thing.name for thing in back.fixed] == ["floor", "wall"]
        same_scene(scene, back)
    again = Scene.from_mjcf(Scene.from_toml(Scene.from_mjcf(text).to_toml()).to_mjcf())
    same_scene(scene, again)


def test_mujoco_opens_it() -> None:
    scene = full_scene()
    there, model = mujoco.MjModel.from_xml_string(scene.to_mjcf()), scene.build()
    assert (there.nq, there.nv, there.ngeom) == (model.nq, model.nv, len(model.shapes))
    assert there.body_mass.sum() == pytest.approx(model.mass)


def test_other_peoples_files_are_one_robot() -> None:
    text = (
        '<mujoco model="toy"><worldbody><geom type="plane" size="1 1 1"/><body name="b"><freejoint/><geom size="1"/>'
        '<body name="c"><joint name="j"/><geom size="0.1"/></body></body></worldbody></mujoco>'
    )
    scene = Scene.from_mjcf(text)
    assert [thing.name for thing in scene] == ["toy", "world_geom0"]  # the floor stands in the scene itself
    assert scene.build().joint_names == ("toy/b/joint", "toy/j")
    assert [shape.name for shape in scene.build().shapes] == ["toy/b_geom0", "toy/c_geom0", "world_geom0"]


def test_a_robot_alone_comes_back_as_a_robot() -> None:
    arm = carpal.load("so101_old")
    scene = Scene.from_mjcf(arm.to_mjcf())
    assert [thing.name for thing in scene] == ["so101_old"]
    assert scene.build().tool == "so101_old/tool"


def test_bad_files_are_one_sentence(tmp_path) -> None:
    with pytest.raises(ModelError, match=r"no file '.*gone.xml'; from_mjcf\(\) takes a path"):
        Scene.from_mjcf(tmp_path / "gone.xml")
    with pytest.raises(ModelError, match="'text'"):
        Scene.from_mjcf("<mujoco><worldbody>")
    text = full_scene().to_mjcf()
    with pytest.raises(ModelError, match="the custom text 'carpal_twists' of 'text' is not what Carpal writes"):
        Scene.from_mjcf(text.replace('name="carpal_twists" data="{', 'name="carpal_twists" data="[{'))
