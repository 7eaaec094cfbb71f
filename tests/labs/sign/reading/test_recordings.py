"""Recorded hands: the package's file, blocks of neighbours, hostile files."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.sign import blocks, known_recordings, read_recordings
from carpal.labs.sign.reading.recordings import STEPS, Recordings, write_compact


def test_the_package_holds_the_recordings():
    found = read_recordings("asl_webcam")
    assert found.points.shape == (6294, 21, 3) and len(found.names) == 26 and "asl_webcam" in known_recordings()
    assert (np.bincount(found.labels()) >= 240).all() and np.ptp(found.points[..., 0]) < 1.0


def test_the_compact_form_keeps_a_step(tmp_path):
    rng = np.random.default_rng(0)
    given = Recordings(rng.uniform(0, 1, (50, 21, 3)), np.array(["A", "B"] * 25))
    back = read_recordings(write_compact(tmp_path / "x.npz", given))
    assert np.abs(back.points - given.points).max() <= 0.5 / STEPS + 1e-12 and (back.letters == given.letters).all()


def test_blocks_are_contiguous_within_a_letter():
    labels = np.repeat([2, 0, 1], [10, 7, 25])
    found = blocks(labels, 5)
    for label in (0, 1, 2):
        mine = found[labels == label]
        assert (np.diff(mine) >= 0).all() and set(mine) == set(range(5)) and np.ptp(np.bincount(mine)) <= 1


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"other": np.zeros(3)}, "has no array 'landmarks'; it holds other"),
        ({"landmarks": np.zeros((4, 20, 3))}, "shape \\(frames, 21, 3\\)"),
        ({"landmarks": np.zeros((0, 21, 3))}, "must hold 1 to"),
        ({"landmarks": np.array(["x"])}, "must be numbers"),
        ({"landmarks": np.where(np.arange(63).reshape(1, 21, 3) == 5, np.inf, 0.5)}, "must be finite; frame 0"),
        ({"landmarks": np.zeros((2, 21, 3)), "letters": np.array(["A"])}, "must be 2 texts"),
        ({"landmarks": np.zeros((2, 21, 3)), "letters": np.array(["A", ""])}, "must not be empty"),
        ({"landmarks": np.array([None] * 3, object)}, "is not a .npz file of plain arrays"),
    ],
)
def test_bad_files_are_one_sentence(tmp_path, arrays, said):
    np.savez(tmp_path / "x.npz", **arrays)
    with pytest.raises(CarpalError, match=said):
        read_recordings(tmp_path / "x.npz")


def test_no_file_and_no_archive(tmp_path):
    (tmp_path / "y.npz").write_bytes(b"PK not an archive")
    for name, said in (
        (tmp_path / "no.npz", "cannot be read"),
        (tmp_path / "y.npz", "plain arrays"),
        ("asl", "asl_webcam"),
    ):
        with pytest.raises(CarpalError, match=said):
            read_recordings(name)
