"""Without OpenCV there is one sentence that says what to install."""

import sys

import pytest

from carpal.errors import CarpalError
from carpal.perception.stereo.opencv_import import require_opencv


def test_it_says_what_to_install(monkeypatch):
    assert require_opencv().__name__ == "cv2"
    monkeypatch.setitem(sys.modules, "cv2", None)
    with pytest.raises(CarpalError, match=r"install the extra carpal\[vision\]"):
        require_opencv()
