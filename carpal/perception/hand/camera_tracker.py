"""MediaPipe's hand tracker, an optional package: camera images in, 21 landmarks out.

MediaPipe's wheel (1.2, extra `camera`) does not contain the trained model: download the file `hand_landmarker.task` from
MediaPipe's model page and pass its path. There is no fallback: without package or file an error says so.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import DeviceError, InputError
from carpal.perception.hand.landmark_files import as_right_hand
from carpal.perception.hand.landmarks import checked_frames
from carpal.perception.stereo.opencv_import import require_opencv
from carpal.spatial import Array


def require_mediapipe() -> tuple[Any, Any, Any]:
    """`mediapipe`, its vision tasks and its base options, or one clear sentence."""
    try:
        import mediapipe
        from mediapipe.tasks.python import BaseOptions, vision
    except ImportError:
        raise DeviceError(
            "a camera needs MediaPipe, which is not installed; install the extra carpal[camera] (mediapipe)."
        ) from None
    return mediapipe, vision, BaseOptions


class CameraTracker:
    """MediaPipe's tracker of one hand in a video.

    Args:
        model: path of `hand_landmarker.task`.
        hand: that signs, "right" or "left".
    """

    def __init__(self, model: str | os.PathLike[str], hand: str = "right") -> None:
        self._mediapipe, vision, base = require_mediapipe()
        place = Path(model)
        if not place.is_file():
            raise InputError(
                f"the tracker's model '{place}' is not there; MediaPipe offers 'hand_landmarker.task' on its model page."
            )
        as_right_hand(np.zeros((21, 3)), "camera", hand)
        self.hand = hand
        options = vision.HandLandmarkerOptions(
            base_options=base(model_asset_path=str(place)), running_mode=vision.RunningMode.VIDEO, num_hands=1
        )
        try:
            self._tracker = vision.HandLandmarker.create_from_options(options)
        except (RuntimeError, ValueError, OSError) as problem:
            raise InputError(
                f"the tracker's model '{place}' cannot be used: {str(problem).splitlines()[0]:.120}"
            ) from None

    def landmarks(self, image: np.ndarray, time: float) -> Array | None:
        """Landmarks (21, 3) [m] of a right hand in the receiver's frame, or None where no hand is seen.

        Args:
            image: (height, width, 3) red, green, blue, 8 bit, of a camera that faces the signer, not mirrored.
            time: [s], rising.
        """
        found = self._found(image, time).hand_world_landmarks
        if not found:
            return None
        return checked_frames(as_right_hand(_points(found[0]), "camera", self.hand), "the tracker's landmarks")[0]

    def image_landmarks(self, image: np.ndarray, time: float) -> Array | None:
        """Image landmarks (21, 3), x and y as shares of the picture, or None where no hand is seen; arguments as above."""
        found = self._found(image, time).hand_landmarks
        return _points(found[0]) if found else None

    def _found(self, image: np.ndarray, time: float) -> Any:
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
            raise InputError(f"an image must be (height, width, 3) of 8 bit; got {image.shape} of {image.dtype}.")
        frame = self._mediapipe.Image(image_format=self._mediapipe.ImageFormat.SRGB, data=np.ascontiguousarray(image))
        return self._tracker.detect_for_video(frame, round(1e3 * time))

    def close(self) -> None:
        """Release the tracker."""
        self._tracker.close()


def _points(found: Any) -> Array:
    return np.array([[point.x, point.y, point.z] for point in found])


def camera_landmarks(
    tracker: CameraTracker, device: int | str = 0, *, image_landmarks: bool = False
) -> Iterator[tuple[float, Array | None]]:
    """Time [s] and landmarks (21, 3) or None of every image of a camera or a video file, until it ends.

    Args:
        tracker: finds the hand.
        device: number of a camera, or a video file.
        image_landmarks: shares of the picture instead of metres.
    """
    found = tracker.image_landmarks if image_landmarks else tracker.landmarks
    cv2 = require_opencv()
    video = cv2.VideoCapture(device)
    if not video.isOpened():
        raise DeviceError(f"the camera or video {device!r} cannot be opened.")
    rate = video.get(cv2.CAP_PROP_FPS) or 30.0
    try:
        frame = 0
        while True:
            more, image = video.read()
            if not more:
                return
            yield frame / rate, found(image[:, :, ::-1], frame / rate)
            frame += 1
    finally:
        video.release()
