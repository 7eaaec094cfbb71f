"""Surfaces of a scene, as data and as TOML, on their way to the modal engine."""

import pytest

from carpal.engines import Restitution, Surface, surfaces_of_scene
from carpal.errors import CarpalError
from carpal.model import Scene

TEXT = """
[[surface]]
mu = 0.4
restitution = 0.3
[[surface]]
between = ["ball", "floor"]
restitution = {kind = "exponential"}
[[surface]]
between = ["pad"]
mu = 1
tip = "soft"
torsion = 0.004
"""


def test_one_for_all_and_those_between_named_things():
    scene = Scene.from_toml(TEXT)
    general, named = surfaces_of_scene(scene)
    assert general == Surface(mu=0.4, restitution=0.3)
    assert named == {
        ("ball", "floor"): Surface(restitution=Restitution.exponential()),
        "pad": Surface(mu=1.0, tip="soft", torsion=0.004),
    }
    assert surfaces_of_scene(Scene()) == (Surface(), {})
    assert surfaces_of_scene(Scene.from_toml(scene.to_toml())) == (general, named)


def test_what_is_given_goes_before_the_surface_of_all_pairs():
    scene = Scene.from_toml(TEXT)
    named = surfaces_of_scene(scene)[1]
    assert surfaces_of_scene(scene, Surface(mu=0.1)) == (Surface(mu=0.1), named)
    assert surfaces_of_scene(scene, {"mu": 0.1}) == (Surface(mu=0.1, restitution=0.3), named)
    soft = Scene().add_surface(tip="soft", torsion=0.01, mu=0.2)
    assert surfaces_of_scene(soft, {"tip": "hard"})[0] == Surface(mu=0.2), "the patch goes with the soft tip"
    assert surfaces_of_scene(soft, {"torsion": 0.02})[0] == Surface(mu=0.2, tip="soft", torsion=0.02)


@pytest.mark.parametrize(
    ("between", "values", "says"),
    [
        (("ball",), {"mu": -1.0}, "the surface of ball: mu of a Surface must be finite and zero or above; got -1.0"),
        (("a", "b"), {"mu": float("nan")}, "the surface of a and b: mu of a Surface"),
        ((), {"tip": "wet"}, "unknown tip of a Surface 'wet'"),
        ((), {"tip": "soft"}, "torsion belongs to a soft tip"),
        ((), {"restitution": "high"}, "a of a Restitution must be a finite number; got 'high'"),
        ((), {"restitution": {"kind": "exponential", "c": 1}}, "unknown entry of a restitution 'c'"),
        ((), {"restitution": {"kind": "constant"}}, "a restitution lacks a"),
        ((), {"restitution": {"a": 0.5}}, "a restitution lacks kind"),
        ((), {"restitution": {"kind": "sticky", "a": 0.5}}, "kind of a Restitution must be one of"),
    ],
)
def test_bad_values_get_one_sentence(between, values, says):
    with pytest.raises(CarpalError, match=says) as caught:
        surfaces_of_scene(Scene().add_surface(*between, **values))
    assert "\n" not in str(caught.value)
