"""Who may touch whom: neighbours, what is rigidly joined, and exclusions do not."""

import numpy as np
import pytest

from carpal.contact import contact_tables
from carpal.contact.pair_filters import excluded_pairs, neighbours, rigid_groups, shapes_named
from carpal.errors import CarpalError, InputError
from carpal.model import Body, Joint, Model, PlacedShape, Sphere
from carpal.spatial import pose


def robot(**options) -> Model:
    """World - base (fixed) - one (turns) - flange (fixed) - two (turns) - three (turns); a ball on each and a stone."""
    kinds = {"base": "fixed", "one": "revolute", "flange": "fixed", "two": "revolute", "three": "revolute"}
    bodies, parent = [], None
    for name, kind in kinds.items():
        bodies.append(Body(name, parent, Joint(f"to_{name}", kind, X_PJ=pose(p=[0, 0, 1.0]))))
        parent = name
    shapes = [PlacedShape(f"ball_{name}", name, Sphere(0.1)) for name in kinds]
    shapes += [PlacedShape("stone", None, Sphere(0.1)), PlacedShape("ghost", "three", Sphere(0.1), collides=False)]
    return Model("robot", tuple(bodies), shapes=tuple(shapes), **options)


def names(model: Model, **options) -> set[frozenset[str]]:
    tables = contact_tables(model, **options)
    return {frozenset(tables.pair_names(i)) for i in range(len(tables.pairs))}


def pair(a: str, b: str) -> frozenset[str]:
    return frozenset((a, b))


def test_rigid_groups_and_neighbours():
    model = robot()
    assert rigid_groups(model) == {
        None: None, "base": "base", "one": "one", "flange": "one", "two": "two", "three": "three",
    }  # fmt: skip
    assert neighbours(model) == {pair("one", "base"), pair("two", "one"), pair("three", "two")}


def test_pairs_after_the_filters():
    assert names(robot()) == {
        pair("ball_two", "ball_base"), pair("ball_three", "ball_base"), pair("ball_three", "ball_one"),
        pair("ball_three", "ball_flange"), pair("ball_one", "stone"), pair("ball_flange", "stone"),
        pair("ball_two", "stone"), pair("ball_three", "stone"),
    }  # fmt: skip


def test_exclusions_of_shapes_and_bodies():
    left = names(robot(), exclude=[("ball_three", "stone"), ("base", "two")])
    assert names(robot()) - left == {pair("ball_three", "stone"), pair("ball_two", "ball_base")}
    assert names(robot(exclusions=(("ball_three", "stone"), ("two", "base")))) == left


def test_a_name_can_mean_a_whole_robot():
    shapes = [PlacedShape(n, None, Sphere(0.1)) for n in ("arm/a", "arm/b", "army", "c")]
    assert shapes_named(shapes, "arm", "x") == {0, 1}
    assert excluded_pairs(shapes, [("arm", "c")]) == {(0, 3), (1, 3)}


@pytest.mark.parametrize("wrong", [[("ball_one",)], ["stone"], [("stone", "sotne")], [("stone", 3)], [("stone", "")]])
def test_wrong_exclusions_are_one_sentence(wrong):
    with pytest.raises(CarpalError) as error:
        contact_tables(robot(), exclude=wrong)
    assert str(error.value).count("\n") == 0 and ("two names" in str(error.value) or "unknown" in str(error.value))


def test_an_exclusion_of_a_model_must_name_something():
    with pytest.raises(CarpalError, match=r"unknown shape or body .* 'stoen'; did you mean 'stone'"):
        robot(exclusions=(("stoen", "base"),))
    with pytest.raises(InputError, match="is two names"):
        robot(exclusions=(("stone",),))


def test_pairs_are_sorted_by_groups():
    tables = contact_tables(robot())
    covered = np.concatenate([np.arange(first, end) for first, end in tables.blocks[:, 4:]])
    assert np.array_equal(covered, np.arange(len(tables.pairs)))
