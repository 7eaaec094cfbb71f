"""A pinhole camera with radial and tangential distortion, and a pair of them.

Distortion after Brown ("Decentering distortion of lenses", 1966), which OpenCV uses and which files named after Tsai hold
(Leutenegger 2008, 6.1 and 6.2): from the ideal to the distorted point, k1, k2, p1, p2, k3. C is the camera's frame: z forward,
x right, y down; pixel (0, 0) is the centre of the first pixel.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.model import checked_pose, real_array
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class Camera:
    """Intrinsics, distortion and pose of a camera.

    Args:
        width, height: of its images [px].
        fx, fy, cx, cy: focal lengths and principal point [px].
        distortion: (k1, k2, p1, p2, k3); fewer are filled up with zeros.
        X_WC: its pose (4, 4) in the frame that points are given in.
    """

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    distortion: Array = field(default_factory=lambda: np.zeros(5))
    X_WC: Array = field(default_factory=lambda: np.eye(4))

    def __post_init__(self) -> None:
        for name in ("width", "height"):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or value < 1:
                raise InputError(f"{name} of a camera must be a whole number of pixels, 1 or above; got {value!r}.")
        for name in ("fx", "fy", "cx", "cy"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not math.isfinite(value) or (name[0] == "f" and value <= 0):
                raise InputError(
                    f"{name} of a camera must be finite{' and above zero' if name[0] == 'f' else ''}; got {value!r}."
                )
        given = real_array(self.distortion, "distortion of a camera")
        if given.ndim != 1 or len(given) > 5 or not np.isfinite(given).all():
            raise InputError(
                f"distortion must be up to 5 finite numbers (k1, k2, p1, p2, k3); got {given.tolist()!r:.80}."
            )
        full = np.zeros(5)
        full[: len(given)] = given
        full.setflags(write=False)
        object.__setattr__(self, "distortion", full)
        object.__setattr__(self, "X_WC", checked_pose(self.X_WC, "X_WC of a camera"))

    def replace(self, **changes: object) -> Camera:
        """A copy with some fields changed."""
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type] # fields are checked again

    @property
    def matrix(self) -> Array:
        """The camera matrix (3, 3)."""
        return np.array([[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]])


@dataclass(frozen=True, eq=False)
class StereoPair:
    """Two cameras with poses in one frame."""

    left: Camera
    right: Camera

    def __post_init__(self) -> None:
        if self.baseline < 1e-6:
            raise InputError("both cameras of the pair have the same position; triangulation needs a baseline.")

    @property
    def baseline(self) -> float:
        """Distance of the two cameras [m]."""
        return float(np.linalg.norm(self.left.X_WC[:3, 3] - self.right.X_WC[:3, 3]))

    def moved(self, X: ArrayLike) -> StereoPair:
        """The pair in another frame: both poses become X @ X_WC."""
        X = checked_pose(X, "the pose of a pair")
        return StereoPair(self.left.replace(X_WC=X @ self.left.X_WC), self.right.replace(X_WC=X @ self.right.X_WC))


def turned(vectors: Array, R: Array) -> Array:
    """R v of vectors (*batch, 3), component by component: a product of matrices rounds differently for other batch sizes."""
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    return np.stack([x * R[i, 0] + y * R[i, 1] + z * R[i, 2] for i in range(3)], axis=-1)


def distorted(coefficients: Array, x: Array, y: Array) -> tuple[Array, Array, Array]:
    """Distorted normalised coordinates of ideal ones, and the derivative (*batch, 2, 2)."""
    k1, k2, p1, p2, k3 = coefficients
    r2 = x * x + y * y
    radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
    slope = k1 + r2 * (2.0 * k2 + 3.0 * k3 * r2)
    across = 2.0 * x * y * slope + 2.0 * p1 * x + 2.0 * p2 * y
    J = np.empty((*np.shape(x), 2, 2))
    J[..., 0, 0] = radial + 2.0 * x * x * slope + 2.0 * p1 * y + 6.0 * p2 * x
    J[..., 0, 1] = J[..., 1, 0] = across
    J[..., 1, 1] = radial + 2.0 * y * y * slope + 6.0 * p1 * y + 2.0 * p2 * x
    xd = x * radial + 2.0 * p1 * x * y + p2 * (r2 + 2.0 * x * x)
    yd = y * radial + p1 * (r2 + 2.0 * y * y) + 2.0 * p2 * x * y
    return xd, yd, J


def project_with_jacobian(camera: Camera, points: Array) -> tuple[Array, Array]:
    """Pixels (*batch, 2) of points (*batch, 3) in W, and their derivative (*batch, 2, 3); NaN behind the camera."""
    R = camera.X_WC[:3, :3]
    p = turned(points - camera.X_WC[:3, 3], R.T)
    depth = np.where(p[..., 2] > 1e-9, p[..., 2], np.nan)
    x, y = p[..., 0] / depth, p[..., 1] / depth
    xd, yd, J = distorted(camera.distortion, x, y)
    pixels = np.stack([camera.fx * xd + camera.cx, camera.fy * yd + camera.cy], axis=-1)
    perspective = np.zeros((*x.shape, 2, 3))
    perspective[..., 0, 0] = perspective[..., 1, 1] = 1.0 / depth
    perspective[..., 0, 2], perspective[..., 1, 2] = -x / depth, -y / depth
    return pixels, np.array([[camera.fx], [camera.fy]]) * (J @ perspective @ R.T)


def project(camera: Camera, points: ArrayLike) -> Array:
    """Pixels (*batch, 2) where a camera sees points (*batch, 3) [m] given in W; NaN for points behind it."""
    array = real_array(points, "points")
    if array.ndim == 0 or array.shape[-1] != 3:
        raise InputError(f"points need 3 coordinates on their last axis; got shape {array.shape}.")
    return project_with_jacobian(camera, array)[0]


def checked_pixels(pixels: ArrayLike, what: str = "pixels") -> Array:
    """Finite pixels (*batch, 2), or one clear sentence."""
    array = real_array(pixels, what)
    if array.ndim == 0 or array.shape[-1] != 2:
        raise InputError(f"{what} need 2 coordinates on their last axis; got shape {array.shape}.")
    if not np.isfinite(array).all():
        raise InputError(f"{what} must be finite; got {array[~np.isfinite(array)][0]}.")
    return array


def sight_lines(camera: Camera, pixels: ArrayLike) -> tuple[Array, Array]:
    """Lines of sight of pixels (*batch, 2): the camera's place (3) and unit directions (*batch, 3), in W.

    The distortion is inverted by Newton's method; pixels that no point can have are refused.
    """
    array = checked_pixels(pixels)
    wanted_x, wanted_y = (array[..., 0] - camera.cx) / camera.fx, (array[..., 1] - camera.cy) / camera.fy
    x, y = wanted_x.copy(), wanted_y.copy()
    for _ in range(30):
        xd, yd, J = distorted(camera.distortion, x, y)
        dx, dy = wanted_x - xd, wanted_y - yd
        det = J[..., 0, 0] * J[..., 1, 1] - J[..., 0, 1] * J[..., 1, 0]
        step = np.stack([J[..., 1, 1] * dx - J[..., 0, 1] * dy, J[..., 0, 0] * dy - J[..., 1, 0] * dx]) / det
        going = np.abs(step).max(axis=0) > 1e-14  # each pixel ends by itself, whatever its neighbours do
        x, y = np.where(going, x + step[0], x), np.where(going, y + step[1], y)
        if not going.any():
            break
    xd, yd, J = distorted(camera.distortion, x, y)
    # beyond the fold of a radial polynomial Newton's method may end on a second, mirrored answer
    lost = ~((np.hypot(xd - wanted_x, yd - wanted_y) < 1e-9) & (np.linalg.det(J) > 0) & (J[..., 0, 0] > 0))
    if lost.any():
        where = array[lost].reshape(-1, 2)[0]
        raise InputError(f"pixel ({where[0]:.6g}, {where[1]:.6g}) has no line of sight with this camera's distortion.")
    ray = turned(np.stack([x, y, np.ones_like(x)], axis=-1), camera.X_WC[:3, :3])
    return camera.X_WC[:3, 3], ray / np.linalg.norm(ray, axis=-1, keepdims=True)
