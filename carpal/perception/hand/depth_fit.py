"""Landmarks of a hand from one depth frame: a hand model fitted by nonlinear least squares from many starts.

Parameters: position, orientation and size of the hand, lengths of fingers and thumb, width of the palm, and the channels of the
handshape. Residuals: distances of measured points from the model's surface; parts of the model in front of the measured depth or
outside the hand's silhouette; channels outside their range. Solved by SciPy's `least_squares` with finite differences of all
parameters in one batch.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.errors import InputError
from carpal.model import real_array
from carpal.perception.hand.hand_surface import BARS, ENDS, RADII, STARTS, surface_distance
from carpal.perception.hand.human_hand import CHANNELS, LENGTH, Proportions, hand_landmarks
from carpal.perception.stereo.camera_model import Camera, project, sight_lines
from carpal.spatial import Array, rotation_from_rpy, rotation_from_vector, rotation_vector

LEAST_PIXELS, MOST_POINTS = 60, 180
SIGMA = 0.003
"""[m] that a residual of one stands for."""
PRIOR, BEYOND = 0.35, 8.0
"""Weights of channels about their start and outside their range."""
FREE = np.array([*range(10), 11, 12, 13, 14, 15])
"""Fitted channels: a thumb has no spread, and cup cannot be distinguished from the bends in one view."""
TURNS = np.radians([[0, 0, 0], [0, 0, 22], [0, 0, -22], [0, 22, 0], [0, -22, 0], [22, 0, 0], [-22, 0, 0]])
SHAPE, USUAL = 10, 4.0
"""First column of the handshape among the parameters; weight of unusual proportions (logarithms)."""
SMALL = 1e-4
ALIGN = 6
"""Steps of place, attitude and size before handshapes move."""
GOOD = 0.006
"""[m] root mean square distance of the measured points below which a fit is accepted."""
SIZES = (0.12, 0.26)
"""[m] that hands are long."""


@dataclass(frozen=True, eq=False)
class HandFit(Result):
    """A hand fitted to a depth frame.

    Args:
        landmarks: (21, 3) [m] in the frame of the camera's pose.
        channels: (17) of the handshape.
        size: [m] length of the hand.
        error: [m] root mean square distance of the seen points from the surface.
        start: which start led here.
    """

    landmarks: Array
    channels: Array
    size: float
    error: float
    start: int

    @property
    def ok(self) -> bool:
        """Whether the surface fits what was seen and is as large as hands are."""
        return self.error < GOOD and SIZES[0] <= self.size <= SIZES[1]

    @property
    def status(self) -> str:
        """One sentence."""
        fits = "fits" if self.ok else "does not fit"
        return f"a hand of {1e3 * self.size:.0f} mm {fits} the depth frame, {1e3 * self.error:.1f} mm off."


class _Seen:
    """A depth frame as residuals of parameters (n, SHAPE + len(FREE))."""

    def __init__(self, depth: Array, camera: Camera) -> None:
        from scipy.ndimage import distance_transform_edt

        mask = depth > 0
        rows, columns = np.nonzero(mask)
        _, rays = sight_lines(camera, np.stack([columns, rows], -1).astype(float))
        eye, forward = camera.X_WC[:3, 3], camera.X_WC[:3, 2]
        points = eye + rays * (depth[mask] / (rays @ forward))[:, None]
        self.points = points[:: max(1, len(points) // MOST_POINTS)]
        self.camera, self.eye, self.forward = camera, eye, forward
        middle = float(np.median(depth[mask]))
        self.beside, nearest = distance_transform_edt(~mask, return_indices=True)
        self.beside *= middle / camera.fx  # [m] from the outline
        self.behind = depth[nearest[0], nearest[1]]

    def hands(self, x: Array, start: Array) -> tuple[Array, Array, Array]:
        """Landmarks (n, 21, 3), radii (n, capsules) and channels (n, 17) of parameters."""
        n = len(x)
        channels = np.broadcast_to(start, (n, CHANNELS)).copy()
        channels[:, FREE] = x[:, SHAPE:]
        size = np.exp(x[:, 6])
        hands = Proportions.mean(n)
        fingers, thumb, width = np.exp(x[:, 7:SHAPE]).T
        hands.bones[:, 1:] *= fingers[:, None, None]
        hands.bones[:, 0] *= thumb[:, None]
        hands.palm[:, :, 1] *= width[:, None]
        points = hand_landmarks(np.clip(channels, -0.2, 1.2), hands) * size[:, None, None]
        R = rotation_from_vector(x[:, 3:6])
        return points @ np.swapaxes(R, 1, 2) + x[:, None, :3], RADII * LENGTH * size[:, None], channels

    def residuals(self, x: Array, start: Array) -> Array:
        """(n, m) of parameters (n, p)."""
        from scipy.ndimage import map_coordinates

        points, radii, channels = self.hands(x, start)
        near = surface_distance(self.points, points, radii) / SIGMA
        beads = np.concatenate([points[:, ENDS], 0.5 * (points[:, STARTS] + points[:, ENDS])], 1)
        thick = np.concatenate([radii, radii], 1)
        pixels = project(self.camera, beads)
        at = np.nan_to_num(pixels, nan=-1e3).reshape(-1, 2).T[::-1]
        beside = map_coordinates(self.beside, at, order=1, mode="nearest").reshape(thick.shape)
        wall = map_coordinates(self.behind, at, order=1, mode="nearest").reshape(thick.shape)
        front = (beads - self.eye) @ self.forward - thick
        out = np.maximum(beside - 0.3 * thick, 0.0) / SIGMA
        before = np.where(beside < 1e-6, np.maximum(wall - front - 0.2 * thick, 0.0), 0.0) / SIGMA
        free = channels[:, FREE]
        low, high = np.where(FREE > 9, -1.0, 0.0), np.ones(len(FREE))
        low[-1] = 0.0
        limits = BEYOND * (np.maximum(free - high, 0.0) + np.maximum(low - free, 0.0))
        prior = PRIOR * (free - start[..., FREE])
        scale = np.sqrt(len(self.points) / (4.0 * len(BARS)))
        usual = USUAL * x[:, 7:SHAPE]
        return np.concatenate([near, scale * out, scale * before, limits * scale, prior * scale, usual * scale], -1)


def fit_hand(
    depth: ArrayLike, camera: Camera, starts: ArrayLike, palms: ArrayLike, *, keep: int = 6, steps: int = 25
) -> HandFit:
    """The hand that a depth frame shows.

    Args:
        depth: (height, width) [m] along the camera's axis, 0 where nothing of the hand is seen.
        camera: that saw it, its pose in the frame that landmarks are wanted in.
        starts: (L, 17) handshapes to start from, an alphabet's letters for instance.
        palms: (L, 3, 3) their palm directions in that frame.
        keep: starts that are followed to the end.
        steps: of each descent at most.
    """
    from scipy.optimize import least_squares

    frame = real_array(depth, "a depth frame")
    if frame.shape != (camera.height, camera.width):
        raise InputError(
            f"a depth frame must be {camera.height} x {camera.width} pixels as its camera; got shape {frame.shape}."
        )
    if not np.isfinite(frame).all() or (frame < 0).any():
        raise InputError("a depth frame must be finite and not negative, 0 where nothing is seen.")
    if int((frame > 0).sum()) < LEAST_PIXELS:
        raise InputError(f"a depth frame needs at least {LEAST_PIXELS} pixels of a hand; got {int((frame > 0).sum())}.")
    starts, palms = real_array(starts, "starts of a fit"), real_array(palms, "palms of a fit")
    if starts.ndim != 2 or not len(starts) or starts.shape[1] != CHANNELS or palms.shape != (len(starts), 3, 3):
        raise InputError(
            f"a fit needs starts (L, {CHANNELS}) and palms (L, 3, 3); got shapes {starts.shape} and {palms.shape}."
        )
    if keep < 1 or steps < 1:
        raise InputError(f"a fit follows at least one start by one step; got {keep} and {steps}.")
    seen = _Seen(frame, camera)
    x, which = _first(seen, starts, palms)
    x, which, cost = _aligned(seen, x, which, starts)
    best: tuple[float, Array, int] | None = None
    used: list[int] = []
    for k in np.argsort(cost, kind="stable"):
        if which[k] in used:
            continue
        used.append(int(which[k]))
        start = starts[which[k]]

        def value(p: Array, start: Array = start) -> Array:
            return seen.residuals(p[None], start)[0]

        def slope(p: Array, start: Array = start) -> Array:
            all_ = seen.residuals(np.concatenate([p[None], p + SMALL * np.eye(len(p))]), start)
            return np.asarray((all_[1:] - all_[0]).T / SMALL)

        found = least_squares(value, x[k], jac=slope, loss="soft_l1", max_nfev=steps, x_scale=_SCALES)
        if best is None or found.cost < best[0]:
            best = (float(found.cost), found.x, int(which[k]))
        if len(used) == keep:
            break
    assert best is not None
    points, radii, channels = seen.hands(best[1][None], starts[best[2]])
    error = float(np.sqrt((surface_distance(seen.points, points, radii) ** 2).mean()))
    return HandFit(points[0], channels[0], LENGTH * float(np.exp(best[1][6])), error, best[2])


def _cost(residuals: Array) -> Array:
    """Costs (n) of residuals (n, m), large ones no worse than five."""
    return np.asarray(np.minimum(residuals**2, 25.0).sum(-1))


def _aligned(seen: _Seen, x: Array, which: np.ndarray, starts: Array) -> tuple[Array, np.ndarray, Array]:
    """Starts whose place, attitude and size were brought nearer (all at once, damped Gauss-Newton), and their costs.

    Of every handshape the best two viewpoints go on.
    """
    cost = _cost(np.concatenate([seen.residuals(row[None], starts[k]) for row, k in zip(x, which, strict=True)]))
    kept = np.concatenate([np.flatnonzero(which == k)[np.argsort(cost[which == k])[:2]] for k in range(len(starts))])
    x, which, cost = x[kept], which[kept], cost[kept]
    shape = starts[which]
    for _ in range(ALIGN):
        value = seen.residuals(x, shape)
        J = np.empty((len(x), value.shape[1], 7))
        for i in range(7):
            moved = x.copy()
            moved[:, i] += SMALL
            J[:, :, i] = (seen.residuals(moved, shape) - value) / SMALL
        weight = np.where(np.abs(value) > 5.0, 5.0 / np.maximum(np.abs(value), 1e-9), 1.0)
        Jt = np.swapaxes(J * weight[..., None], 1, 2)
        H = Jt @ J
        H[:, range(7), range(7)] *= 1.05
        step = np.linalg.solve(H + 1e-6 * np.eye(7), (Jt @ value[..., None]))[..., 0]
        tried = x.copy()
        tried[:, :7] -= np.clip(step, -_STEPS, _STEPS)
        now = _cost(seen.residuals(tried, shape))
        better = now < cost
        x, cost = np.where(better[:, None], tried, x), np.where(better, now, cost)
    return x, which, cost


_STEPS = np.array([0.03, 0.03, 0.03, 0.4, 0.4, 0.4, 0.1])
_SCALES = np.concatenate([np.full(3, 0.01), np.full(3, 0.1), np.full(4, 0.05), np.full(len(FREE), 0.2)])


def _first(seen: _Seen, starts: Array, palms: Array) -> tuple[Array, np.ndarray]:
    """Parameters (L * turns, p) at every start and viewpoint, the middle of the model on the middle of what is seen."""
    rows, which = [], []
    middle = seen.points.mean(0)
    for k, (start, palm) in enumerate(zip(starts, palms, strict=True)):
        shape = hand_landmarks(start[None], Proportions.mean(1))[0]
        inside = 0.5 * (shape[STARTS] + shape[ENDS])
        for turn in rotation_from_rpy(TURNS):
            R = turn @ palm
            place = middle + 0.008 * seen.forward - inside.mean(0) @ R.T
            rows.append(np.concatenate([place, rotation_vector(R), np.zeros(4), start[FREE]]))
            which.append(k)
    return np.array(rows), np.array(which)
