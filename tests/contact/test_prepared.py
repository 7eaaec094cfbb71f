"""Tables are kept while a scene stays what it is; joints can be fixed."""

import gc
import weakref

import numpy as np
import pytest
from collision_scenes import boxed_arm
from lane_inputs import sphere_arm
from random_models import random_q, random_tree

from carpal.contact.prepared import prepared_tables, with_fixed_joints
from carpal.errors import CarpalError, InputError
from carpal.kinematics import fk
from carpal.model import Sphere


def test_tables_are_built_once_and_again_when_the_scene_changes():
    scene = boxed_arm()
    first = prepared_tables(scene, function="collides")
    assert prepared_tables(scene, function="collides") is first
    scene.add_fixed("late", Sphere(0.1), pose=[2, 0, 0])
    second = prepared_tables(scene, function="collides")
    assert second is not first and "late" in second.names
    scene.exclude("late", "arm")
    third = prepared_tables(scene, function="collides")
    assert len(third.pairs) == len(first.pairs) < len(second.pairs)
    model = scene.build()
    assert prepared_tables(model, function="collides") is prepared_tables(model, function="collides")
    assert prepared_tables(model.replace(exclusions=()), function="collides") is not prepared_tables(
        model, function="collides"
    )
    assert prepared_tables(third, function="collides") is third


def test_nothing_is_kept_of_what_is_gone():
    model = boxed_arm().build()
    prepared_tables(model, function="collides")
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


def test_a_model_without_pairs_is_refused():
    with pytest.raises(InputError, match="no two shapes that could touch"):
        prepared_tables(random_tree(1), function="collides")
    with pytest.raises(InputError, match="collides needs a Scene or a Model; got the str"):
        prepared_tables("scene.toml", function="collides")
    with pytest.raises(InputError, match="prepared already"):
        prepared_tables(
            prepared_tables(boxed_arm(), function="collides"), exclude=[("arm", "box_0")], function="collides"
        )


@pytest.mark.parametrize("seed", range(4))
def test_fixed_joints_leave_everything_where_it_was(seed: int):
    model = random_tree(seed, joints=9)
    rng = np.random.default_rng(seed)
    q = random_q(model, rng)
    keep = [name for i, name in enumerate(model.joint_names) if i % 3 == 0]
    fixed = with_fixed_joints(model, keep, q)
    assert set(fixed.joint_names) == set(keep)
    for frame in model.frames:
        assert np.allclose(fk(fixed, fixed.q_home, frame), fk(model, q, frame), rtol=0, atol=1e-13)


def test_a_robots_name_means_its_joints():
    model = boxed_arm().add_object("cup", Sphere(0.1), mass=1.0).build()
    assert with_fixed_joints(model, ["arm"]).nq == 7
    assert with_fixed_joints(model, ["arm/joint_2", "cup"]).joint_names == ("arm/joint_2", "cup")


@pytest.mark.parametrize(
    ("joints", "rest", "match"),
    [
        (["arm/joint_9"], None, "unknown moving joint"),
        ("arm", None, "a list of names"),
        (["arm"], np.zeros(3), "7 finite numbers"),
        (["arm"], np.full(7, np.nan), "7 finite numbers"),
    ],
)
def test_wrong_joints_are_one_sentence(joints, rest, match):
    with pytest.raises(CarpalError, match=match):
        with_fixed_joints(boxed_arm().build(), joints, rest)


def test_groups_and_named_configurations_keep_what_still_moves():
    arm = sphere_arm().replace(groups={"arm": ("j0", "j1"), "tip": ("j6",)}, configurations={"up": np.arange(7) / 10})
    fixed = with_fixed_joints(arm, ["j1", "j3"])
    assert fixed.groups == {"arm": ("j1",)} and fixed.configurations["up"].tolist() == [0.1, 0.3]
