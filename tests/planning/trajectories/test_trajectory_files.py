"""What is saved comes back bit for bit; anything else is one sentence."""

import contextlib

import numpy as np
import pytest

from carpal.errors import CarpalError, InputError
from carpal.planning import Trajectory


def make():
    rng = np.random.default_rng(3)
    return Trajectory(
        np.array([0.0, 0.1, 0.7]),
        rng.normal(size=(2, 7, 3)),
        ("a", "ü/b", "c"),
        "test",
        np.array([0.0, 0.7]),
        np.zeros(2),
    )


def test_every_bit_comes_back(tmp_path):
    motion = make()
    again = Trajectory.load(motion.save(tmp_path / "deep" / "m.npz"))
    for name in ("times", "coefficients", "passing", "corner_bound"):
        assert np.array_equal(getattr(again, name), getattr(motion, name))
    assert again.joint_names == motion.joint_names and again.kind == motion.kind


def test_hostile_files(tmp_path):
    rng = np.random.default_rng(0)
    good = make().save(tmp_path / "m.npz").read_bytes()
    bad = tmp_path / "bad.npz"
    for i in range(60):
        data = bytearray(good)
        if i % 2:
            data = data[: int(rng.integers(0, len(data)))]
        else:
            for _ in range(8):
                data[int(rng.integers(len(data)))] = int(rng.integers(256))
        bad.write_bytes(bytes(data))
        with contextlib.suppress(CarpalError):  # nothing else may come out; what was not damaged is read
            Trajectory.load(bad)


class Hostile:
    """Writes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def test_a_file_that_holds_code_is_not_run(tmp_path):
    mark = tmp_path / "was_run"
    parts = {"format": np.array("carpal trajectory 1"), "times": np.array([Hostile(mark)], dtype=object)}
    np.savez(tmp_path / "code.npz", **parts)
    with pytest.raises(InputError, match="holds no trajectory"):
        Trajectory.load(tmp_path / "code.npz")
    assert not mark.exists()


def test_bad_places(tmp_path):
    with pytest.raises(InputError, match=r"\.npz"):
        make().save(tmp_path / "m.txt")
    with pytest.raises(InputError, match="cannot be read"):
        Trajectory.load(tmp_path / "nothing.npz")
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    with pytest.raises(InputError, match="holds no trajectory"):
        Trajectory.load(tmp_path / "other.npz")
