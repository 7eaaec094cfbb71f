"""The prepared checker gives the verdicts of `collides`, and its explanations."""

import pickle

import numpy as np
import pytest
from collision_scenes import boxed_arm

from carpal.contact import CollisionChecker, collides, collision_checker, distance, sweep
from carpal.errors import CarpalError, InputError
from carpal.kinematics import random_configurations
from carpal.model import Sphere

SCENE = boxed_arm()
Q = random_configurations(SCENE.build(), 100, seed=17)
CHECKER = collision_checker(SCENE)


def test_verdicts_are_those_of_collides():
    expected = collides(SCENE, Q).hit
    assert expected.any() and not expected.all()
    assert [CHECKER(row) for row in Q] == expected.tolist()
    assert isinstance(CHECKER(Q[0]), bool)
    assert np.array_equal(CHECKER.collides(Q).hit, expected)
    assert np.array_equal(CHECKER.distance(Q).distance, distance(SCENE, Q).distance)
    assert CHECKER.sweep(Q[0], Q[1]).ok == sweep(SCENE, Q[0], Q[1]).ok
    wide = collision_checker(SCENE, margin=0.05)
    assert [wide(row) for row in Q] == collides(SCENE, Q, margin=0.05).hit.tolist()


def test_a_copy_for_another_process_has_its_own_buffers():
    copy = pickle.loads(pickle.dumps(collision_checker(SCENE, margin=0.05)))
    assert [copy(row) for row in Q] == collides(SCENE, Q, margin=0.05).hit.tolist()


def test_other_layouts_and_types_give_the_same():
    strided, column = np.repeat(Q, 2, axis=1)[:, ::2], np.asfortranarray(Q)
    for i in range(20):
        first = CHECKER(Q[i])
        frozen = Q[i].copy()
        frozen.setflags(write=False)
        for same in (strided[i], column[i], Q[i].tolist(), frozen, Q[i].astype(">f8")):
            assert CHECKER(same) == first


@pytest.mark.parametrize("wrong", [np.zeros(6), np.full(7, np.nan), "home", None, np.zeros((2, 7, 7))])
def test_wrong_configurations_are_one_sentence(wrong):
    with pytest.raises(InputError) as error:
        CHECKER(wrong)
    assert "\n" not in str(error.value)


def test_only_some_joints_and_the_rest_where_it_stays():
    scene = boxed_arm(seed=1).add_object("ball", Sphere(0.1), mass=1.0, pose=[0.5, 0.0, 0.5])
    model = scene.build()
    rest = model.q_home.copy()
    rest[:3] = 0.2, 0.4, -0.3
    checker = collision_checker(scene, joints=["arm/joint_3", "arm/joint_5"], rest=rest)
    assert isinstance(checker, CollisionChecker) and checker.model.nq == 2
    q = random_configurations(checker.model, 50, seed=18)
    full = np.tile(rest, (50, 1))
    full[:, 3], full[:, 5] = q[:, 0], q[:, 1]
    assert [checker(row) for row in q] == collides(scene, full).hit.tolist()


def test_wrong_options_are_one_sentence():
    with pytest.raises(InputError, match="margin"):
        collision_checker(SCENE, margin=np.inf)
    with pytest.raises(CarpalError, match="unknown moving joint"):
        collision_checker(SCENE, joints=["leg"])
