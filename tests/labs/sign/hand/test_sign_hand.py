"""A hand's commands: converting handshapes, joints of commands, names checked."""

import dataclasses

import numpy as np
import pytest
from sign_robots import hand

from carpal.errors import CarpalError
from carpal.labs.sign import read_alphabet, read_driver, sign_hand, tendon_angles
from carpal.labs.sign.files import tables


def test_commands_and_joints():
    parloma, cuhk = hand(), hand("cuhk")
    assert len(parloma.commands) == 3 + 5 + 5
    assert len(parloma.tendons) == 5 and len(parloma.wrist) == 3
    assert len(cuhk.commands) == 15 and not cuhk.fingers
    assert np.allclose(parloma.joints(np.zeros(13)), 0.0)


def test_a_fist_and_an_open_hand_are_exact():
    parloma = hand()
    for robot in ("parloma", "cuhk"):
        one = hand(robot)
        for name in ("A", "L"):
            shape = read_alphabet().letters[name].right
            commands, away = one.convert(shape)
            wanted = one.wanted(shape)
            q = one.joints(commands)
            off = max(abs(q[one.model.q_index(joint)] - angle) for joint, angle in wanted.items())
            assert off < 0.07  # A's thumb is bent by 0.1 at its base only
            assert away <= off + 1e-12 or not one.fingers
    closed = read_alphabet().letters["S"].right
    commands, _ = parloma.convert(dataclasses.replace(closed, bend=np.ones((5, 2))))
    q = parloma.joints(commands)
    for name, finger in parloma.fingers.items():
        assert np.allclose(q[list(parloma.columns[f"{name}_tendon"])], finger.high, atol=1e-9)


def test_the_nearest_travel_beats_its_neighbours():
    one = hand()
    asked = np.array([1.2, 0.1, 0.1])
    travel, _ = one._nearest("index", asked)
    finger = one.fingers["index"]
    weight = np.cumsum(finger.lengths[::-1])[::-1]

    def cost(s):
        return float((((tendon_angles(finger, s).angles - asked) * weight) ** 2).sum())

    best = min(cost(s) for s in np.linspace(0, finger.travel, 4001))
    assert cost(travel) <= best * (1 + 1e-4)


def test_a_touched_hand_gives_way():
    one = hand()
    commands, _ = one.convert(read_alphabet().letters["B"].right)
    commands[one.commands.index("index_tendon")] = 0.01
    loads = np.zeros((5, 1, 4))
    loads[1, 0] = 2, 0.02, 0.0, -0.3  # thumb, index, ...
    moved = one.joints(commands, loads) - one.joints(commands)
    at = list(one.columns["index_tendon"])
    assert np.abs(moved[at]).max() > 0.02
    moved[at] = 0.0
    assert np.abs(moved).max() < 1e-12


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('palm = "palm"', 'palm = "plam"', "unknown frame of 'parloma_hand' in palm 'plam'"),
        ('"index_proximal", "index_middle"', '"index_proximall", "index_middle"', "did you mean 'index_proximal'"),
        ('joint = "index_abduction"', 'joint = "index_abd"', "unknown moving joint"),
        ('hand = "parloma_hand"', 'hand = "parlma_hand"', "did you mean 'parloma_hand'"),
        ("starts = [4, 6, 8], closed = 45", "starts = [0, 0, 0], closed = 1", "cannot hold it"),
    ],
)
def test_names_are_checked_against_the_hand(tmp_path, old, new, sentence):
    text = (tables.DATA / "robots" / "parloma.toml").read_text()
    assert old in text
    (tmp_path / "r.toml").write_text(text.replace(old, new))
    with pytest.raises(CarpalError, match=sentence):
        sign_hand(read_driver(tmp_path / "r.toml"))
