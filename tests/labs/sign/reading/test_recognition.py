"""Recognisers by name, simulated people, filmed robots."""

import numpy as np
import pytest
from sign_robots import hand, letters

from carpal.errors import CarpalError
from carpal.labs.sign import (
    SimulatedSigner,
    depth_landmarks,
    read_alphabet,
    robot_frames,
    robot_landmarks,
    save_recogniser,
    sign_recogniser,
    train_sign_recogniser,
)
from carpal.perception import Camera


def test_names_and_files(tmp_path):
    reader = sign_recogniser("italian", "parloma")
    assert reader is sign_recogniser("italian", "parloma") and reader.names == tuple(read_alphabet().letters)
    path = save_recogniser(reader, tmp_path, "italian", "parloma")
    assert path.name == "italian_parloma.npz" and sign_recogniser(path).digest == reader.digest
    for given, said in (
        (("klingon",), "unknown alphabet 'klingon'; valid: asl, italian"),
        (("italian", "parlma"), "did you mean 'italian_parloma'"),
        ((str(path), "parloma"), "a recogniser from a file knows its hands"),
        ((str(tmp_path / "no.npz"),), "cannot be read"),
    ):
        with pytest.raises(CarpalError, match=said):
            sign_recogniser(*given)
    with pytest.raises(CarpalError, match="unknown alphabet"):
        train_sign_recogniser("klingon")


def test_a_person_is_the_same_every_time_and_others_differ():
    first, again, other = SimulatedSigner(1), SimulatedSigner(1), SimulatedSigner(2)
    a, b, c = (person.frames("K") for person in (first, again, other))
    assert a.shape == (24, 21, 3) and np.array_equal(a, b) and not np.allclose(a, c, atol=0.01)
    assert not np.array_equal(first.frames("K"), a)  # nobody shows a letter twice alike
    still = SimulatedSigner(3, kind="anatomical", view=0.0).frames("B", noise=0.0, frames=2)
    assert np.linalg.norm(np.diff(still, axis=0), axis=-1).max() < 0.005
    for changes, said in (
        ({"kind": "robot"}, "unknown kind of simulated hand"),
        ({"alphabet": "none"}, "unknown alphabet"),
    ):
        with pytest.raises(CarpalError, match=said):
            SimulatedSigner(1, **changes)
    for letter, changes, said in (
        ("É", {}, "unknown letter of 'italian' 'É'"),
        ("A", {"noise": -1}, "noise from 0 to 1 m"),
        ("A", {"frames": 0}, "at least one frame"),
    ):
        with pytest.raises(CarpalError, match=said):
            first.frames(letter, **changes)


def test_a_depth_frame_without_a_hand_is_reported():
    camera = Camera(8, 8, 10.0, 10.0, 3.5, 3.5)
    with pytest.raises(CarpalError, match="at least 60 pixels"):
        depth_landmarks(np.zeros((8, 8)), camera)
    with pytest.raises(CarpalError, match="unknown alphabet"):
        depth_landmarks(np.zeros((8, 8)), camera, "klingon")


def test_a_filmed_robot_shows_its_hand():
    shown, _ = letters()
    alphabet = read_alphabet()
    seen = robot_frames(hand(), shown["U"], alphabet, noise=0.0, view=0.0)
    points = robot_landmarks(hand(), hand().joints(shown["U"].commands))
    middle = seen.mean(0)
    assert np.linalg.norm(middle - points, axis=-1).max() < 0.006  # palm forward: the palm's frame is the receiver's
    assert np.array_equal(robot_frames(hand(), shown["U"], alphabet, noise=0.0, view=0.0, points=points), seen)
    flat = robot_frames(hand(), shown["H"], alphabet, noise=0.0, view=0.0)
    assert not np.allclose(flat.mean(0), middle, atol=0.02)
    assert np.array_equal(
        robot_frames(hand(), shown["Z"], alphabet, seed=4), robot_frames(hand(), shown["Z"], alphabet, seed=4)
    )
