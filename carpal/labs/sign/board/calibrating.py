"""Calibration of servos: both ends of every motor are shown by hand, or found by driving gently against the stops."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from carpal.control import ServoBus
from carpal.errors import DeviceError, InputError
from carpal.labs.sign.files.calibration import CalibratedServo

LEAST_TRAVEL = 0.05
"""[rad] of a servo between both ends, at least: less is a motor that was not moved."""
HOMING_SPEED, STALL, BACK_OFF = 0.6, 0.3, 0.03
"""[rad/s] of homing, share of the largest load that counts as a stop, and [rad] by which it is left again."""
STILL, READINGS = 0.25, 20
"""[s] and readings without motion after which a driven servo stands at a stop."""


def calibrated(
    names: Sequence[str],
    ids: Mapping[str, int],
    ends: Mapping[str, tuple[float, float]],
    low: Sequence[float],
    high: Sequence[float],
    speed: Sequence[float],
) -> tuple[CalibratedServo, ...]:
    """Servos whose two ends were measured.

    Args:
        names: of n motors.
        ids: of their servos.
        ends: [rad] of each servo at the motor's low and high end.
        low, high, speed: (n) of the motors [rad, m; per second].
    """
    out = []
    for k, name in enumerate(names):
        a, b = ends[name]
        if abs(b - a) < LEAST_TRAVEL:
            raise InputError(
                f"motor '{name}' moved by {abs(b - a):.3f} rad of its servo between its ends; at least {LEAST_TRAVEL:g}."
            )
        scale = (high[k] - low[k]) / (b - a)
        zero = a - low[k] / scale
        if abs(zero) > np.pi:
            raise InputError(f"the zero of motor '{name}' would be at {zero:.2f} rad, outside its servo's turn.")
        out.append(
            CalibratedServo(name, ids[name], float(zero), float(scale), float(low[k]), float(high[k]), float(speed[k]))
        )
    return tuple(out)


def ends_by_hand(bus: ServoBus, ids: Mapping[str, int], ask: Callable[[str], None]) -> dict[str, tuple[float, float]]:
    """Both ends of every motor, its torque off, as a person shows them; `ask` says what to do and waits."""
    bus.torque(list(ids.values()), False)
    out = {}
    for name, one in ids.items():
        at = []
        for end in ("low (open, straight)", "high (closed, bent)"):
            ask(f"{name} (servo {one}): move it to its {end} end")
            at.append(float(bus.read([one]).position[0]))
        out[name] = (at[0], at[1])
    return out


def ends_by_load(
    bus: ServoBus, ids: Mapping[str, int], *, reverse: Sequence[str] = (), stall: float = STALL
) -> dict[str, tuple[float, float]]:
    """Both ends of every motor, found by driving one servo after the other gently until it stands or its load is `stall`.

    Args:
        bus: open.
        ids: of the motors.
        reverse: motors whose low end is where the servo's angle is large.
        stall: share of the largest load.
    """
    for name in reverse:
        if name not in ids:
            raise InputError(f"--reverse names '{name}'; the motors are {', '.join(ids)}.")
    out = {}
    for name, one in ids.items():
        bus.torque([one], True)
        first = _to_stop(bus, name, one, -1.0, stall)
        second = _to_stop(bus, name, one, 1.0, stall)
        bus.torque([one], False)
        out[name] = (second, first) if name in reverse else (first, second)
    return out


def _to_stop(bus: ServoBus, name: str, one: int, way: float, stall: float) -> float:
    """[rad] of the stop in a direction; the servo is left a little away from it."""
    here = float(bus.read([one]).position[0])
    moved, at, begun = time.monotonic(), here, time.monotonic()
    still = 0
    most = bus.table.span / HOMING_SPEED + 2.0
    while True:
        now = time.monotonic()
        if now - begun > most:
            raise DeviceError(f"motor '{name}' (servo {one}) found no stop in {most:.0f} s.")
        goal = at + way * min(0.15, 0.02 + HOMING_SPEED * (now - moved))
        bus.write([one], [float(np.clip(goal, bus.table.low, bus.table.high))], HOMING_SPEED)
        found = bus.read([one])
        if found.errors[0]:
            raise DeviceError(f"motor '{name}' (servo {one}) reports {found.errors[0]}.")
        new = float(found.position[0])
        if (new - at) * way > bus.table.unit:
            at, moved, still = new, now, 0
        else:
            still += 1
        if abs(float(found.load[0])) >= stall or (now - moved > STILL and still >= READINGS):
            if abs(at) > bus.table.high - 0.02:
                raise DeviceError(f"motor '{name}' (servo {one}) reached the end of its servo's range without a stop.")
            bus.write([one], [at - way * BACK_OFF], HOMING_SPEED)
            time.sleep(1.5 * BACK_OFF / HOMING_SPEED + 0.05)
            return at
