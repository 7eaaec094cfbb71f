"""The camera: without MediaPipe or its model one sentence; with them, its world landmarks in the receiver's frame."""

import importlib.util
import sys
import types

import numpy as np
import pytest

from carpal.errors import CarpalError, DeviceError
from carpal.labs.sign import SimulatedSigner
from carpal.perception import CameraTracker, camera_landmarks
from carpal.perception.hand.landmarks import to_camera

HAND = SimulatedSigner(1).frames("L", noise=0.0, frames=1)[0]


class _Tracker:
    """Stands in for MediaPipe's, with the names and shapes of its version 1.2."""

    def detect_for_video(self, picture, milliseconds):
        assert picture.data.dtype == np.uint8 and milliseconds == 40
        if not picture.data.any():
            return types.SimpleNamespace(hand_world_landmarks=[])
        points = [types.SimpleNamespace(x=x, y=y, z=z) for x, y, z in to_camera(HAND)]
        return types.SimpleNamespace(hand_world_landmarks=[points])

    def close(self):
        pass


@pytest.fixture
def mediapipe(monkeypatch):
    package = types.ModuleType("mediapipe")
    package.Image = lambda image_format, data: types.SimpleNamespace(data=data)
    package.ImageFormat = types.SimpleNamespace(SRGB=1)
    tasks = types.ModuleType("mediapipe.tasks.python")
    tasks.BaseOptions = lambda model_asset_path: model_asset_path
    tasks.vision = types.SimpleNamespace(
        HandLandmarkerOptions=lambda base_options, running_mode, num_hands: base_options,
        RunningMode=types.SimpleNamespace(VIDEO="VIDEO"),
        HandLandmarker=types.SimpleNamespace(create_from_options=lambda options: _Tracker()),
    )
    for name, module in (("mediapipe", package), ("mediapipe.tasks", package), ("mediapipe.tasks.python", tasks)):
        monkeypatch.setitem(sys.modules, name, module)


def test_landmarks_come_out_in_the_receivers_frame(mediapipe, tmp_path):
    (tmp_path / "hand_landmarker.task").write_bytes(b"x")
    tracker = CameraTracker(tmp_path / "hand_landmarker.task")
    assert np.allclose(tracker.landmarks(np.full((4, 6, 3), 9, np.uint8), 0.04), HAND, atol=1e-15)
    assert tracker.landmarks(np.zeros((4, 6, 3), np.uint8), 0.04) is None
    with pytest.raises(CarpalError, match="8 bit"):
        tracker.landmarks(np.zeros((4, 6)), 0.0)
    with pytest.raises(DeviceError, match="cannot be opened"):
        next(camera_landmarks(tracker, str(tmp_path / "no.mp4")))
    tracker.close()


def test_what_is_missing_is_reported(mediapipe, tmp_path):
    with pytest.raises(CarpalError, match=r"'hand_landmarker\.task' on its model page"):
        CameraTracker(tmp_path / "none.task")
    (tmp_path / "a.task").write_bytes(b"x")
    with pytest.raises(CarpalError, match="valid: right, left"):
        CameraTracker(tmp_path / "a.task", hand="third")


@pytest.mark.skipif(importlib.util.find_spec("mediapipe") is not None, reason="MediaPipe is installed")
def test_without_mediapipe_one_sentence(tmp_path):
    with pytest.raises(DeviceError, match=r"carpal\[camera\]"):
        CameraTracker(tmp_path / "a.task")
