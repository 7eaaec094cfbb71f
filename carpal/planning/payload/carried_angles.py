"""The set of a payload's angles along a path that is given: gravity seen from the gripper, time from the joints' speeds."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import finite_array
from carpal._core.batch import KernelInput, run_batch
from carpal.errors import InputError
from carpal.kinematics import fk
from carpal.model import Model, need_model
from carpal.planning.payload.angle_set import AngleSet
from carpal.planning.payload.kernels import angle_path
from carpal.planning.payload.kernels.angle_set import AXES, CELLS, ROWS
from carpal.planning.payload.payload import Payload
from carpal.spatial import Array, pose

RESOLUTION = 0.02  # [rad, m] largest joint step between two samples where a path is given by its corners


@dataclass(frozen=True, eq=False)
class AngleHistory:
    """The set at every sample of a path.

    Args:
        q: (n, nq) configurations checked.
        states: (n, CELLS) of every sample; see `AngleSet`. The set of a sample holds every angle since the sample before.
        settled: the set after waiting at the end.
        known: whether the settled set is narrow enough (`Payload.known`).
        waiting: every angle that it may have had while waiting at the end.
    """

    q: Array
    states: np.ndarray
    settled: AngleSet
    known: bool
    waiting: AngleSet

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, sample: int) -> AngleSet:
        return AngleSet(self.states[sample])

    def __iter__(self) -> Iterator[AngleSet]:
        return (AngleSet(states) for states in self.states)

    def __str__(self) -> str:
        widest = 2 * np.pi * float((self.states > 0).mean(axis=1).max())
        end = "known" if self.known else "not known"
        return (
            f"over {len(self)} samples the payload's angle is uncertain by {np.degrees(widest):.0f} degrees at most; at the end "
            f"it is {end} ({np.degrees(self.settled.width):.0f} degrees wide)."
        )


def gripper_pose(model: Model, payload: Payload) -> tuple[str, Array]:
    """(the frame that holds a payload, X_FG of the gripper's frame in it)."""
    frame = str(model.tool if payload.frame is None else payload.frame)
    model.frame_index(frame)
    if payload.X_TG is not None:
        return frame, np.asarray(payload.X_TG)
    if frame != model.tool:
        raise InputError(f"a payload in frame '{frame}', which is not the tool, needs X_TG: where its axis lies.")
    z = np.asarray(model.tool_axis, float)
    aside = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = aside - z * (aside @ z)
    x /= np.linalg.norm(x)
    return frame, pose(np.stack([x, np.cross(z, x), z], axis=1))


def gravity_in_gripper(model: Model, payload: Payload, q: ArrayLike) -> Array:
    """Gravity (*batch, 3) [m/s^2] in the gripper's axes; its angle atan2(y, x) is where the payload would hang."""
    need_model(model, "gravity_in_gripper")
    frame, X_FG = gripper_pose(model, payload)
    R_WG = fk(model, q, frame)[..., :3, :3] @ X_FG[:3, :3]
    return np.einsum("...ji,j->...i", R_WG, np.asarray(model.gravity))


def payload_numbers(payload: Payload, gravity: float) -> Array:
    """The numbers of a payload as the kernels of its set read them."""
    return np.array([
        payload.mu_low, payload.mu_high, payload.inertia / (payload.mass * payload.arm), payload.acceleration,
        payload.slack, float(payload.as_published), payload.known,
        1.5 * float(payload.holding[0].max()), gravity, *np.zeros(AXES),
    ])  # fmt: skip


def angles_under_gravity(
    payload: Payload, gravity: ArrayLike, seconds: ArrayLike, *, angle: ArrayLike, spread: ArrayLike = 0.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray, Array]:
    """Sets for given gravity as the gripper sees it.

    Args:
        payload: what is held.
        gravity: (*batch, samples, 3) [m/s^2] in the gripper's axes.
        seconds: (*batch, samples) what the path to each sample takes at least [s]; the first is not checked.
        angle, spread: (*batch) angle at the beginning and its uncertainty [rad].

    Returns:
        states (*batch, samples, CELLS), settled (*batch, CELLS), known (*batch), width of the settled set (*batch) [rad].
    """
    states, settled, known, width, _ = _sets_under_gravity(payload, gravity, seconds, angle, spread)
    return states, settled, known, width


def _sets_under_gravity(
    payload: Payload, gravity: ArrayLike, seconds: ArrayLike, angle: ArrayLike, spread: ArrayLike
) -> tuple[np.ndarray, np.ndarray, np.ndarray, Array, np.ndarray]:
    """As `angles_under_gravity`; last, all angles while waiting at the end (*batch, CELLS)."""
    samples = np.shape(gravity)[-2] if np.ndim(gravity) >= 2 else 0
    if samples < 1:
        raise InputError("the path of a payload needs at least one sample; gravity must be (*batch, samples, 3).")
    g = finite_array("gravity", gravity, (samples, 3))
    sizes = np.linalg.norm(g, axis=-1)
    if not (sizes > 0).all() or np.ptp(sizes) > 1e-6 * sizes.max():
        raise InputError("gravity must have the same size, above zero, at all samples.")
    start = np.stack(np.broadcast_arrays(np.asarray(angle, float), np.asarray(spread, float)), axis=-1)
    states, settled, report = run_batch(
        None, angle_path.angle_path_batch, (payload_numbers(payload, float(sizes.flat[0])), payload.holding),
        [KernelInput("angle and spread", start, (2,)), KernelInput("gravity", g, (samples, 3)),
         KernelInput("seconds", seconds, (samples,))],
        [(samples, CELLS), (2, CELLS), (angle_path.REPORT,)], scratch=[(ROWS, CELLS)], world_seconds=3e-6 * samples,
    )  # fmt: skip
    known = report[..., angle_path.IS_KNOWN] > 0
    rests, waits = settled[..., 0, :].astype(np.int8), settled[..., 1, :].astype(np.int8)
    return states.astype(np.int8), rests, known, report[..., angle_path.WIDTH], waits


def angles_along(
    model: Model,
    payload: Payload,
    path: ArrayLike,
    *,
    angle: float,
    spread: float = 0.02,
    resolution: float = RESOLUTION,
    speeds: ArrayLike | None = None,
) -> AngleHistory:
    """The set along straight edges between configurations.

    Args:
        model: the arm.
        payload: what it holds.
        path: (n, nq) [rad, m].
        angle, spread: at the first configuration, and its uncertainty [rad].
        resolution: largest joint step between two samples [rad, m].
        speeds: (nq) the joints' speed limits; by default the model's. Joints without any take no time.
    """
    need_model(model, "angles_along")
    corners = finite_array("path", path, (model.nq,)).reshape(-1, model.nq)
    if not len(corners):
        raise InputError("the path is empty: it needs at least one configuration.")
    if not resolution > 0:
        raise InputError(f"resolution must be above zero; got {resolution!r}.")
    v = np.asarray(model.v_max if speeds is None else speeds, float)
    parts = [corners[:1]]
    for a, b in itertools.pairwise(corners):
        count = max(1, int(np.ceil(np.abs(b - a).max() / resolution)))
        parts.append(a + (b - a) * np.arange(1, count + 1)[:, None] / count)
    q = np.concatenate(parts)
    slow = np.where(np.isfinite(v) & (v > 0), 1 / np.where(v > 0, v, 1), 0.0)
    seconds = np.concatenate([[0.0], (np.abs(np.diff(q, axis=0)) * slow).max(axis=1)])
    states, settled, known, _, waiting = _sets_under_gravity(
        payload, gravity_in_gripper(model, payload, q), seconds, angle, spread
    )
    return AngleHistory(q, states, AngleSet(settled), bool(known), AngleSet(waiting))
