"""Scenes as TOML: every bit comes back, people may write it by hand, and mistakes are told with their place."""

from __future__ import annotations

import numpy as np
import pytest
from random_models import random_tree
from scene_inputs import full_scene

from carpal.errors import CarpalError, ModelError
from carpal.model import Scene, Sphere
from carpal.model.serialise import model_to_json
from carpal.spatial import rotation_from_rpy


def test_round_trip_keeps_every_bit(tmp_path) -> None:
    scene = full_scene()
    scene.add_robot(random_tree(3), name="own model")
    scene.add_surface(mu=1 / 3).add_surface(
        "ball", "floor", restitution={"kind": "constant", "a": 0.1 + 0.2}, tip="hard"
    )
    text = scene.to_toml()
    path = tmp_path / "lab.toml"
    path.write_text(text, encoding="utf-8")
    for back in (Scene.from_toml(text), Scene.from_toml(path), Scene.from_toml(str(path))):
        assert back.to_toml() == text
        assert model_to_json(back.build()) == model_to_json(scene.build())
        assert back.surfaces == scene.surfaces and len(back.surfaces) == 2
        assert back.start().v.tobytes() == scene.start().v.tobytes()


def test_odd_names_and_texts_survive() -> None:
    scene = Scene('qu"ote \\ \n\t\x7f 机器人 😀').add_object("😀 ball", Sphere(0.1), mass=0.1)
    assert Scene.from_toml(scene.to_toml()).name == scene.name
    assert Scene.from_toml(scene.to_toml()).objects[0].name == "😀 ball"


def test_written_by_hand() -> None:
    scene = Scene.from_toml(
        """
        name = "table"  # comments are welcome
        [[robot]]
        robot = "k10"
        mount = "slide_xy"
        position = [0, 0, 1]
        rpy = [0.1, 0.2, 0.3]
        options = {inertia = "assumed", mounting = "sideways"}
        [[object]]
        name = "ball"
        shape = {kind = "sphere", radius = 1}
        mass = 2
        wxyz = [2, 0, 0, 0]
        [[fixed]]
        name = "floor"
        shape = {kind = "plane"}
        """
    )
    assert [thing.name for thing in scene] == ["k10", "ball", "floor"]
    assert np.array_equal(scene.robots[0].X_WM[:3, :3], rotation_from_rpy([0.1, 0.2, 0.3]))
    assert np.array_equal(scene.objects[0].X_WB, np.eye(4)) and np.array_equal(scene.gravity, [0, 0, -9.81])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('name = "a"\n[[robot]\nrobot = "so101_old"', r"the TOML text is not TOML: .*line 2"),
        ('name = "a"\n\nx = = 3', "line 3"),
        ("title = 3", "unknown entry of the TOML text 'title'; valid: name, gravity, robot"),
        (
            '[[robot]]\nrobot = "sawyr"',
            r"\[\[robot\]\] 1 of the TOML text: unknown robot 'sawyr'; did you mean 'sawyer'",
        ),
        ('[[robot]]\nrobot = "so101_old"\nmount = "shelf"', r"\[\[robot\]\] 1 .*unknown mount"),
        ('[[robot]]\nname = "a"', "a robot needs either robot"),
        ('[[robot]]\nmodel = "{}"', r"\[\[robot\]\] 1 .*a model's data has format"),
        ('[[robot]]\nrobot = "so101_old"\nq = [1]', r"q of robot 'so101_old' must be 5 finite numbers"),
        ('[[robot]]\nrobot = "so101_old"\ncolour = 1', r"unknown entry of \[\[robot\]\] 1 of the TOML text 'colour'"),
        (
            '[[robot]]\nrobot = "so101_old"\n[[robot]]\nrobot = "so101_old"',
            r"\[\[robot\]\] 2 .*already has a robot named 'so101_old'",
        ),
        ('[[robot]]\nrobot = "so101_old"\noptions = 3', "options must be a table"),
        ('[[robot]]\nrobot = "so101_old"\noptions = {name = "a"}', "name is no option of a robot"),
        ("[[robot]]\nmodel = 3", "the data of a model must be a dict"),
        ('[[object]]\nname = "a"\nmass = [1, 2]\nshape = {kind = "sphere", radius = 1}', "the mass of a sphere"),
        ('[[object]]\nname = "a"\nmass = 1\nshape = {kind = [1]}', "unknown kind of shape"),
        ('[[object]]\nname = 3\nmass = 1\nshape = {kind = "sphere", radius = 1}', "must be a text"),
        ('[[object]]\nname = "a"\nmass = 1\ntwist = "x"\nshape = {kind = "sphere", radius = 1}', "twist of object 'a'"),
        ("[[robot]]\nrobot = 3", "takes a robot's name or a path"),
        ('robot = "so101_old"', r"robot in the TOML text must be tables, each under \[\[robot\]\]"),
        ('[[object]]\nname = "a"\nmass = 1', r"\[\[object\]\] 1 of the TOML text lacks shape"),
        (
            '[[object]]\nname = "a"\nmass = -1\nshape = {kind = "sphere", radius = 1}',
            "object 'a': the mass of a sphere",
        ),
        ('[[object]]\nname = "a"\nmass = 1\nshape = {kind = "ball"}', "unknown kind of shape 'ball'"),
        (
            '[[fixed]]\nname = "a"\nshape = {kind = "plane"}\nposition = [nan, 0, 0]',
            "position must be 3 finite numbers",
        ),
        (
            '[[fixed]]\nname = "a"\nshape = {kind = "plane"}\nwxyz = [0, 0, 0, 0]',
            "a quaternion must be finite and not zero",
        ),
        (
            '[[fixed]]\nname = "a"\nshape = {kind = "plane"}\nrotation = [1, 0, 0, 0, 1, 0, 0, 0, 2]',
            "is not a rigid motion",
        ),
        (
            '[[fixed]]\nname = "a"\nshape = {kind = "plane"}\nrpy = [0,0,0]\nwxyz = [1,0,0,0]',
            "one of wxyz, rpy and rotation",
        ),
        ("[surface]\nmu = 0.3", r"surface in the TOML text must be tables, each under \[\[surface\]\]"),
        ("[[surface]]\nnu = 0.3", r"unknown entry of \[\[surface\]\] 1 of the TOML text 'nu'"),
        ('[[surface]]\nbetween = "ball"\nmu = 1', "between must be a list of one or two names; got 'ball'"),
        (
            '[[surface]]\nbetween = ["a", "b", "c"]\nmu = 1',
            r"\[\[surface\]\] 1 .*between two things at most; got a, b, c",
        ),
        ("[[surface]]\nbetween = [3]\nmu = 1", "a name of a surface must be a text"),
        ('[[surface]]\nbetween = ["a"]', "a surface needs one of mu, restitution, tip, torsion"),
        (
            '[[surface]]\nbetween = ["a", "b"]\nmu = 1\n[[surface]]\nbetween = ["b", "a"]\nmu = 1',
            "a surface of b and a",
        ),
        ("gravity = [0, 0]", "gravity must be 3 finite numbers"),
        ('gravity = "down"', "gravity must be real numbers"),
        ("name = 3", "the name of a scene must be a text"),
        ("a = " + "[" * 10_000, "is not TOML"),
    ],
)
def test_mistakes_are_one_sentence(text: str, says: str) -> None:
    with pytest.raises(CarpalError, match=says) as caught:
        Scene.from_toml(text)
    assert "\n" not in str(caught.value)


def test_files_that_are_not_there_or_no_text(tmp_path) -> None:
    with pytest.raises(ModelError, match=r"gone.toml' cannot be read: No such file"):
        Scene.from_toml(tmp_path / "gone.toml")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ModelError, match=r"bad.toml' is not UTF-8 text"):
        Scene.from_toml(tmp_path / "bad.toml")
    with pytest.raises(CarpalError, match="takes a text or a path; got int"):
        Scene.from_toml(3)
