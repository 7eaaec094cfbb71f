"""The rules of contact: rigid groups, neighbours, names, masks."""

import numpy as np
from extended_models import extended_model

from carpal.model import Body, Joint, Model, PlacedShape, Sphere
from carpal.model.contact_rules import (
    apart_in_tree,
    excluded_pairs,
    masks_meet,
    neighbours,
    own_contact_matrix,
    rigid_groups,
    shapes_named,
)  # fmt: skip


def robot() -> Model:
    """World - base (fixed) - one (turns) - flange (fixed) - two (turns) - three (turns)."""
    kinds = {"base": "fixed", "one": "revolute", "flange": "fixed", "two": "revolute", "three": "revolute"}
    bodies, parent = [], None
    for name, kind in kinds.items():
        bodies.append(Body(name, parent, Joint(f"to_{name}", kind)))
        parent = name
    return Model("robot", tuple(bodies))


def pair(a: str, b: str) -> frozenset[str]:
    return frozenset((a, b))


def test_rigid_groups_and_neighbours():
    model = robot()
    assert rigid_groups(model) == {
        None: None, "base": "base", "one": "one", "flange": "one", "two": "two", "three": "three",
    }  # fmt: skip
    assert neighbours(model) == {pair("one", "base"), pair("two", "one"), pair("three", "two")}


def test_a_name_can_mean_a_whole_robot():
    shapes = [PlacedShape(n, None, Sphere(0.1)) for n in ("arm/a", "arm/b", "army", "c")]
    assert shapes_named(shapes, "arm", "x") == {0, 1}
    assert excluded_pairs(shapes, [("arm", "c")]) == {(0, 3), (1, 3)}


def test_masks_meet_both_ways():
    rng = np.random.default_rng(0)
    masks = rng.integers(0, 2**32, (30, 2)) & rng.integers(0, 2**32, (30, 2)) & rng.integers(0, 2**32, (30, 2))
    masks[:10] &= 1
    shapes = [PlacedShape(f"s{i}", None, Sphere(1.0), contype=a, conaffinity=b) for i, (a, b) in enumerate(masks)]
    expected = [[bool(int(a[0]) & int(b[1]) or int(b[0]) & int(a[1])) for b in masks] for a in masks]
    assert np.array_equal(masks_meet(shapes), expected)


def test_apart_in_tree():
    may = apart_in_tree(["a", "b", "b", None], [frozenset(("a", "b")), frozenset(("b", "unknown"))])
    assert np.array_equal(may, [[0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 1], [1, 1, 1, 0]])


def test_the_matrix_of_a_model_is_symmetric_and_empty_on_its_diagonal():
    model = extended_model()
    may = own_contact_matrix(model, model.shapes)
    assert np.array_equal(may, may.T) and not may.diagonal().any()


def test_world_means_what_stands_in_it():
    shapes = [PlacedShape("a", None, Sphere(0.1)), PlacedShape("b", "link", Sphere(0.1))]
    assert excluded_pairs(shapes, [("world", "link")], ["link", "world"]) == {(0, 1)}
