import numpy as np

import carpal
from carpal.kinematics import PosePath, arm_angle_band
from carpal.report.pictures.arm_angle_pictures import _parts, save_band_picture, save_intervals_picture


def _ink(path):
    from matplotlib import image

    return image.imread(path)[..., :3].std()


def test_pictures_show_something(tmp_path):
    for name in ("sia5", "sawyer"):
        model = carpal.load(name)
        X = carpal.fk(model, [0.3, -0.5, 0.2, 0.8, 0.1, 0.6, 0.2])
        assert _ink(save_intervals_picture(model, X, tmp_path / f"{name}.png", psi=0.4)) > 0.08
    model = carpal.load("sia5")
    X = carpal.fk(model, [0.3, 0.6, -0.4, 0.5, 0.3, -0.6, 0.2])
    Y = X.copy()
    Y[:3, 3] += (0.0, 0.25, -0.1)
    broken = arm_angle_band(model, PosePath.line(X, Y, 2.0))
    assert broken.broken is not None
    assert _ink(save_band_picture(broken, tmp_path / "band.png")) > 0.08
    X[0, 3] = 3.0
    assert save_intervals_picture(model, X, tmp_path / "none.png").exists()  # nothing feasible is a picture too
    assert save_band_picture(arm_angle_band(model, np.stack([X, X])), tmp_path / "nothing.png").exists()


def test_intervals_through_180_are_drawn_in_two_parts():
    assert _parts(-1.0, 1.0) == [(np.degrees(-1.0), np.degrees(1.0))]
    (a, b), (c, d) = _parts(3.0, 3.5)
    assert np.allclose((a, b, c, d), (np.degrees(3.0), 180, -180, np.degrees(3.5) - 360))
    assert _parts(-4.0, 4.0) == [(-180.0, 180.0)]
