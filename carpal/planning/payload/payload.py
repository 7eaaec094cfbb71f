"""Payload: a body that three contacts hold and that may turn about the gripper's axis."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from carpal._core.cpu_pool import run_on_cpu
from carpal.errors import InputError, unknown_name
from carpal.model import PlacedShape, checked_pose, real_array
from carpal.planning.payload.kernels.angle_set import ALPHAS, TILTS
from carpal.planning.payload.kernels.three_contacts import ANSWER, HOLDING, PRESSED, adjust_batch
from carpal.spatial import Array

UNDECIDED = 1e300  # a contact that would have to pull: no friction holds for sure, none fails for sure


@dataclass(frozen=True, eq=False)
class Payload:
    """What a gripper holds between three contacts (Leutenegger 2008, figure 32); frozen.

    Its frame O lies on the gripper's axis z; at angle zero it is the gripper's frame G, and x points to the centre of mass.

    Args:
        mass: [kg].
        arm: distance of the centre of mass from the axis [m] (d in the reference).
        drop: how far it lies along the axis beyond the plane of the contacts [m] (c).
        inertia: about the axis [kg m^2], at least mass x arm^2.
        contact_width: distance of contacts 1 and 2, either side of the axis [m] (b).
        contact_reach: distance of contact 3 from the axis towards the centre of mass [m] (e).
        shapes: its visual and collision shapes, placed in O; `body` of each is ignored.
        mu_low, mu_high: bounds of the friction; it may lie anywhere between and change along the path.
        X_TG: pose (4, 4) of the gripper's frame in the tool frame; None: z along `tool_axis`, at the tool's origin.
        frame: the frame that holds it; None: the tool.
        acceleration: how much the arm's own motion may add to gravity at the payload [m/s^2].
        slack: by how much its weight must beat the upper friction before it surely turns [m/s^2].
        known: an angle counts as known where its set is no wider than this [rad].
        as_published: stop every swing at the gravity direction and forget it after one sample, as Leutenegger (2008) does:
            unsafe.
        name: of its body and joint.
    """

    mass: float
    arm: float
    drop: float
    inertia: float
    contact_width: float
    contact_reach: float
    shapes: tuple[PlacedShape, ...] = ()
    mu_low: float = 0.2
    mu_high: float = 0.4
    X_TG: Array | None = None
    frame: str | None = None
    acceleration: float = 0.3
    slack: float = 0.2
    known: float = 1.4
    as_published: bool = False
    name: str = "payload"

    def __post_init__(self) -> None:
        put = lambda name, value: object.__setattr__(self, name, value)  # noqa: E731 - frozen dataclass
        for name in ("mass", "arm", "inertia", "contact_width", "contact_reach", "mu_high", "known"):
            put(name, _number(name, getattr(self, name), above=True))
        for name in ("mu_low", "acceleration", "slack"):
            put(name, _number(name, getattr(self, name), above=False))
        drop = real_array(self.drop, "drop of a payload")
        if drop.shape != () or not np.isfinite(drop):
            raise InputError(f"drop of a payload must be a finite length [m]; got {self.drop!r:.60}.")
        put("drop", float(drop))
        if self.mu_low > self.mu_high:
            raise InputError(f"friction bounds are reversed: mu_low {self.mu_low:g} above {self.mu_high:g}.")
        if self.inertia < self.mass * self.arm**2 * (1 - 1e-9):
            raise InputError(
                f"inertia of a payload about the axis is at least mass x arm^2 = {self.mass * self.arm**2:.4g} kg m^2; "
                f"got {self.inertia:g}."
            )
        if self.X_TG is not None:
            put("X_TG", checked_pose(self.X_TG, "X_TG of a payload"))
        if not isinstance(self.name, str) or not self.name or "/" in self.name:
            raise InputError(f"the name of a payload must be a text without '/'; got {self.name!r:.60}.")
        shapes = tuple(self.shapes)
        for shape in shapes:
            if not isinstance(shape, PlacedShape):
                raise InputError(f"shapes of a payload are PlacedShape values; got {type(shape).__name__}.")
        put("shapes", shapes)

    def replace(self, **changes: Any) -> Payload:
        """A copy with some arguments changed."""
        known = {f.name for f in dataclasses.fields(self) if f.init}
        unknown = set(changes) - known
        if unknown:
            raise unknown_name("argument of Payload", min(unknown), sorted(known))
        return dataclasses.replace(self, **changes)

    @property
    def geometry(self) -> Array:
        """(b, c, d, e) [m] as the kernels read them."""
        return np.array([self.contact_width, self.drop, self.arm, self.contact_reach])

    @functools.cached_property
    def holding(self) -> Array:
        """Bounds (2, TILTS, ALPHAS) of what unit friction holds under unit gravity, over squares in cos(tilt), cos(alpha)."""
        return _holding_table(self.geometry)


def _number(name: str, value: Any, *, above: bool) -> float:
    number = real_array(value, f"{name} of a payload")
    if number.shape != () or not np.isfinite(number) or number < 0 or (above and number == 0):
        limit = "above zero" if above else "zero or above"
        raise InputError(f"{name} of a payload must be a finite number {limit}; got {value!r:.60}.")
    return float(number)


def _holding_table(geometry: Array) -> Array:
    """Sampled on a grid three times as fine, and widened by half of what each square's samples differ."""
    fine = 3
    cos_tilt = np.linspace(-1, 1, TILTS * fine + 1)
    cos_alpha = np.linspace(-1, 1, ALPHAS * fine + 1)
    tilt, alpha = np.meshgrid(np.arccos(cos_tilt), np.arccos(cos_alpha), indexing="ij")
    attitude = np.ascontiguousarray(np.stack([tilt, alpha], axis=-1).reshape(-1, 2))
    answer = np.empty((len(attitude), ANSWER))
    friction = np.ones((len(attitude), 2))
    run_on_cpu(adjust_batch, (geometry, 1.0, attitude, friction, answer), len(attitude), threads=1, world_seconds=2e-6)
    holding = answer[:, HOLDING].reshape(tilt.shape)
    pressed = answer[:, PRESSED].reshape(tilt.shape) > 0
    low, high = _squares(np.where(pressed, holding, 0.0), np.minimum, fine), _squares(holding, np.maximum, fine)
    spare = 0.5 * (high - _squares(holding, np.minimum, fine))
    decided = _squares(pressed.astype(float), np.minimum, fine) > 0
    return np.stack([np.where(decided, np.maximum(low - spare, 0.0), 0.0), np.where(decided, high + spare, UNDECIDED)])


def _squares(values: Array, take: Any, fine: int) -> Array:
    """The least or the largest value of every square, edges included."""
    rows, columns = fine * (TILTS - 1) + 1, fine * (ALPHAS - 1) + 1
    out = values[0:rows:fine, 0:columns:fine]
    for i in range(fine + 1):
        for j in range(fine + 1):
            out = take(out, values[i : i + rows : fine, j : j + columns : fine])
    return np.ascontiguousarray(out)
