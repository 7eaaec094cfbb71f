"""The public edge of scene queries: input, batches, names. (Truth is in kernels/test_collision.py.)"""

import numpy as np
import pytest
from collision_scenes import boxed_arm

from carpal.contact import collides, distance, sweep
from carpal.errors import CarpalError, InputError
from carpal.kinematics import random_configurations

SCENE = boxed_arm()
Q = random_configurations(SCENE.build(), 6, seed=16)


def test_batches_of_any_shape():
    flat = distance(SCENE, Q)
    shaped = distance(SCENE, Q.reshape(2, 3, 7))
    assert shaped.distance.shape == (2, 3) and shaped.p_WA.shape == (2, 3, 3)
    assert np.array_equal(shaped.distance.ravel(), flat.distance)
    assert collides(SCENE, Q.reshape(3, 2, 7)).hit.shape == (3, 2)
    assert collides(SCENE, np.zeros((0, 7))).hit.shape == (0,)
    assert collides(SCENE, Q[0].tolist()).hit == (flat.distance[0] < 0)
    assert distance(SCENE.build(), Q[0]).distance == flat.distance[0]


@pytest.mark.parametrize("ask", [collides, distance, lambda scene, q, **o: sweep(scene, q, Q[0], **o)])
@pytest.mark.parametrize(
    ("q", "match"),
    [
        (np.zeros(6), "needs 7 numbers"),
        (np.full(7, np.nan), "must be finite"),
        (np.array([0, 0, 0, np.inf, 0, 0, 0]), "must be finite"),
        (["a"] * 7, "real numbers"),
    ],
)
def test_wrong_configurations_are_one_sentence(ask, q, match):
    with pytest.raises(InputError, match=match) as error:
        ask(SCENE, q)
    assert "\n" not in str(error.value)


def test_wrong_options_are_one_sentence():
    for options, match in (
        ({"margin": np.nan}, "margin must be a finite number"),
        ({"margin": "1 mm"}, "margin must be a number"),
        ({"device": "tpu"}, "unknown device"),
        ({"threads": 0}, "threads must be"),
        ({"exclude": [("arm", "bx_1")]}, "did you mean 'box_1'"),
    ):
        with pytest.raises(CarpalError, match=match):
            collides(SCENE, Q, **options)
    with pytest.raises(InputError, match="limit must be"):
        distance(SCENE, Q, limit=-np.inf)


def test_an_exclusion_takes_a_pair_out():
    hit = collides(SCENE, Q)
    assert hit
    index = tuple(np.argwhere(hit.hit)[0])
    assert hit.names(index) not in {distance(SCENE, Q[index], exclude=[hit.names(index)]).names()}


def test_a_zero_quaternion_is_refused():
    from carpal.model import Scene, Sphere

    scene = Scene("two").add_object("a", Sphere(0.1), mass=1.0).add_object("b", Sphere(0.1), mass=1.0)
    with pytest.raises(InputError, match="quaternion of joint 'b'"):
        collides(scene, [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
