"""OpenCV, imported where it is used."""

from __future__ import annotations

from typing import Any

from carpal.errors import DeviceError


def require_opencv() -> Any:
    """The `cv2` module, or one clear sentence."""
    try:
        import cv2
    except ImportError:
        raise DeviceError(
            "this needs OpenCV, which is not installed; install the extra carpal[vision] (opencv-python-headless)."
        ) from None
    return cv2
