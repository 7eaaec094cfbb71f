"""A picture is written, with limits where a model is given."""

import numpy as np

import carpal
from carpal.planning import joint_trajectory


def test_a_picture_is_written(tmp_path):
    arm = carpal.load("k10")
    motion = joint_trajectory(arm, [np.zeros(5), np.full(5, 0.2), np.full(5, -0.2)])
    plain, limits = tmp_path / "a" / "plain.png", tmp_path / "limits.png"
    figure = motion.plot(plain)
    motion.plot(limits, arm)
    assert len(figure.axes) == 3 and len(figure.axes[0].get_legend().get_texts()) == 5
    assert motion._repr_png_()[:8] == plain.read_bytes()[:8]
    for path in (plain, limits):
        assert path.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert plain.read_bytes() != limits.read_bytes()
