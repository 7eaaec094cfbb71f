"""The setup file: what it says, what the command line says instead, and what is refused in one sentence."""

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.labs.catch.pair.pair_setup import PairSetup, read_setup
from carpal.model import Box

TEXT = """
arm = "panda"
ground = false
speed_limit = 2.0
mount = [0.0, 0.0, 0.1, 0.0, 0.0, 90.0]
[object]
shape = {kind = "box", size = [0.05, 0.04, 0.03]}
mass = 0.08
drag = 1.05
[throw]
position = [2.0, 0.0, 1.0]
velocity = [-2.0, 0.0, 3.0]
spin = [0.0, 30.0, 0.0]
[surface]
mu = 0.5
"""


def test_a_file_is_read(tmp_path):
    path = tmp_path / "setup.toml"
    path.write_text(TEXT)
    setup = read_setup(str(path))
    assert setup.arm == "panda" and setup.ground is None and setup.speed_limit == 2.0 and setup.mu == 0.5
    assert isinstance(setup.form, Box) and setup.throw[3:6] == (-2.0, 0.0, 3.0)
    np.testing.assert_allclose(setup.X_FH[:3, :3] @ [1, 0, 0], [0, 1, 0], atol=1e-12)
    other = read_setup(str(path), arm="ur5", hand="x.xml")
    assert (other.arm, other.hand) == ("ur5", "x.xml") and other.key != setup.key
    assert PairSetup(arm="panda").key == PairSetup(arm="panda").key


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('hand = "x"', "names no arm"),
        ("arm = 3", "arm of .* must be a text"),
        ('arm = "panda"\nlegs = 2', "legs"),
        ('arm = "panda"\n[object]\nmass = -1', "mass"),
        ('arm = "panda"\n[object]\nmass = nan', "finite number"),
        ('arm = "panda"\n[object]\nshape = {kind = "egg"}', "egg"),
        ('arm = "panda"\n[throw]\nposition = [0, 0]', "3 numbers"),
        ('arm = "panda"\n[throw]\nposition = [0, 0, 1]', "position and velocity"),
        ('arm = "panda"\n[window]\nflight = [0.9, 0.5]', "lowest and highest"),
        ('arm = "panda"\n[window]\nflight = [0.0, 0.5]', "above 0"),
        ('arm = "panda"\nmount = [1, 2]', "6 numbers"),
        ('arm = "panda"\n[surface]\nsmell = 1', "smell"),
        ("arm = [", "not TOML"),
    ],
)
def test_refusals(tmp_path, text, words):
    path = tmp_path / "setup.toml"
    path.write_text(text)
    with pytest.raises(CarpalError, match=words):
        read_setup(str(path))
