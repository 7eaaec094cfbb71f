"""`ServoArm`: an arm of serial servos that moves from where it stands to a point with a pointing direction."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.result import Result
from carpal.control import ServoBus, ServoReading
from carpal.errors import DeviceError, InputError
from carpal.kinematics import fk, ik_all, quintic_time
from carpal.model import Model
from carpal.spatial import Array

HOTTEST = 65.0
"""[degrees Celsius] above which a servo is stopped; STS3215 servos switch off at 70."""
LARGEST_LAG = 0.35
"""[rad] by which a joint may stay behind its set-point before the arm is stopped."""
SETTLED = 0.02
"""[rad] from its goal at which a joint has arrived: 13 counts of an STS servo; its dead band is 2 to 4."""
SETTLE_TIME = 1.5
"""[s] that the joints have to arrive after the last set-point."""
CHECKED = 60
"""Samples of a motion whose heights are checked."""


@dataclass(frozen=True, eq=False)
class ServoMove(Result):
    """What a move did.

    Args:
        ok: whether every joint arrived.
        status: one sentence.
        time: (rows) [s] from its start.
        q: (rows, n) [rad] read back.
        command: (rows, n) [rad] set-points that followed each reading.
        q_goal: (n) where it should end; None where the target was refused.
        rate: readings and writings a second.
    """

    ok: bool
    status: str
    time: Array = field(default_factory=lambda: np.zeros(0))
    q: Array = field(default_factory=lambda: np.zeros((0, 0)))
    command: Array = field(default_factory=lambda: np.zeros((0, 0)))
    q_goal: Array | None = None
    rate: float = 0.0


class ServoArm:
    """An arm whose joints are servos on one bus.

    Args:
        bus: the servos.
        model: the arm; its joints all have one coordinate.
        ids: servo of each joint by name; by default 1, 2, ... in the model's order.
        signs: 1 or -1 by joint, where a servo turns the other way; 1 by default.
        offsets: [rad] of a joint where its servo is in the middle of its range; 0 by default.
        speed: largest speed of any joint [rad/s], and never above the model's.
        acceleration: largest acceleration [rad/s^2].
        floor: height [m] that no frame of the moving bodies may go below; None: none.
        period: [s] between set-points.
    """

    def __init__(
        self,
        bus: ServoBus,
        model: Model,
        ids: Mapping[str, int] | None = None,
        *,
        signs: Mapping[str, float] | None = None,
        offsets: Mapping[str, float] | None = None,
        speed: float = 1.0,
        acceleration: float = 4.0,
        floor: float | None = 0.0,
        period: float = 0.01,
    ) -> None:
        names = model.joint_names
        if any(kind not in ("revolute", "prismatic") for kind, _ in model.joint_slices()):
            raise InputError(f"the joints of '{model.name}' must have one coordinate each to be servos.")
        for what, given in (("ids", ids), ("signs", signs), ("offsets", offsets)):
            for name in given or ():
                if name not in names:
                    raise InputError(f"{what} name '{name}', which is no joint of '{model.name}': {', '.join(names)}.")
        for what, value in (("speed", speed), ("acceleration", acceleration), ("period", period)):
            if not 0 < value < np.inf:
                raise InputError(f"{what} must be finite and above zero; got {value}.")
        self.bus, self.model, self.floor, self.period = bus, model, floor, period
        self.ids = tuple((ids or {}).get(name, k + 1) for k, name in enumerate(names))
        self._sign = np.array([(signs or {}).get(name, 1.0) for name in names])
        self._offset = np.array([(offsets or {}).get(name, 0.0) for name in names])
        self._fastest = np.minimum(speed, model.v_max)
        self._hardest = np.minimum(acceleration, model.vdot_max)
        bus.check_rate(len(self.ids), period)
        bus.ping(self.ids)

    def read(self) -> Array:
        """Where the joints stand (n) [rad]."""
        return self._joints(self.bus.read(self.ids))

    def power_on(self) -> None:
        """Switch the motors on where they stand."""
        self.bus.torque(self.ids, True)

    def stop(self) -> None:
        """Hold the motors where they stand."""
        self.bus.hold(self.ids)

    def power_off(self) -> None:
        """Let the motors go: the arm falls."""
        self.bus.torque(self.ids, False)

    def goal_for(self, point: ArrayLike, direction: ArrayLike, q: ArrayLike | None = None) -> tuple[Array | None, str]:
        """The nearest configuration that reaches a point, over a straight motion that stays above the floor.

        Args:
            point: (3) [m] in the arm's base.
            direction: (3) along which the tool points.
            q: (n) where the motion starts; where the arm stands by default.

        Returns:
            The configuration (n) and "", or None and the reason.
        """
        start = self.read() if q is None else np.asarray(q, float)
        low, high = np.asarray(self.model.q_min), np.asarray(self.model.q_max)
        found = ik_all(
            self.model, (np.asarray(point, float), np.asarray(direction, float)), q0=np.clip(start, low, high)
        )
        inside = [goal for goal, good in zip(found.q, found.in_limits, strict=True) if good]
        if not inside:
            return None, found.status
        reasons = []
        for goal in inside:
            reason = self._too_low(start, goal)
            if not reason:
                return np.asarray(goal), ""
            reasons.append(reason)
        return None, reasons[0]

    def move_to(self, point: ArrayLike, direction: ArrayLike, stopped: Callable[[], bool] | None = None) -> ServoMove:
        """Move the tool to a point (3) [m] with a pointing direction (3); `stopped` is asked before every set-point."""
        try:
            start = self.read()
        except DeviceError as problem:
            return ServoMove(False, f"not moved: {problem}")
        goal, reason = self.goal_for(point, direction, start)
        if goal is None:
            return ServoMove(False, f"not moved: {reason}")
        return self.move_joints(goal, stopped)

    def move_joints(self, goal: ArrayLike, stopped: Callable[[], bool] | None = None) -> ServoMove:
        """Move the joints to a configuration (n) [rad], straight and smoothly, from where they stand."""
        q1 = np.asarray(goal, float)
        if q1.shape != (self.model.nq,) or not np.isfinite(q1).all():
            raise InputError(f"a configuration of '{self.model.name}' needs {self.model.nq} finite numbers.")
        over = np.maximum(self.model.q_min - q1, q1 - self.model.q_max)
        if (over > 1e-9).any():
            worst = int(np.argmax(over))
            return ServoMove(
                False, f"not moved: '{self.model.joint_names[worst]}' would go {over[worst]:.4g} beyond its limit."
            )
        try:
            q0 = self.read()
            self.power_on()
        except DeviceError as problem:
            return ServoMove(False, f"not moved: {problem}")
        span = quintic_time(q0, q1, self._fastest, self._hardest)
        rows: list[tuple[float, Array, Array]] = []
        begin = time.monotonic()
        try:
            return self._follow(q0, q1, span, begin, rows, stopped)
        except DeviceError as lost:  # nothing can be sent any more: the servos hold the last set-point
            return self._ended(False, f"stopped: {lost}", begin, rows, q1)
        except BaseException:  # Ctrl-C, and whatever a caller's function raises
            self.stop()
            raise

    def _follow(
        self, q0: Array, q1: Array, span: float, begin: float, rows: list[tuple[float, Array, Array]],
        stopped: Callable[[], bool] | None,
    ) -> ServoMove:  # fmt: skip
        next_time, last, at, ended = begin, 0.0, 0.0, None
        while True:
            reading = self.bus.read(self.ids)
            now, q = time.monotonic() - begin, self._joints(reading)
            at, last = at + min(now - last, 2.0 * self.period), now  # after a pause the motion goes on where it was
            share = min((at + self.period) / span, 1.0) if span > 0 else 1.0
            ended = now if ended is None and share == 1.0 else ended
            command = q0 + (q1 - q0) * (share**3 * (10.0 + share * (-15.0 + 6.0 * share)))
            fault = self._fault(reading, q, rows[-1][2] if rows else q0)
            if stopped is not None and stopped():
                fault = "it was asked to stop."
            if fault:
                self.stop()
                return self._ended(False, f"stopped after {now:.2f} s: {fault}", begin, rows, q1)
            rows.append((now, q, command))
            away = np.abs(q - q1)
            if share == 1.0 and away.max() <= SETTLED:
                return self._ended(
                    True, f"reached in {now:.2f} s, no joint more than {away.max():.4f} rad away.", begin, rows, q1
                )
            if ended is not None and now > ended + SETTLE_TIME:
                joint = self.model.joint_names[int(away.argmax())]
                return self._ended(False, f"'{joint}' stays {away.max():.3f} rad from its goal.", begin, rows, q1)
            self._send(command)
            next_time = max(next_time + self.period, time.monotonic())
            time.sleep(max(0.0, next_time - time.monotonic()))

    def _fault(self, reading: ServoReading, q: Array, command: Array) -> str:
        for one, error in zip(reading.ids, reading.errors, strict=True):
            if error:
                return f"servo {one} reports {error}."
        hot = int(np.argmax(reading.temperature))
        if reading.temperature[hot] > HOTTEST:
            return f"servo {reading.ids[hot]} has {reading.temperature[hot]:.0f} degrees; {HOTTEST:.0f} are allowed."
        lag = np.abs(q - command)
        if lag.max() > LARGEST_LAG:
            joint = int(lag.argmax())
            return (
                f"'{self.model.joint_names[joint]}' is {lag[joint]:.2f} rad behind its set-point; something holds it."
            )
        return ""

    def _send(self, q: Array) -> None:
        table = self.bus.table
        counts = np.clip((q - self._offset) * self._sign, table.low, table.high)
        self.bus.write(self.ids, counts, np.full(len(q), 1.5) * np.maximum(self._fastest, 0.1))

    def _joints(self, reading: ServoReading) -> Array:
        return np.asarray(reading.position) * self._sign + self._offset

    def _too_low(self, q0: Array, q1: Array) -> str:
        """Where the straight motion goes below the floor; "" where it does not, or only rises out of it."""
        if self.floor is None:
            return ""
        samples = q0 + np.linspace(0.0, 1.0, CHECKED)[:, None] * (q1 - q0)
        for name in self._moving_frames():
            heights = fk(self.model, samples, name)[:, 2, 3]
            if (heights < min(self.floor, heights[0]) - 1e-9).any():
                lowest = 1e3 * heights.min()
                return (
                    f"on the way '{name}' would come to {lowest:.0f} mm height; {1e3 * self.floor:.0f} mm is the floor."
                )
        return ""

    def _moving_frames(self) -> Sequence[str]:
        still = {None} | {body.name for body in self.model.bodies if body.joint.kind == "fixed" and body.parent is None}
        return [body.name for body in self.model.bodies if body.name not in still] + [str(self.model.tool)]

    def _ended(
        self, ok: bool, status: str, begin: float, rows: list[tuple[float, Array, Array]], goal: Array
    ) -> ServoMove:
        spent = max(time.monotonic() - begin, 1e-9)
        if not rows:
            return ServoMove(ok, status, q_goal=goal)
        times, q, command = (np.array([row[k] for row in rows]) for k in range(3))
        return ServoMove(ok, status, times, q, command, goal, len(rows) / spent)
