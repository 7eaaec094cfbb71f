"""The package's reader of single frames: either hand, any distance, no hand, its file."""

import dataclasses

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.sign import frame_reader, known_frame_readers, read_recogniser, read_recordings
from carpal.labs.sign.reading.frame_features import mirror


def test_real_frames_are_read():
    found = read_recordings("asl_webcam")
    rows = np.arange(0, len(found.points), 40)
    read = frame_reader("asl").read(found.points[rows])
    right = np.array([a == b for a, b in zip(read.letters, found.letters[rows], strict=True)])
    assert right.mean() > 0.97 and "asl" in known_frame_readers() and read and "frames show a letter" in str(read)


def test_distance_place_and_the_other_hand_change_nothing():
    reader, p = frame_reader(), read_recordings("asl_webcam").points[::150]
    first = reader.probabilities(p)
    assert np.abs(reader.probabilities(mirror(p)) - first).max() < 1e-12
    assert np.abs(reader.probabilities(0.2 * p + (0.3, 0.1, 0.0)) - first).max() < 1e-9
    assert all(reader.read(one).letters[0] == letter for one, letter in zip(p, reader.read(p).letters, strict=True))


def test_a_picture_without_a_hand_is_no_letter():
    p = read_recordings("asl_webcam").points[:3].copy()
    p[1] = np.nan
    p[2] = 0.5
    read = frame_reader().read(p)
    assert read.letters[1:] == (None, None) and (read.confidence[1:] == 0).all()
    with pytest.raises(CarpalError, match="must have the shape"):
        frame_reader().read(np.zeros((2, 20, 3)))


def test_the_file_keeps_every_bit_and_is_no_other_recogniser(tmp_path):
    reader = frame_reader()
    again = frame_reader(reader.save(tmp_path / "r.npz"))
    assert again.digest == reader.digest and again.least == reader.least
    with pytest.raises(CarpalError, match="must have format carpal-recogniser-1"):
        read_recogniser(tmp_path / "r.npz")
    with pytest.raises(CarpalError, match="unknown frame reader 'italian'"):
        frame_reader("italian")
    broken = dataclasses.replace(reader, centre=reader.centre[:-1], width=reader.width[:-1])
    with pytest.raises(CarpalError, match="does not fit together"):
        frame_reader(broken.save(tmp_path / "b.npz"))
