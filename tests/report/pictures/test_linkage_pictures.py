import numpy as np
import pytest
from linkage_inputs import NAMES, linkage

from carpal.report.pictures.linkage_pictures import bar_lines, save_curve_picture, save_linkage_picture


@pytest.mark.parametrize("name", NAMES)
def test_pictures_are_written(name, tmp_path):
    import matplotlib.image

    curve = linkage(name).curve()
    for save in (save_linkage_picture, save_curve_picture):
        path = save(curve, tmp_path / "deeper" / f"{save.__name__}.png")
        picture = matplotlib.image.imread(path)
        assert picture.shape[0] > 500 and picture[..., :3].std() > 0.05


def test_lines_go_through_the_points():
    curve = linkage("crossed_finger").curve()
    lines = dict(bar_lines(curve, 0.02))
    assert next(iter(lines)) == "ground" and np.allclose(lines["ground"], [(-0.003, 0.0077), (0, 0), (-0.0217, 0.0052)])
    assert np.allclose(lines["rod"][1], lines["middle"][0], atol=1e-15)
