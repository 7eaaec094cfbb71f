"""Calibration of a stereo pair from checkerboard views: corners and initial estimate by OpenCV, refinement and covariance here.

As in Leutenegger 2008, 6.1: each camera alone, then both together, which refines intrinsics and extrinsics in one step. OpenCV's
`stereoCalibrate` reports no uncertainty of the extrinsics, so a few Gauss-Newton steps over all parameters follow, with the
boards' poses eliminated (Schur complement); the inverse of what remains is the covariance. k3 is held at zero, as in
Tsai's files.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.errors import InputError
from carpal.model import real_array
from carpal.perception.stereo.camera_model import Camera, StereoPair, project_with_jacobian
from carpal.perception.stereo.opencv_import import require_opencv
from carpal.perception.stereo.pose_fit import turns
from carpal.spatial import Array, pose

NAMES = ("fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2")
POSE_NAMES = ("x", "y", "z", "turn_x", "turn_y", "turn_z")
PARAMETERS = tuple(f"{side} {name}" for side in ("left", "right") for name in NAMES) + tuple(
    f"right {n}" for n in POSE_NAMES
)
_STEPS = np.array([1e-3, 1e-3, 1e-3, 1e-3, 1e-6, 1e-6, 1e-6, 1e-6] * 2 + [1e-6] * 6)


@dataclass(frozen=True, eq=False)
class PairCalibration(Result):
    """A calibrated pair, the left camera's frame as W.

    Args:
        pair: the cameras.
        covariance: (22, 22) of `PARAMETERS`: 8 numbers of each camera, then the right camera's place [m] and its
            rotation vector [rad] about its own origin, in the left camera's frame.
        pixel_error: root of the mean squared error of the corners [px].
        noise: estimated deviation of a corner's coordinate [px].
        views: number of views used.
    """

    pair: StereoPair
    covariance: Array
    pixel_error: float
    noise: float
    views: int

    @property
    def deviations(self) -> dict[str, float]:
        """Standard deviation by parameter."""
        return {name: float(s) for name, s in zip(PARAMETERS, np.sqrt(np.diag(self.covariance)), strict=True)}

    @property
    def ok(self) -> bool:
        """Whether corners fit to half a pixel or better."""
        return self.pixel_error < 0.5

    @property
    def status(self) -> str:
        """One true sentence."""
        d = self.deviations
        text = (
            f"{self.views} views fit to {self.pixel_error:.2f} px; the focal length is known to {d['left fx']:.2g} px, the "
            f"baseline to {1e3 * d['right x']:.2g} mm"
        )
        return text + ("." if self.ok else "; that is a poor fit: check for blurred or wrongly detected boards.")


def board_points(rows: int, columns: int, square: float) -> Array:
    """Inner corners (rows * columns, 3) of a checkerboard [m], row by row in its own plane."""
    if not (isinstance(rows, int) and isinstance(columns, int) and rows > 1 and columns > 1 and square > 0):
        raise InputError(
            f"a board needs 2 or more rows and columns and squares above zero; got {rows}, {columns}, {square}."
        )
    y, x = np.mgrid[0:rows, 0:columns]
    return np.column_stack([x.ravel() * square, y.ravel() * square, np.zeros(rows * columns)])


def find_corners(image: np.ndarray, rows: int, columns: int) -> Array | None:
    """Inner corners (rows * columns, 2) [px] of a checkerboard in a grey image, or None when it is not wholly seen."""
    cv2 = require_opencv()
    if not isinstance(image, np.ndarray) or image.dtype != np.uint8 or image.ndim != 2:
        raise InputError("an image must be grey, (height, width) of uint8.")
    found, corners = cv2.findChessboardCornersSB(image, (columns, rows), flags=cv2.CALIB_CB_ACCURACY)
    return corners.reshape(-1, 2).astype(float) if found else None


def calibrate_pair(left: ArrayLike, right: ArrayLike, board: ArrayLike, size: tuple[int, int]) -> PairCalibration:
    """Calibrate both cameras from corners seen in the same views.

    Args:
        left, right: (views, n, 2) corners [px].
        board: (n, 3) the same corners on the board [m], z = 0.
        size: width and height of the images [px].
    """
    a, b, corners = real_array(left, "left corners"), real_array(right, "right corners"), real_array(board, "board")
    if corners.ndim != 2 or corners.shape[1] != 3 or np.abs(corners[:, 2]).max(initial=0.0) > 1e-12 or len(corners) < 6:
        raise InputError(f"the board must be (n, 3) with 6 corners or more and z = 0; got shape {corners.shape}.")
    if a.shape != b.shape or a.ndim != 3 or a.shape[1:] != (len(corners), 2) or len(a) < 3:
        raise InputError(
            f"left and right corners must both be (views, {len(corners)}, 2) of 3 views or more; got {a.shape} and {b.shape}."
        )
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise InputError("corners must be finite; leave out views in which the board was not found.")
    shared, poses = _by_opencv(a, b, corners, size)
    seen = np.concatenate([a, b], axis=1)
    for _ in range(8):
        step, poses, _ = _gauss_newton(shared, poses, seen, corners, size)
        shared = _moved(shared, step)
        if np.abs(step / _STEPS).max() < 1e-4:
            break
    _, poses, information = _gauss_newton(shared, poses, seen, corners, size)
    r = _residuals(shared, poses, seen, corners, size)
    squared = float(np.sum(r * r))
    variance = squared / (r.size - 22 - 6 * len(a))
    pair = _pair(shared, size)
    return PairCalibration(
        pair,
        np.asarray(variance * np.linalg.inv(information), dtype=np.float64),
        float(np.sqrt(2 * squared / r.size)),
        float(np.sqrt(variance)),
        len(a),
    )


Shared = tuple[Array, Array]  # (16) intrinsics of both cameras, and X_LR (4, 4)


def _by_opencv(a: Array, b: Array, board: Array, size: tuple[int, int]) -> tuple[Shared, Array]:
    """OpenCV's calibration: each camera alone, then both."""
    cv2 = require_opencv()
    objects = [board.astype(np.float32)] * len(a)
    images = [[np.ascontiguousarray(view, np.float32) for view in side] for side in (a, b)]
    flags = cv2.CALIB_FIX_K3
    try:
        alone = [cv2.calibrateCamera(objects, side, size, None, None, flags=flags) for side in images]
        _, K1, d1, K2, d2, R, T, *_ = cv2.stereoCalibrate(
            objects, images[0], images[1], alone[0][1], alone[0][2], alone[1][1], alone[1][2], size,
            flags=flags | cv2.CALIB_USE_INTRINSIC_GUESS,
        )  # fmt: skip
    except cv2.error as problem:
        raise InputError(
            f"OpenCV could not calibrate from these corners: {str(problem).strip().splitlines()[-1][:120]}"
        ) from None
    numbers = [[K[0, 0], K[1, 1], K[0, 2], K[1, 2], *d.ravel()[:4]] for K, d in ((K1, d1), (K2, d2))]
    poses = np.array([pose(cv2.Rodrigues(r)[0], t.ravel()) for r, t in zip(alone[0][3], alone[0][4], strict=True)])
    return (np.array(numbers).ravel(), pose(R.T, -R.T @ T.ravel())), poses


def _pair(shared: Shared, size: tuple[int, int]) -> StereoPair:
    n, X = shared
    left, right = (
        Camera(
            int(size[0]), int(size[1]), float(m[0]), float(m[1]), float(m[2]), float(m[3]), np.array([*m[4:8], 0.0]), Y
        )
        for m, Y in ((n[:8], np.eye(4)), (n[8:], X))
    )  # fmt: skip
    return StereoPair(left, right)


def _moved(shared: Shared, step: Array) -> Shared:
    n, X = shared
    return n + step[:16], pose(turns(step[None, 19:22])[0] @ X[:3, :3], X[:3, 3] + step[16:19])


def _residuals(shared: Shared, poses: Array, seen: Array, board: Array, size: tuple[int, int]) -> Array:
    """(views, 2 n, 2): seen minus projected corners, left image first."""
    pair = _pair(shared, size)
    points = np.einsum("vij,nj->vni", poses[:, :3, :3], board) + poses[:, None, :3, 3]
    return seen - np.concatenate([project_with_jacobian(c, points)[0] for c in (pair.left, pair.right)], axis=1)


def _gauss_newton(
    shared: Shared, poses: Array, seen: Array, board: Array, size: tuple[int, int]
) -> tuple[Array, Array, Array]:
    """A step of the shared parameters, the updated board poses, and the information matrix (22, 22) of the shared parameters."""
    views = len(poses)
    r = _residuals(shared, poses, seen, board, size).reshape(views, -1)
    J = np.empty((views, r.shape[1], 22))
    for i, h in enumerate(_STEPS):
        both = [_residuals(_moved(shared, s * h * np.eye(22)[i]), poses, seen, board, size) for s in (1, -1)]
        J[:, :, i] = (both[1] - both[0]).reshape(views, -1) / (2 * h)
    B = np.empty((views, r.shape[1], 6))
    for i in range(6):
        both = [_residuals(shared, _shifted(poses, s * 1e-6 * np.eye(6)[i]), seen, board, size) for s in (1, -1)]
        B[:, :, i] = (both[1] - both[0]).reshape(views, -1) / 2e-6
    own = np.linalg.inv(np.einsum("vki,vkj->vij", B, B))
    cross = np.einsum("vki,vkj->vij", J, B)
    gain = cross @ own
    right = np.einsum("vki,vk->vi", B, r)
    information = np.einsum("vki,vkj->ij", J, J) - np.einsum("vij,vkj->ik", gain, cross)
    step = np.linalg.solve(information, np.einsum("vki,vk->i", J, r) - np.einsum("vij,vj->i", gain, right))
    moves = np.einsum("vij,vj->vi", own, right - np.einsum("vji,j->vi", cross, step))
    return step, _shifted(poses, moves), information


def _shifted(poses: Array, moves: Array) -> Array:
    moves = np.broadcast_to(moves, (len(poses), 6))
    shifted = poses.copy()
    shifted[:, :3, 3] += moves[:, :3]
    shifted[:, :3, :3] = turns(moves[:, 3:]) @ poses[:, :3, :3]
    return shifted
