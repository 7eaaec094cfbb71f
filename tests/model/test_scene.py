"""Scene: adding things, and everything that can go wrong with it."""

from __future__ import annotations

import numpy as np
import pytest
from scene_inputs import full_scene

import carpal
from carpal.errors import CarpalError, InputError, ModelError, UnknownNameError
from carpal.model import Plane, Scene, Sphere
from carpal.spatial import Inertia

ARM = carpal.load("so101_old")


def test_calls_can_be_chained_and_the_order_is_robots_objects_fixed() -> None:
    scene = (
        Scene().add_fixed("floor", Plane()).add_object("ball", Sphere(0.1), mass=1.0).add_robot("so101_old", name="arm")
    )
    assert [thing.name for thing in scene] == ["arm", "ball", "floor"]
    assert repr(scene) == "<Scene 'scene': arm, ball, floor>" and repr(Scene()) == "<Scene 'scene': empty>"


def test_start_has_the_twists() -> None:
    scene = full_scene()
    state, model = scene.start(), scene.build()
    first = model.v_index("ball")
    assert state.v[first : first + 6].tolist() == [1, 2, 3, 4, 5, 6] and np.count_nonzero(state.v) == 6
    assert np.array_equal(state.q, model.q_home) and state.time == 0.0


def test_a_scene_does_not_change_with_the_arrays_it_was_given() -> None:
    X, q = np.eye(4), np.zeros(5)
    scene = Scene().add_robot(ARM, name="arm", pose=X, q=q)
    X[0, 3], q[0] = 5.0, 1.0
    assert scene.robots[0].X_WM[0, 3] == 0.0 and scene.robots[0].q[0] == 0.0


NAN = np.full((4, 4), np.nan)


@pytest.mark.parametrize(
    ("error", "says", "call"),
    [
        (InputError, "scene 'lab' already has an object named 'ball'; every name may be given once",
         lambda s: s.add_object("ball", Sphere(1), mass=1)),
        (InputError, "already has a robot named 'left'", lambda s: s.add_fixed("left", Plane())),
        (InputError, "already has a fixed shape named 'floor'", lambda s: s.add_robot(ARM, name="floor")),
        (UnknownNameError, "unknown robot 'sawyr'; did you mean 'sawyer'", lambda s: s.add_robot("sawyr")),
        (UnknownNameError, "unknown mount of robot 'a' 'table'; valid: fixed, free, slide_xy",
         lambda s: s.add_robot("so101_old", name="a", mount="table")),
        (UnknownNameError, "unknown option of robot 'so101_old' 'colour'", lambda s: s.add_robot("so101_old", colour=1)),
        (InputError, "options are for robots given by name; got colour", lambda s: s.add_robot(ARM, colour=1)),
        (ModelError, "no file 'nowhere.urdf'", lambda s: s.add_robot("nowhere.urdf")),
        (InputError, "object 'o': the mass of a sphere must be finite and above zero .*; got -1",
         lambda s: s.add_object("o", Sphere(1), mass=-1)),
        (InputError, "object 'o': the mass of a sphere", lambda s: s.add_object("o", Sphere(1), mass=np.nan)),
        (InputError, "object 'o': a plane has no inertia", lambda s: s.add_object("o", Plane(), mass=1)),
        (InputError, "the pose of object 'o' must be a finite 4x4 pose",
         lambda s: s.add_object("o", Sphere(1), mass=1, pose=NAN)),
        (InputError, "the pose of object 'o' must be a finite 4x4 pose",
         lambda s: s.add_object("o", Sphere(1), mass=1, pose=[np.nan, 0, 0])),
        (InputError, "the pose of robot 'a' is not a rigid motion", lambda s: s.add_robot(ARM, name="a", pose=2 * np.eye(4))),
        (InputError, "the pose of 'f' must be real numbers", lambda s: s.add_fixed("f", Plane(), pose="here")),
        (InputError, "q of robot 'a' must be 5 finite numbers", lambda s: s.add_robot(ARM, name="a", q=[1, 2])),
        (InputError, "the twist of object 'o' must be 6 finite numbers",
         lambda s: s.add_object("o", Sphere(1), mass=1, twist=[1, 2, 3])),
        (InputError, "rgba of shape 'o'", lambda s: s.add_object("o", Sphere(1), mass=1, rgba=[1, 2])),
        (InputError, "shape 'o' must be one of sphere", lambda s: s.add_object("o", "round", mass=1)),
        (InputError, "'a/b' cannot be a name", lambda s: s.add_fixed("a/b", Plane())),
        (InputError, "must be a text that is not empty", lambda s: s.add_fixed("", Plane())),
        (InputError, "must be a text that is not empty", lambda s: s.add_fixed(None, Plane())),
        (InputError, "gravity must be 3 finite numbers", lambda s: Scene(gravity=[0, 0, np.inf])),
        (InputError, "scene 'empty' has neither a robot nor an object", lambda s: Scene("empty").add_fixed("f", Plane()).build()),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence_and_changes_nothing(error: type[CarpalError], says: str, call) -> None:
    scene = full_scene()
    before = scene.to_toml()
    with pytest.raises(error, match=says) as caught:
        call(scene)
    assert "\n" not in str(caught.value) and str(caught.value).endswith((".", "?"))
    assert scene.to_toml() == before


def test_exclusions_are_carried_into_the_model_and_through_every_file(tmp_path) -> None:
    from carpal.model import model_from_dict, model_to_dict

    arm = ARM
    first, second = arm.bodies[0].name, arm.bodies[1].name
    arm = arm.replace(exclusions=((first, second),))
    scene = (
        Scene("lab").add_robot(arm, name="arm").add_object("ball", Sphere(0.1), mass=1.0).add_fixed("floor", Plane())
    )
    scene.exclude("arm", "ball").exclude("ball", "floor")
    declared = ((f"arm/{first}", f"arm/{second}"), ("arm", "ball"), ("ball", "floor"))
    assert scene.build().exclusions == declared
    assert model_from_dict(model_to_dict(scene.build())).exclusions == declared
    assert Scene.from_toml(scene.to_toml()).build().exclusions == declared
    back = Scene.from_mjcf(scene.to_mjcf())
    assert back.build().exclusions == declared and back.robots[0].model.exclusions == ((first, second),)
    with pytest.raises(CarpalError, match="unknown shape or body in an exclusion"):
        scene.exclude("arm", "bal").build()
    with pytest.raises(CarpalError, match="a name in an exclusion must be a text"):
        scene.exclude("arm", 3)
    for wrong in ('exclude = "arm"', "exclude = [[1, 2]]", 'exclude = [["arm"]]'):
        with pytest.raises(CarpalError, match=r"exclu"):
            Scene.from_toml(wrong)


def test_a_robot_begins_with_its_velocities():
    free = carpal.model.Body("b", None, carpal.model.Joint("f", "free"), Inertia(1.0, np.zeros(3), np.eye(3)))
    arm = carpal.model.Body("a", "b", carpal.model.Joint("h", "revolute"), Inertia(1.0, np.zeros(3), np.eye(3)))
    scene = Scene().add_robot(
        carpal.model.Model("r", (free, arm)), name="one", v=[1, 2, 3, 4, 5, 6, 7], mount="slide_xy"
    )
    state = Scene.from_toml(scene.to_toml()).start()
    model = scene.build()
    assert state.v[model.v_index("one/f") :][:6].tolist() == [1, 2, 3, 4, 5, 6] and state.v[model.v_index("one/h")] == 7
    assert state.v.sum() == 28
    with pytest.raises(InputError, match="v of robot 'two' must be 7 finite numbers"):
        scene.add_robot(carpal.model.Model("r", (free, arm)), name="two", v=[1.0])
