"""Answers say what is true in one sentence."""

import numpy as np
import pytest

from carpal.contact import collides, distance
from carpal.contact.collision_result import length_text
from carpal.model import Scene, Sphere

SCENE = Scene("two").add_object("egg", Sphere(0.1), mass=1.0).add_fixed("nest", Sphere(0.2), pose=[1.0, 0, 0])
APART, TOUCHING = [0.2, 0, 0, 1, 0, 0, 0.0], [0.75, 0, 0, 1, 0, 0, 0.0]


def test_one_configuration():
    hit, free = collides(SCENE, TOUCHING), collides(SCENE, APART)
    assert hit and not free
    assert str(hit) == "'egg' and 'nest' overlap by 50 mm."
    assert str(free) == "nothing touches (1 pairs of shapes)."
    assert hit.names() == ("egg", "nest") and free.names() is None
    assert abs(hit.depth - 0.05) < 1e-15 and free.depth == 0
    near = distance(SCENE, APART)
    assert str(near) == "'egg' and 'nest' are nearest, 500 mm apart." and near.depth == 0
    assert str(distance(SCENE, APART, limit=0.3)) == "nothing is nearer than 300 mm."
    assert str(collides(SCENE, APART, margin=0.6)) == "'egg' and 'nest' are nearest, 500 mm apart."
    assert str(collides(SCENE, APART, margin=0.1)) == "nothing comes within 100 mm (1 pairs of shapes)."


def test_an_answer_does_not_change_with_the_array_that_was_asked():
    q = np.array([TOUCHING])
    hit = collides(SCENE, q)
    q[:] = APART
    assert abs(hit.depth[0] - 0.05) < 1e-15


def test_a_batch():
    both = collides(SCENE, [APART, TOUCHING])
    assert both and both.hit.tolist() == [False, True]
    assert str(both) == (
        "1 of 2 configurations touch; of 2 configurations the worst is (1,): 'egg' and 'nest' overlap by 50 mm."
    )
    assert both.names((0,)) is None and both.names((1,)) == ("egg", "nest")
    assert np.allclose(both.depth, [0, 0.05], atol=1e-15)
    assert np.isnan(both.deepest.p_WA[0]).all() and np.allclose(both.deepest.n_AB_W[1], [1, 0, 0])
    assert str(collides(SCENE, [APART, APART])) == "nothing touches at any of 2 configurations (1 pairs of shapes)."
    assert str(distance(SCENE, np.zeros((0, 7)))) == "no configuration was asked."


@pytest.mark.parametrize(("metres", "text"), [(2.5, "2.5 m"), (0.0123, "12.3 mm"), (2e-6, "2 um"), (-0.5, "-500 mm")])
def test_lengths_for_people(metres, text):
    assert length_text(metres) == text
