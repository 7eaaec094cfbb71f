"""Page with the two stereo images to click in: zoom, four marks in each, forward projection (Leutenegger 2008, 6.3).

viser's images cannot be clicked. This page is served by the same server, behind the same gate, and shown inside the studio's
page; it draws, and the points live here, so that all pages show the same ones. A request that changes something must carry a
header that a page of another site cannot send.
"""

from __future__ import annotations

import json
import math
import secrets
import threading
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np

from carpal.errors import CarpalError, InputError
from carpal.report import Gate, response
from carpal.spatial import Array

ASSETS = Path(__file__).parent / "assets"
OWN_HEADER = "X-Carpal-Page"
CAMERAS = ("left", "right")
FIRST_WORDS = (
    "Click the four white marks in both images: first the one next to the antenna, then counter-clockwise. "
    "Wheel: zoom. Drag: move. Arrow keys: a tenth of a pixel."
)
NEAR = 4.0  # [px] from a click to the bright spot that was meant


class CameraBoard:
    """Images, points and what is drawn over them; many pages and the studio's buttons share it."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._born = secrets.token_hex(8)  # numbers restart with every board
        self._number, self._image_pairs = 0, 0
        self._images: dict[str, np.ndarray] = {}
        self._points: dict[str, list[tuple[float, float]]] = {camera: [] for camera in CAMERAS}
        self._projected: dict[str, Any] = dict.fromkeys(CAMERAS)
        self._spots: dict[str, Array] = {}
        self.centring = True
        self.words = FIRST_WORDS

    def show(self, left: np.ndarray, right: np.ndarray, spots: tuple[Array, Array] | None = None) -> None:
        """New images, grey (height, width) of uint8 and of one size; points and projection are taken away.

        While `centring`, a click within 4 px of one of the spots (n, 2) [px] of its image means that spot's centre.
        """
        if left.shape != right.shape or left.ndim != 2 or left.dtype != np.uint8 or right.dtype != np.uint8:
            raise InputError(
                f"both images must be grey, of uint8 and of one size; got {left.dtype} {left.shape} and "
                f"{right.dtype} {right.shape}."
            )
        with self._lock:
            self._images = {"left": np.ascontiguousarray(left), "right": np.ascontiguousarray(right)}
            self._spots = {} if spots is None else dict(zip(CAMERAS, spots, strict=True))
            self._image_pairs += 1
            self.clear()

    def clear(self) -> None:
        """Take all points away (TRY AGAIN)."""
        with self._lock:
            self._points = {camera: [] for camera in CAMERAS}
            self._change(FIRST_WORDS, None)

    def put(self, left: Array, right: Array, words: str) -> None:
        """Points (4, 2) that were found without a person."""
        with self._lock:
            self._points = {
                camera: [(float(x), float(y)) for x, y in pixels]
                for camera, pixels in zip(CAMERAS, (left, right), strict=True)
            }
            self._change(words, None)

    def set_point(self, camera: str, index: int, x: float, y: float) -> None:
        """A point set (the next one), moved, or with index -1 the last one taken away; pixels."""
        if camera not in CAMERAS:
            raise InputError(f"a camera is {' or '.join(CAMERAS)}; got '{camera[:20]}'.")
        with self._lock:
            height, width = self.images()[0].shape
            points = self._points[camera]
            if index == -1:
                if points:
                    points.pop()
                self._change(self._advice(), None)
                return
            if not (math.isfinite(x) and math.isfinite(y) and -0.5 <= x <= width - 0.5 and -0.5 <= y <= height - 0.5):
                raise InputError(f"({x:.1f}, {y:.1f}) lies outside the {camera} image of {width} x {height} pixels.")
            if not 0 <= index <= min(len(points), 3):
                raise InputError(
                    f"the {camera} image has {len(points)} of 4 marks; there is no mark {index + 1} to set."
                )
            if index == len(points):  # what is dragged or nudged afterwards stays where it is put
                x, y = self._centred(camera, x, y)
            points[index : index + 1] = [(x, y)]
            self._change(self._advice(), None)

    def _centred(self, camera: str, x: float, y: float) -> tuple[float, float]:
        spots = self._spots.get(camera, np.zeros((0, 2)))
        away = np.hypot(*(spots - [x, y]).T)
        if not self.centring or not len(spots) or away.min() > NEAR:
            return x, y
        u, v = spots[int(np.argmin(away))]
        return float(u), float(v)

    def project(self, drawn: dict[str, Any], words: str) -> None:
        """What a calculated pose predicts, by camera: `marks` (4, 2) and `knob` (2) in pixels."""
        with self._lock:
            self._change(words, drawn)

    def say(self, words: str) -> None:
        """Another sentence under the images; points stay."""
        with self._lock:
            self._change(words, None)

    def points(self) -> tuple[Array, Array]:
        """All clicked pixels (4, 2), left and right; refused while some are missing."""
        with self._lock:
            counts = [len(self._points[camera]) for camera in CAMERAS]
            if counts != [4, 4]:
                raise InputError(
                    f"four marks are needed in both images; there are {counts[0]} in the left and {counts[1]} in the right."
                )
            return np.array(self._points["left"]), np.array(self._points["right"])

    def images(self) -> tuple[np.ndarray, np.ndarray]:
        """The images, left and right."""
        with self._lock:
            if not self._images:
                raise InputError("there are no images yet: NEW IMAGES takes them.")
            return self._images["left"], self._images["right"]

    def _advice(self) -> str:
        counts = [len(self._points[camera]) for camera in CAMERAS]
        if counts == [4, 4]:
            return "All marks are set: CALCULATE, or drag one that is not right."
        if 4 in counts:
            return f"Now the same four in the {CAMERAS[1 - counts.index(4)]} image, in the same order."
        return FIRST_WORDS

    def _change(self, words: str, projected: dict[str, Any] | None) -> None:
        self._number += 1
        self._projected = dict.fromkeys(CAMERAS) if projected is None else projected
        self.words = words

    def state(self) -> dict[str, Any]:
        """What the page draws."""
        with self._lock:
            size = [0, 0] if not self._images else list(self._images["left"].shape[::-1])
            return {
                "born": self._born, "number": self._number, "images": self._image_pairs, "size": size, "words": self.words,
                "points": {camera: list(points) for camera, points in self._points.items()}, "projected": self._projected,
            }  # fmt: skip

    def answer(self, request: Any) -> Any:
        """The answer to an HTTP request for something of the page; None: not ours."""
        where = urlsplit(request.path)
        if where.path == "/cameras":
            policy = (
                "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; "
                "frame-ancestors 'self'"
            )
            return response(200, "text/html; charset=utf-8", page_html(), Content_Security_Policy=policy)
        if not where.path.startswith("/cameras/"):
            return None
        if not request.headers.get_all(OWN_HEADER):
            return response(403, "text/plain; charset=utf-8", "the images answer only to their own page.")
        match where.path.removeprefix("/cameras/"):
            case "state":
                return _json(self.state())
            case "point":
                return self._pointed(parse_qs(where.query))
            case "left.grey" | "right.grey" as name:
                image = self._images.get(name.removesuffix(".grey"))
                if image is not None:
                    return response(200, "application/octet-stream", image.tobytes())
        return response(404, "text/plain; charset=utf-8", "there is no such thing.")

    def _pointed(self, query: dict[str, list[str]]) -> Any:
        try:
            try:
                x, y, index = float(query["x"][0]), float(query["y"][0]), int(query["index"][0])
            except (KeyError, ValueError):
                raise InputError("a point needs a camera, an index, x and y.") from None
            self.set_point(query.get("camera", [""])[0], index, x, y)
        except CarpalError as problem:
            return _json({**self.state(), "refused": str(problem)})
        return _json(self.state())


def _json(data: dict[str, Any]) -> Any:
    return response(200, "application/json; charset=utf-8", json.dumps(data, allow_nan=False))


class CameraGate:
    """The studio's gate, and behind it the page of the images."""

    def __init__(self, gate: Gate, board: CameraBoard) -> None:
        self._gate, self._board = gate, board

    async def __call__(self, connection: Any, request: Any) -> Any:
        """None lets a request pass to viser; anything else is the answer to it."""
        answer = await self._gate(connection, request)
        return self._board.answer(request) if answer is None else answer


def page_html() -> str:
    """The page with its style and script."""
    camera = (
        '<section class="camera" id="{0}"><header><h2>{1} camera</h2><span class="count">no image</span>'
        '<button class="in" title="nearer">+</button><button class="out" title="farther">&minus;</button>'
        '<button class="fit" title="the whole image">fit</button></header>'
        '<canvas tabindex="0" aria-label="{1} camera"></canvas></section>'
    )
    cameras = "".join(camera.format(name, name.capitalize()) for name in CAMERAS)
    style, script = ((ASSETS / name).read_text() for name in ("cameras.css", "cameras.js"))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Stereo cameras</title><link rel="icon" href="data:,">'
        f'<style>{style}</style></head><body><main id="cameras">{cameras}</main><p id="words" role="status"></p>'
        f"<script>{script}</script></body></html>"
    )
