"""[payload] of a scene's TOML: the relay by its kind, a payload by its numbers, one sentence for what is wrong."""

import numpy as np
import pytest

from carpal.errors import CarpalError, ModelError
from carpal.model import Box, Scene
from carpal.planning import payload_from_dict

NUMBERS = {"mass": 0.5, "arm": 0.12, "drop": 0.01, "inertia": 0.01, "contact_width": 0.15, "contact_reach": 0.03}


def test_a_relay_and_its_own_numbers():
    relay, angle, spread = payload_from_dict({"kind": "relay", "angle": 0.4, "mu_low": 0.1})
    assert (relay.name, relay.mu_low, angle, spread) == ("relay", 0.1, 0.4, 0.02)
    box = {
        "name": "body",
        "shape": {"kind": "box", "size": [0.1, 0.2, 0.3]},
        "position": [0.1, 0, 0],
        "rpy": [0, 0, np.pi / 2],
    }
    payload, _, _ = payload_from_dict(NUMBERS | {"shapes": [box], "name": "parcel"})
    assert payload.shapes[0].shape == Box((0.1, 0.2, 0.3)) and np.allclose(payload.shapes[0].X_BS[:3, 0], [0, 1, 0])


def test_it_travels_with_a_scene():
    scene = Scene("s").add_robot("k10")
    scene.payload = {"kind": "relay", "angle": 0.4, "shapes": []}
    again = Scene.from_toml(scene.to_toml())
    assert again.payload == scene.payload and Scene.from_toml(Scene("s").to_toml()).payload is None
    with pytest.raises(ModelError, match="must be a table"):
        Scene.from_toml('name = "s"\npayload = 3\n')


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "must be a table"),
        ({"kind": "brick"}, "brick"),
        ({"weight": 1.0}, "weight"),
        ({"mass": 1.0}, "lacks arm, drop"),
        ({"kind": "relay", "angle": "up"}, "angle"),
        ({"kind": "relay", "shapes": [1]}, "each under"),
        ({"kind": "relay", "shapes": [{"name": "a"}]}, "lacks shape"),
        (
            {"kind": "relay", "shapes": [{"name": "a", "shape": {"kind": "sphere", "radius": 1.0}, "rpy": [1]}]},
            "rpy of 'a'",
        ),
        ({"kind": "relay", "shapes": [{"colour": "a"}]}, "colour"),
        ({"kind": "relay", "mass": -1.0}, "mass of a payload"),
    ],
)
def test_bad_input_is_one_sentence(data, words):
    with pytest.raises(CarpalError, match=words):
        payload_from_dict(data)
