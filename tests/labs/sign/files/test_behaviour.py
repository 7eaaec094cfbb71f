"""Behaviour files: defaults, the published schema, typos."""

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.sign import behaviour_schema, read_behaviour
from carpal.labs.sign.files import tables

ROOT = Path(__file__).parents[4]


def written(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text('format = "carpal-behaviour-1"\nname = "mine"\n' + text)
    return path


def test_the_package_s_file_is_the_defaults(tmp_path):
    ours, empty = read_behaviour(), read_behaviour(written(tmp_path, ""))
    for field in ("palms", "motions", "letters", "two_hands", "speed", "acceleration", "tip_speed", "touch_force", "distance",
                  "payload_share", "receiver", "elbow_clearance", "hold", "pause"):  # fmt: skip
        assert getattr(ours, field) == getattr(empty, field), field
    assert np.array_equal(ours.low, empty.low) and np.array_equal(ours.high, empty.high)


def test_the_published_schema_is_this_one():
    assert json.loads((ROOT / "docs/schemas/sign_behaviour.json").read_text()) == behaviour_schema()


def test_the_schema_knows_every_key_of_the_package_s_file():
    data = tomllib.loads((tables.DATA / "behaviours" / "careful.toml").read_text())
    properties = behaviour_schema()["properties"]
    for key, value in data.items():
        assert key in properties
        if isinstance(value, dict):
            assert set(value) == set(properties[key]["properties"])


def test_inside():
    rules = read_behaviour()
    assert rules.inside(np.array([[0.4, 0.0, 0.7], [0.4, 0.0, 1.5]])).tolist() == [True, False]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[movments]\n", "unknown key of .*; did you mean 'movements'"),
        ("[limits]\nsped = 0.3\n", "unknown key of limits of .* 'sped'; did you mean 'speed'"),
        ("[limits]\nspeed = 3\n", "limits.speed of .* must be from 0.01 to 1; got 3"),
        ("[area]\nlow = [1, 1]\n", "must be 3 numbers"),
        ("[area]\nlow = [0.9, 0, 0]\n", "area of .* is empty"),
        ("[movements]\ntwo_hands = 1\n", "must be true or false"),
        ("[movements]\npalms = 'forward'\n", "must be a list of texts"),
    ],
)
def test_typos_are_answered(tmp_path, text, sentence):
    with pytest.raises(CarpalError, match=sentence):
        read_behaviour(written(tmp_path, text))
