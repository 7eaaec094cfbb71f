"""Where a spring finger rests, how stiff it is there, and how it closes while its tendon pulls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import KernelInput, configuration, run_batch
from carpal._core.result import Result
from carpal.dynamics import mass_matrix
from carpal.errors import InputError
from carpal.labs.finger.kernels.statics import REPORT, SETTLED, TORQUE_LEFT, finger_rest_batch
from carpal.labs.finger.kernels.terms import ACROSS, COLUMNS, LOADS, TENSION, TIP
from carpal.labs.finger.load import FingerLoad, load_rows
from carpal.labs.finger.motion import positive
from carpal.labs.finger.robot import SpringFinger, absolute_angles
from carpal.spatial import Array

TO_ABSOLUTE = np.tril(np.ones((3, 3)))
NUDGE = 1e-3  # [rad] by which a finger in unstable balance is moved before a second search


@dataclass(frozen=True, eq=False)
class RestResult(Result):
    """Where fingers come to rest; arrays have the batch shape.

    Args:
        finger: the finger.
        ok: (*batch) whether a stable rest was found.
        q: (*batch, 3) joint angles [rad].
        stable: (*batch) whether a small push dies away or stays small.
        held: (*batch, 3) -1 or 1 where the lower or upper stop carries a joint, else 0.
        torque_left: (*batch) torque that nothing carries [N m]; rounding.
    """

    finger: SpringFinger
    ok: np.ndarray
    q: Array
    stable: np.ndarray
    held: np.ndarray
    torque_left: Array

    @property
    def status(self) -> str:
        """One true sentence."""
        if self.ok.ndim:
            return f"{int(self.ok.sum())} of {self.ok.size} fingers rest."
        if not self.stable:
            return "the finger is balanced and not held: its springs are weaker than what bends it there."
        if not self.ok:
            return f"no rest was found: {float(self.torque_left):.2g} N m are left over."
        stops = [f"joint {i + 1} at its stop" for i in range(3) if self.held[i]]
        text = "the finger rests at " + ", ".join(f"{x:.6g}" for x in np.degrees(self.q)) + " deg"
        return text + (f" ({', '.join(stops)})." if stops else ".")


def rest_pose(
    finger: SpringFinger, load: FingerLoad | None = None, q0: ArrayLike | None = None, *, threads: int | None = None
) -> RestResult:
    """Where a finger comes to rest between its stops, the minimum of its potential nearest to q0.

    Args:
        finger: the finger.
        load: (*batch) what acts from outside.
        q0: (*batch, 3) where it is let go [rad]; the springs' neutral angles by default.
        threads: CPU threads; all cores by default.
    """
    start = np.asarray(finger.neutral if q0 is None else q0)
    return rest_of_rows(finger, finger.row, load_rows(load), start, finger.q_min, finger.q_max, threads)


def rest_of_rows(
    finger: SpringFinger,
    rows: ArrayLike,
    loads: Array,
    q0: ArrayLike,
    low: Array,
    high: Array,
    threads: int | None = None,
) -> RestResult:
    """`rest_pose` of fingers given as rows (*batch, 26); one that is balanced and unstable is nudged once."""
    q, report = _settle(finger, rows, loads, q0, low, high, threads)
    held = _held(q, low, high)
    stable = _is_stable(finger, rows, loads, q, held)
    if not stable.all():
        tries = [_settle(finger, rows, loads, np.where(stable[..., None], q, q + s), low, high, threads)
                 for s in (NUDGE, -NUDGE)]  # fmt: skip
        for other, its in tries:
            there = _held(other, low, high)
            better = ~stable & _is_stable(finger, rows, loads, other, there) & (its[..., SETTLED] > 0)
            q = np.where(better[..., None], other, q)
            report = np.where(better[..., None], its, report)
            held = np.where(better[..., None], there, held)
            stable = stable | better
    return RestResult(finger, (report[..., SETTLED] > 0) & stable, q, stable, held, report[..., TORQUE_LEFT])


def _settle(
    finger: SpringFinger, rows: ArrayLike, loads: Array, q0: ArrayLike, low: Array, high: Array, threads: int | None
) -> list[Array]:
    chain = finger.chain
    inputs = [
        KernelInput("finger", rows, (COLUMNS,)), configuration(chain, q0), KernelInput("load", loads, (LOADS,)),
        KernelInput("q_min", low, (3,)), KernelInput("q_max", high, (3,)),
    ]  # fmt: skip
    return run_batch(chain, finger_rest_batch, (), inputs, [(3,), (REPORT,)], threads=threads, world_seconds=5e-6)


def stiffness_matrix(finger: SpringFinger, q: ArrayLike, load: FingerLoad | None = None) -> Array:
    """(*batch, 3, 3) torque at joint i for a small bend of joint j [N m/rad]; a force that turns along makes it unsymmetric."""
    return _stiffness(finger.row, load_rows(load), _angles(q))


def _angles(q: ArrayLike) -> Array:
    array = np.asarray(q, float)
    absolute_angles(array)  # the shape
    if not np.isfinite(array).all():
        raise InputError(f"q must be finite; got {array.tolist()!r:.80}.")
    return array


def _stiffness(rows: ArrayLike, loads: Array, q: Array) -> Array:
    rows, theta = np.asarray(rows), np.cumsum(q, -1)
    s, c = np.sin(theta), np.cos(theta)
    moment, length, across = rows[..., 6:9], rows[..., 20:23], loads[..., ACROSS, None]
    fx = loads[..., TIP, None] + across * c[..., 2:]
    fy = loads[..., TIP + 1, None] - across * s[..., 2:]
    bend = (moment * rows[..., 9:10] + length * fx) * s + (moment * rows[..., 10:11] + length * fy) * c
    turn = across * length * np.sin(theta[..., 2:] - theta)
    H = bend[..., None] * np.eye(3)
    H = H + turn[..., None] * np.array([0.0, 0.0, 1.0])
    return TO_ABSOLUTE.T @ H @ TO_ABSOLUTE + rows[..., 11:14, None] * np.eye(3)


def rates_of_decay(
    finger: SpringFinger, rows: ArrayLike, loads: Array, q: Array, free: np.ndarray | None = None
) -> np.ndarray:
    """(*batch, 6) complex rates [1/s] of small motions about q: real part growth, imaginary part frequency.

    `rows` (*batch, 26) may have other springs and dampers than the finger.
    """
    rows = np.asarray(rows)
    M, K = mass_matrix(finger.chain, q), _stiffness(rows, loads, q)
    D = rows[..., 17:20, None] * np.eye(3)
    shape = np.broadcast_shapes(M.shape, K.shape)
    M, K, D = (np.broadcast_to(X, shape) for X in (M, K, D))
    if free is not None:  # a joint that a stop carries is replaced by a still one
        both = free[..., :, None] & free[..., None, :]
        alone = ~free[..., None] & np.eye(3, dtype=bool)
        M, D = (np.where(both, X, np.where(alone, M, 0.0)) for X in (M, D))
        K = np.where(both, K, np.where(alone, np.abs(K).max((-1, -2), keepdims=True), 0.0))
    A = np.zeros((*shape[:-2], 6, 6))
    A[..., :3, 3:] = np.eye(3)
    A[..., 3:, :3], A[..., 3:, 3:] = -np.linalg.solve(M, K), -np.linalg.solve(M, D)
    return np.linalg.eigvals(A)


def _is_stable(finger: SpringFinger, rows: ArrayLike, loads: Array, q: Array, held: np.ndarray) -> np.ndarray:
    rates = rates_of_decay(finger, rows, loads, q, held == 0)
    # eigenvalues that lie on the axis without dampers come out with a real part of rounding, square-rooted
    return rates.real.max(-1) <= 1e-6 * np.abs(rates).max(-1)


def _held(q: Array, low: Array, high: Array) -> np.ndarray:
    return np.where(q <= low, -1, np.where(q >= high, 1, 0))


def closing_curve(finger: SpringFinger, tension: ArrayLike, load: FingerLoad | None = None) -> Array:
    """(n, 3) joint angles [rad] while the tendon's tension goes through (n) values [N], each from where the last one left it."""
    pulls = np.asarray(FingerLoad(tension=tension).tension)
    if pulls.ndim != 1 or not len(pulls):
        raise InputError(f"tension must be values on one axis [N]; got shape {pulls.shape}.")
    rows, out, q = load_rows(load), np.empty((len(pulls), 3)), finger.neutral
    if rows.ndim != 1:
        raise InputError(f"a closing finger takes one load; got a batch of shape {rows.shape[:-1]}.")
    for i, pull in enumerate(pulls):
        loaded = rows.copy()
        loaded[TENSION] += pull
        rest = rest_of_rows(finger, finger.row, loaded, q, finger.q_min, finger.q_max)
        if not rest:
            raise InputError(f"the finger does not rest at a tension of {pull:g} N: {rest.status}")
        out[i] = q = rest.q
    return out


def closing_tensions(finger: SpringFinger, most: float, load: FingerLoad | None = None, *, points: int = 60) -> Array:
    """(3) tension at which each joint first meets its upper stop [N], infinite where it does not up to `most`.

    Args:
        finger: with finite `q_max`.
        most: largest tension tried [N].
        load: what else acts.
        points: number of tensions tried; between them the contact is found by bisection.
    """
    most = positive("most", most)
    if not np.isfinite(finger.q_max).all():
        raise InputError("closing needs a stop at every joint: give the finger a finite q_max.")
    grid = np.linspace(0.0, most, points + 1)
    q = closing_curve(finger, grid, load)
    out = np.full(3, np.inf)
    base = load_rows(load)
    for i in range(3):
        there = np.flatnonzero(q[:, i] >= finger.q_max[i])
        if not len(there):
            continue
        k = int(there[0])
        out[i] = 0.0 if k == 0 else _meeting(finger, base, i, grid[k - 1], grid[k], q[k - 1])
    return out


def _meeting(finger: SpringFinger, base: Array, joint: int, low: float, high: float, q: Array) -> float:
    """The tension between two at which a joint meets its stop."""
    for _ in range(60):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        loaded = base.copy()
        loaded[TENSION] += middle
        at = rest_of_rows(finger, finger.row, loaded, q, finger.q_min, finger.q_max).q
        if at[joint] >= finger.q_max[joint]:
            high = middle
        else:
            low, q = middle, at
    return high
