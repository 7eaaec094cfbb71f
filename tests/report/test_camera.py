import numpy as np
import pytest

from carpal.errors import InputError
from carpal.report.camera import Camera


def test_axes_are_right_up_and_back():
    camera = Camera((0, -2, 0), (0, 0, 0), (0, 0, 1))
    assert np.allclose(camera.axes, [[1, 0, 0], [0, 0, 1], [0, -1, 0]])


@pytest.mark.parametrize("wrong", [{"eye": (0, 0)}, {"look_at": (0, -2, 0)}, {"up": (0, 1, 0)}, {"field": 4.0}])
def test_a_camera_that_cannot_be_is_refused(wrong):
    with pytest.raises(InputError):
        Camera(**({"eye": (0, -2, 0), "look_at": (0, 0, 0), "up": (0, 0, 1)} | wrong))
