"""Automatic detection of the four painted marks: bright round spots, matched by geometry alone.

Spots of the left and right image are paired where their lines of sight meet; four points in space whose six distances are those
of the marks are candidates; the pose that explains all sixteen pixel coordinates within their noise, seen from outside and with
spots of the expected size, is accepted. Two different solutions are refused as ambiguous.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal._core.result import Result
from carpal.errors import InputError
from carpal.perception.stereo.camera_model import Camera, StereoPair, project_with_jacobian
from carpal.perception.stereo.mark_layout import MarkLayout
from carpal.perception.stereo.mark_pose import MarkPose, locate, locate_marks
from carpal.perception.stereo.opencv_import import require_opencv
from carpal.perception.stereo.triangulation import check_noise, midpoints
from carpal.spatial import Array

SPOTS = 120  # at most, those with most contrast
CHAINS = 20_000  # partial matches that are extended; more are ambiguous
CONTRAST = 45.0  # least grey of a spot above its surroundings
RANGE = (0.7, 6.0)  # distances that are searched [m]


@dataclass(frozen=True, eq=False)
class MarkSearch(Result):
    """Detected marks: `left` and `right` (4, 2) pixels in the layout's order and the `pose`, or why not (`status`)."""

    ok: bool
    status: str
    left: Array | None
    right: Array | None
    pose: MarkPose | None
    spots: tuple[int, int]


def bright_spots(image: np.ndarray, camera: Camera, smallest: float, largest: float) -> tuple[Array, Array]:
    """Centres (n, 2) and areas (n) [px] of small bright spots in an image, the ones with most contrast first."""
    cv2 = require_opencv()
    if not isinstance(image, np.ndarray) or image.dtype != np.uint8 or image.ndim != 2:
        got = f"{image.dtype} {image.shape}" if isinstance(image, np.ndarray) else type(image).__name__
        raise InputError(f"an image must be grey, (height, width) of uint8; got {got}.")
    if image.shape != (camera.height, camera.width):
        raise InputError(
            f"the image is {image.shape[1]} x {image.shape[0]} pixels, its camera was calibrated for "
            f"{camera.width} x {camera.height}; take it at that size or calibrate again."
        )
    smooth = cv2.GaussianBlur(image, (0, 0), 1.0)
    wide = 2 * int(np.ceil(np.sqrt(largest / np.pi))) + 3
    opened = cv2.morphologyEx(smooth, cv2.MORPH_OPEN, np.ones((wide, wide), np.uint8))
    lifted = cv2.subtract(smooth, opened)
    count, labels, stats, _ = cv2.connectedComponentsWithStats((lifted > 0.6 * CONTRAST).astype(np.uint8))
    found = []
    for i in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[i])
        if not (0.4 * smallest <= area <= 2.5 * largest and max(w, h) <= 3.5 * min(w, h) and area >= 0.5 * w * h):
            continue
        if lifted[y : y + h, x : x + w].max() < 0.8 * CONTRAST:
            continue
        spot = _measured(cv2, image, labels, i, x, y, w, h)
        if spot is not None:
            found.append(spot)
    found.sort(key=lambda spot: -spot[3])
    table = np.array(found[:SPOTS]).reshape(-1, 4)
    return table[:, :2], table[:, 2]


def _measured(
    cv2: Any, image: np.ndarray, labels: np.ndarray, i: int, x: int, y: int, w: int, h: int
) -> tuple[float, ...] | None:
    """Centre, area and contrast of a spot, by the grey above its surroundings; None at the image's edge or too pale."""
    pad = 3
    if x < pad or y < pad or x + w + pad > image.shape[1] or y + h + pad > image.shape[0]:
        return None
    box = (slice(y - pad, y + h + pad), slice(x - pad, x + w + pad))
    grey, own = image[box].astype(float), labels[box] == i
    # two pixels beyond the spot its blurred rim ends
    near = cv2.dilate(own.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(bool)
    ground = float(np.median(grey[~near]))
    peak = float(np.percentile(grey[own], 90)) - ground
    if peak < CONTRAST:
        return None
    weight = np.where(near, grey - ground, 0.0)
    total = weight.sum()
    rows, columns = np.mgrid[box[0], box[1]]
    return float((weight * columns).sum() / total), float((weight * rows).sum() / total), float(total / peak), peak


def mark_spots(
    pair: StereoPair, left_image: np.ndarray, right_image: np.ndarray, layout: MarkLayout
) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Bright spots that could be marks of a layout: centres (n, 2) and areas (n) [px] in the left and in the right image."""
    near, far = (np.pi * (layout.radius * pair.left.fx / distance) ** 2 for distance in RANGE)
    smallest, largest = max(0.2 * far, 5.0), max(near, 40.0)
    left = bright_spots(left_image, pair.left, smallest, largest)
    return left, bright_spots(right_image, pair.right, smallest, largest)


def find_marks(
    pair: StereoPair, left_image: np.ndarray, right_image: np.ndarray, layout: MarkLayout, *, noise: float = 0.1
) -> MarkSearch:
    """Find the four marks of a layout in both images, and their pose.

    Args:
        pair: the cameras.
        left_image, right_image: grey images (height, width) of uint8, of the cameras' sizes.
        layout: the marks.
        noise: deviation of a found centre [px]; what fits worse is not believed.
    """
    check_noise(noise)
    (a, area_a), (b, area_b) = mark_spots(pair, left_image, right_image, layout)
    counts = (len(a), len(b))

    def nothing(why: str) -> MarkSearch:
        return MarkSearch(False, why, None, None, None, counts)

    if len(a) < 4 or len(b) < 4:
        return nothing(
            f"The marks were not found: {counts[0]} and {counts[1]} bright round spots are too few; click them."
        )
    i, j, points = paired_spots(pair, a, b, noise)
    quads = _quads(points, i, j, layout)
    if quads is None:
        return nothing(f"Too many of {counts[0]} and {counts[1]} bright round spots could be the marks; click them.")
    if not len(quads):
        return nothing(f"The marks were not found among {counts[0]} and {counts[1]} bright round spots; click them.")
    pose = locate(pair, a[i[quads]], b[j[quads]], layout, noise, explain=False)
    good = [
        n
        for n in np.argsort(pose.chi2)
        if pose.ok[n] and sizes_fit(pair, pose.X_WO[n], layout, area_a[i[quads[n]]], area_b[j[quads[n]]])
    ]
    if not good:
        return nothing("Spots like the marks were found, but none whose pose explains them; click them.")
    best = good[0]
    for n in good[1:]:
        apart = np.linalg.norm(pose.X_WO[n, :3, 3] - pose.X_WO[best, :3, 3])
        turned = np.abs(pose.X_WO[n, :3, :3] - pose.X_WO[best, :3, :3]).max()
        if apart > 0.02 or turned > 0.2:
            return nothing("Two different places explain the spots; click the four marks.")
    # a partly hidden mark fits worse than noise alone: then every pixel gets a larger deviation
    believed = noise * max(1.0, float(np.sqrt(pose.chi2[best] / 10.0)))
    left, right = a[i[quads[best]]], b[j[quads[best]]]
    one = locate_marks(pair, left, right, layout, noise=believed)
    return MarkSearch(bool(one), str(one), left, right, one, counts)


def paired_spots(pair: StereoPair, a: Array, b: Array, noise: float) -> tuple[np.ndarray, np.ndarray, Array]:
    """Indices of spots that may be one point, and the points (n, 3)."""
    i, j = (index.ravel() for index in np.meshgrid(np.arange(len(a)), np.arange(len(b)), indexing="ij"))
    points, _ = midpoints(pair, a[i], b[j])
    points = np.where(np.isfinite(points), points, 1e6)
    keep = np.ones(len(i), dtype=bool)
    for camera, pixels in ((pair.left, a[i]), (pair.right, b[j])):
        depth = (points - camera.X_WC[:3, 3]) @ camera.X_WC[:3, 2]
        keep &= (depth > RANGE[0]) & (depth < RANGE[1])
        error = project_with_jacobian(camera, points)[0] - pixels
        keep &= ~(np.linalg.norm(error, axis=-1) > max(4.5 * noise, 1.0))
    return i[keep], j[keep], points[keep]


def _quads(points: Array, i: np.ndarray, j: np.ndarray, layout: MarkLayout) -> np.ndarray | None:
    """Candidates (m, 4): points whose distances are those of the marks, each spot used once; None when there are too many."""
    wanted = np.linalg.norm(layout.points[:, None] - layout.points[None], axis=-1)
    apart = np.linalg.norm(points[:, None] - points[None], axis=-1)
    slack = 0.006 + 0.1 * wanted
    other = (i[:, None] != i[None]) & (j[:, None] != j[None])
    fits = {(m, n): other & (np.abs(apart - wanted[m, n]) < slack[m, n]) for m in range(4) for n in range(m)}
    chains = np.argwhere(fits[1, 0])[:, ::-1]
    for m in (2, 3):
        if len(chains) > CHAINS:
            return None
        grown = [
            np.column_stack([np.repeat(chain[None], len(nexts), axis=0), nexts])
            for chain in chains
            if len(nexts := np.flatnonzero(np.logical_and.reduce([fits[m, n][:, chain[n]] for n in range(m)])))
        ]
        chains = np.concatenate(grown) if grown else np.zeros((0, m + 1), dtype=int)
    return chains if len(chains) <= CHAINS else None


def sizes_fit(pair: StereoPair, X: Array, layout: MarkLayout, area_a: Array, area_b: Array) -> bool:
    """Whether the spots have the size expected of the marks; areas of NaN are ignored."""
    points = layout.points @ X[:3, :3].T + X[:3, 3]
    rim = layout.radius * (X @ layout.frame)[:3, :2]
    for camera, areas in ((pair.left, area_a), (pair.right, area_b)):
        _, J = project_with_jacobian(camera, points)
        expected = np.pi * np.abs(np.linalg.det(J @ rim))
        if (np.abs(np.log(areas / expected)) > np.log(1.8)).any():
            return False
    return True
