import numpy as np
import pytest

import carpal
from carpal.report import save_portrait, save_robot_picture


def _ink(path):
    from matplotlib import image

    return image.imread(path)[..., :3].std()


@pytest.mark.parametrize("name", ["sawyer", "cuhk_hand", "catcher_arm"])
def test_a_picture_shows_something(name, tmp_path):
    path = save_robot_picture(carpal.load(name), tmp_path / "deep" / "picture.png")
    assert _ink(path) > 0.02


def test_another_configuration_gives_another_picture(tmp_path):
    model = carpal.load("so101_old")
    one = save_robot_picture(model, tmp_path / "one.png")
    two = save_robot_picture(model, tmp_path / "two.png", np.full(5, 0.7))
    assert one.read_bytes() != two.read_bytes()


def test_portrait_of_several(tmp_path):
    path = save_portrait([carpal.load("k10"), carpal.load("srs7")], tmp_path / "portrait.png")
    assert _ink(path) > 0.02
