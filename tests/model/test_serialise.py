from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from random_models import random_tree

from carpal.errors import CarpalError, ModelError
from carpal.model import Body, Box, Joint, Model, PlacedShape, Plane
from carpal.model.parts import JOINT_NUMBERS
from carpal.model.plain_values import number_in, number_out, pose_in, pose_out
from carpal.model.serialise import (
    inertia_in,
    inertia_out,
    model_from_dict,
    model_from_json,
    model_to_dict,
    model_to_json,
)


def same_bits(a: Model, b: Model) -> None:
    assert (a.name, a.tool, a.source, a.notes, a.frames) == (b.name, b.tool, b.source, b.notes, b.frames)
    for what in ("tool_axis", "gravity", "q_home", "q_min", "v_max"):
        assert getattr(a, what).tobytes() == getattr(b, what).tobytes(), what
    assert a.tables.bodies.tobytes() == b.tables.bodies.tobytes()
    assert a.tables.frames.tobytes() == b.tables.frames.tobytes()
    for x, y in zip(a.bodies, b.bodies, strict=True):
        for what in ("X_PJ", "axis", "X_JB"):
            assert getattr(x.joint, what).tobytes() == getattr(y.joint, what).tobytes(), what
        for what in ("name", "kind", *JOINT_NUMBERS):
            assert getattr(x.joint, what) == getattr(y.joint, what), what
        assert (x.inertia is None) == (y.inertia is None)


def test_random_trees_keep_every_bit():
    for seed in range(50):
        m = random_tree(seed, free="anywhere").replace(notes=("a",), source="b", tool_axis=[1.0, 2.0, 3.0])
        text = model_to_json(m)
        json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
        back = model_from_json(text)
        same_bits(m, back)
        assert model_to_json(back) == text


def test_unknown_inertia_and_infinite_limits():
    m = Model("m", (Body("a", None, Joint("j", "prismatic", q_min=-np.inf, q_max=0.1)),))
    data = model_to_dict(m)
    assert data["bodies"][0]["inertia"] is None
    assert data["bodies"][0]["joint"]["q_min"] == "-inf"
    same_bits(m, model_from_dict(data))


def test_no_number_of_a_joint_is_forgotten():
    others = {"name", "kind", "X_PJ", "axis", "X_JB"}
    assert {field.name for field in dataclasses.fields(Joint)} == others | set(JOINT_NUMBERS)


def test_small_pieces():
    assert [number_in(number_out(x)) for x in (0.1, np.inf, -np.inf)] == [0.1, np.inf, -np.inf]
    X = np.arange(16.0).reshape(4, 4)
    X[3] = 0, 0, 0, 1
    assert pose_in(pose_out(X)).tolist() == X.tolist()
    assert inertia_in(inertia_out(None)) is None
    for bad in ("nan", "1", None, True, [], 10**400):
        with pytest.raises(ModelError):
            number_in(bad)


def edits():
    """Every entry of the data, removed or replaced by something else."""
    shapes = (PlacedShape("s", "body_0", Box((1.0, 2.0, 3.0))), PlacedShape("floor", None, Plane()))
    base = model_to_dict(random_tree(0, joints=3).replace(shapes=shapes))

    def walk(data, path):
        items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else []
        for key, value in items:
            yield [*path, key]
            yield from walk(value, [*path, key])

    for path in list(walk(base, [])):
        for value in (None, [], {}, "x", -1.0, True, 10**400, "REMOVE"):
            copy = json.loads(json.dumps(base))
            inner = copy
            for key in path[:-1]:
                inner = inner[key]
            if value == "REMOVE":
                del inner[path[-1]]
            else:
                inner[path[-1]] = value
            yield copy


def test_damaged_data_gives_a_model_or_a_carpal_error():
    refused = 0
    for data in edits():
        try:
            model_from_dict(data)
        except CarpalError:
            refused += 1
    assert refused > 500


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "[" * 100_000, '{"format": "other"}'])
def test_text_that_is_no_model(text):
    with pytest.raises(ModelError):
        model_from_json(text)
