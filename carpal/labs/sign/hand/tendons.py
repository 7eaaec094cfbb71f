"""Fingers with one tendon each: parameters, design of their springs, and equilibrium angles.

Prabhu 2018 has one flexion tendon and extension springs over three joints of a finger (section 2.4) and asks for spring
constants that give wanted angles (F-7 of docs/errata.md). Here the joints leave their stops one after the other at chosen
tensions and reach their other stops at one tension: that determines preloads and spring constants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import finite_array
from carpal._core.batch import KernelInput, run_batch
from carpal._core.result import Result
from carpal.errors import InputError
from carpal.labs.sign.kernels.tendon_balance import (
    FINGER_ROWS,
    JOINTS,
    LOAD_COLUMNS,
    REPORT,
    RESIDUAL,
    TENSION,
    balance_batch,
)
from carpal.spatial import Array

PARTS = ("proximal", "middle", "distal")
GOOD = 1e-9
"""[rad] of residual that still counts as balance."""


@dataclass(frozen=True, eq=False)
class TendonFinger:
    """A finger of three joints on one tendon; every array (3), from the base to the tip.

    Args:
        name: for people.
        lengths: of the phalanges [m].
        pulleys: radius [m] on which the tendon passes each joint.
        springs: [N m/rad], bending back.
        rest: [rad] where each spring alone would rest; below `low` it is preloaded.
        low, high: stops [rad].
        wraps: [rad] that the tendon wraps about each joint's guide when the finger is straight.
        stiffness: of the tendon [N/m].
        friction: coefficient between tendon and guides; 0 is none.
        weights: of the phalanges [N], for `check_holds` and gravity.
    """

    name: str
    lengths: Array
    pulleys: Array
    springs: Array
    rest: Array
    low: Array
    high: Array
    wraps: Array
    stiffness: float
    friction: float
    weights: Array

    def __post_init__(self) -> None:
        for what in ("lengths", "pulleys", "springs", "rest", "low", "high", "wraps", "weights"):
            values = finite_array(f"{what} of finger '{self.name}'", getattr(self, what), (JOINTS,))
            object.__setattr__(self, what, np.array(values))
        for what in ("lengths", "pulleys", "springs"):
            values = getattr(self, what)
            if not (values > 0).all():
                raise InputError(f"{what} of finger '{self.name}' must be above zero; got {values.tolist()}.")
        for what, least in (("stiffness", 0.0), ("friction", 0.0)):
            value = getattr(self, what)
            if not isinstance(value, int | float) or not np.isfinite(value) or value < least:
                raise InputError(f"{what} of finger '{self.name}' must be a finite number, 0 or above; got {value!r}.")
        if not (self.low < self.high).all():
            raise InputError(
                f"the stops of finger '{self.name}' must have low below high; got {self.low}, {self.high}."
            )

    @property
    def starts(self) -> Array:
        """(3) tension [N] at which each joint of the free finger leaves its stop."""
        return np.asarray(self.springs * (self.low - self.rest) / self.pulleys)

    @property
    def closing_order(self) -> tuple[str, ...]:
        """The joints in the order in which the free finger bends them."""
        return tuple(PARTS[i] for i in np.argsort(self.starts, kind="stable"))

    @property
    def closing_tension(self) -> float:
        """Tension [N] at which the free finger is at all its stops, without friction."""
        return float(np.max(self.springs * (self.high - self.rest) / self.pulleys))

    @property
    def travel(self) -> float:
        """[m] that the tendon is pulled in to close the free finger, its stretch included."""
        return float(self.pulleys @ self.high + self.closing_tension / self.stiffness)

    def rows(self, closing: bool = True) -> Array:
        """(FINGER_ROWS, 3) as the kernel takes them."""
        tendon = np.array([self.stiffness, self.friction, 1.0 if closing else -1.0])
        return np.stack(
            [self.lengths, self.pulleys, self.springs, self.rest, self.low, self.high, self.wraps, tendon]
        )  # fmt: skip

    def weight_loads(self, pull: ArrayLike) -> Array:
        """(3, 4) loads of the phalanges' weights; `pull` (2) is gravity's direction along and across the straight finger."""
        g = finite_array("pull", pull, (2,))
        middle = 0.5 * self.lengths
        return np.column_stack([np.arange(3.0), middle, self.weights * g[0], self.weights * g[1]])

    def check_holds(self) -> TendonFinger:
        """Refuse springs that cannot hold the straight finger against its own weight in every pose of the hand."""
        preload = self.springs * (self.low - self.rest)
        far = np.cumsum(self.lengths) - 0.5 * self.lengths
        for i in range(JOINTS):
            start = float(self.lengths[:i].sum())
            needed = float(self.weights[i:] @ (far[i:] - start))
            if preload[i] < needed:
                raise InputError(
                    f"the springs of finger '{self.name}' cannot hold it: joint '{PARTS[i]}' is preloaded by "
                    f"{preload[i]:.3g} N m, and the phalanges beyond it weigh up to {needed:.3g} N m; it needs a stiffer "
                    "spring or a rest angle further back."
                )
        return self


def designed_finger(
    name: str,
    lengths: ArrayLike,
    high: ArrayLike,
    *,
    starts: ArrayLike,
    closed: float,
    pulleys: ArrayLike,
    wraps: ArrayLike = (0.2, 0.2, 0.2),
    stiffness: float = 2.0e4,
    friction: float = 0.0,
    masses: ArrayLike = (0.015, 0.010, 0.008),
) -> TendonFinger:
    """A finger whose joints leave their stops at chosen tensions and are all bent at one.

    Args:
        name: for people.
        lengths, high, pulleys: (3) [m], [rad], [m].
        starts: (3) tension [N] at which each joint begins to bend; their order is the closing order.
        closed: tension [N] at which the free finger is closed.
        wraps, stiffness, friction: as of `TendonFinger`.
        masses: of the phalanges [kg].
    """
    begin = finite_array("starts", starts, (JOINTS,))
    top, r = finite_array("high", high, (JOINTS,)), finite_array("pulleys", pulleys, (JOINTS,))
    if not (begin >= 0).all() or not closed > begin.max():
        raise InputError(
            f"finger '{name}' must begin to bend at tensions of 0 or above and be closed above all of them; "
            f"got starts {begin.tolist()} N, closed {closed!r} N."
        )
    springs = (closed - begin) * r / top
    return TendonFinger(
        name, np.array(lengths, float), r, springs, -begin * r / springs, np.zeros(JOINTS), top, np.array(wraps, float),
        stiffness, friction, 9.81 * finite_array("masses", masses, (JOINTS,)),
    ).check_holds()  # fmt: skip


@dataclass(frozen=True, eq=False)
class TendonResult(Result):
    """Fingers at rest.

    Args:
        ok: whether all are in balance.
        status: one true sentence.
        angles: (*batch, 3) [rad].
        tension: (*batch) [N] at the motor; 0 where the tendon is slack.
        residual: (*batch) [rad] from balance.
    """

    ok: bool
    status: str
    angles: Array
    tension: Array
    residual: Array


def tendon_angles(
    finger: TendonFinger | Sequence[TendonFinger],
    displacement: ArrayLike,
    loads: ArrayLike | None = None,
    *,
    closing: bool = True,
    device: str = "cpu",
    threads: int | None = None,
) -> TendonResult:
    """Equilibrium angles of fingers for given tendon travels, with or without external forces.

    Args:
        finger: one finger, or n fingers.
        displacement: (*batch) of one finger or (*batch, n) of n [m] that each tendon is pulled in at its motor.
        loads: (*batch, m, 4) or (*batch, n, m, 4) forces that touch: phalanx (0 to 2), distance along it [m], and the force
            along and across the straight finger [N], across counted to where it bends. They keep their direction.
        closing: with friction, whether the tendon was last pulled in or let out.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default. The result does not depend on it.

    Example:
        >>> tendon_angles(fingers["index"], 0.02, loads=[[2, 0.02, 0.0, -0.5]]).angles
    """
    several = not isinstance(finger, TendonFinger)
    numbers = np.stack([f.rows(closing) for f in finger]) if several else finger.rows(closing)  # type: ignore[union-attr]
    s = finite_array("displacement", displacement, ())
    if several and (s.ndim == 0 or s.shape[-1] != len(numbers)):
        raise InputError(f"displacement of {len(numbers)} fingers needs {len(numbers)} numbers last; got {s.shape}.")
    touched = np.zeros((0, LOAD_COLUMNS)) if loads is None else np.asarray(loads, float)
    if touched.ndim < 2 or touched.shape[-1] != LOAD_COLUMNS:
        raise InputError(f"loads need (*batch, m, 4): phalanx, distance, two forces; got shape {touched.shape}.")
    _check_loads(touched, numbers[..., 0, :].max())
    angles, report = run_batch(
        None, balance_batch, (), [
            KernelInput("finger", numbers, (FINGER_ROWS, JOINTS)), KernelInput("displacement", s[..., None], (1,)),
            KernelInput("loads", touched, touched.shape[-2:]),
        ], [(JOINTS,), (REPORT,)], scratch=[(JOINTS,), (JOINTS,), (JOINTS, JOINTS), (JOINTS,), (JOINTS,)],
        device=device, threads=threads, world_seconds=3e-6,
    )  # fmt: skip
    residual = report[..., RESIDUAL]
    lost = int((residual > GOOD).sum())
    status = f"{residual.size} fingers in balance to {residual.max(initial=0.0):.1e} rad."
    if lost:
        status = f"{lost} of {residual.size} fingers found no balance: up to {residual.max():.2g} rad are left."
    return TendonResult(not lost, status, angles, report[..., TENSION], residual)


def _check_loads(loads: Array, longest: float) -> None:
    if not loads.size:
        return
    phalanx, along = loads[..., 0], loads[..., 1]
    if not np.isin(phalanx, (0.0, 1.0, 2.0)).all():
        raise InputError(f"the phalanx of a load must be 0, 1 or 2; got {phalanx[~np.isin(phalanx, (0, 1, 2))][0]:g}.")
    if not ((along >= 0) & (along <= longest)).all():
        raise InputError(
            f"a load must lie on its phalanx, 0 to {longest:g} m from its joint; got {along.min():g} to {along.max():g}."
        )
