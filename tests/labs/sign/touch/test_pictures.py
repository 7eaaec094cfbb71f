"""The matrix of touch as a picture."""

import numpy as np

from carpal.labs.sign import TouchResult
from carpal.labs.sign.touch.confusion import confusions
from carpal.labs.sign.touch.pictures import save_touch_picture


def test_a_picture_is_written(tmp_path):
    away = np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0)))
    path = save_touch_picture(TouchResult(tuple("ABCDE"), away, confusions(away)), "five", tmp_path / "sub" / "t.png")
    assert path.stat().st_size > 10_000 and path.read_bytes()[:4] == b"\x89PNG"
