"""Who may touch whom: neighbours, what is rigidly joined, and exclusions do not."""

from dataclasses import replace

import numpy as np
import pytest

from carpal.contact import contact_tables
from carpal.contact.pair_filters import pairs_that_may_touch
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


def test_masks_and_contact_pairs():
    masked = {"ball_three": (2, 2), "ball_two": (1, 2)}
    shapes = [replace(s, contype=m[0], conaffinity=m[1]) if (m := masked.get(s.name)) else s for s in robot().shapes]
    model = robot().replace(shapes=tuple(shapes))
    # three meets nobody but by two's conaffinity, and two is its neighbour
    assert names(robot()) - names(model) == {p for p in names(robot()) if "ball_three" in p}
    paired = model.replace(
        contact_pairs=(("ball_three", "stone"), ("ball_three", "ball_two"), ("ball_one", "ball_flange")),
        exclusions=(("ball_three", "stone"),),
    )
    # pairs go before masks, neighbours and exclusions, but not before a rigid joint
    assert names(paired) - names(model) == {pair("ball_three", "stone"), pair("ball_three", "ball_two")}
    # what a caller excludes goes before them
    assert pair("ball_three", "stone") not in names(paired, exclude=[("three", "stone")])


def test_a_body_without_shapes_may_be_excluded():
    model = robot()
    bare = model.replace(shapes=tuple(s for s in model.shapes if s.body != "two"), exclusions=(("two", "base"),))
    left = names(bare)
    assert left == names(bare.replace(exclusions=())) and names(bare, exclude=[("two", "three")]) == left


def test_a_model_without_shapes_has_no_pairs():
    assert pairs_that_may_touch(robot(), [], []).shape == (0, 2)
