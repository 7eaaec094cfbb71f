"""Blocks, balls and ladders that slide, with Coulomb's friction: closed forms, and two planar integrations."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from carpal.engines.comparison.reference import Reference
from carpal.spatial import Array

G = 9.81


def along_x(x: Array, z: float, body: str) -> Reference:
    """A body that moves along x at a height."""
    return Reference({body: np.stack([x, np.zeros_like(x), np.full_like(x, z)], axis=1)})


def coulomb_path(times: Array, drive: float, friction: float, v0: float) -> Array:
    """Position (rows) [m] of a body that is driven by an acceleration `drive` against at most `friction` [m/s^2]."""
    t = np.asarray(times, float)
    sign = math.copysign(1.0, v0) if v0 else math.copysign(1.0, drive)
    if not v0 and abs(drive) <= friction:
        return np.zeros_like(t)
    a = drive - sign * friction
    stops = -v0 / a if v0 and a * v0 < 0 else math.inf
    before = v0 * t + 0.5 * a * t**2
    if stops == math.inf:
        return before
    x_stop = 0.5 * v0 * stops
    later = np.maximum(0.0, t - stops)
    after = 0.0 if abs(drive) <= friction else drive - math.copysign(friction, drive)
    return np.where(t < stops, before, x_stop + 0.5 * after * later**2)


def _block(degrees: float, mu: float, v0: float = 0.0):  # type: ignore[no-untyped-def] # a function of times
    a = math.radians(degrees)
    return lambda times: along_x(coulomb_path(times, G * math.sin(a), mu * G * math.cos(a), v0), 0.05, "block")


def rolling_ball(times: Array, v0: float, spin: float, mu: float, radius: float) -> Array:
    """Position (rows) of a solid ball on level ground: it slips, friction mu g, until v = r w; then it rolls on.

    Args:
        times: [s].
        v0: along x [m/s].
        spin: w_y at the start [rad/s]; r w_y = v is rolling.
        mu: friction.
        radius: [m].
    """
    t, slip = np.asarray(times, float), v0 - radius * spin
    end = 2 * abs(slip) / (7 * mu * G)
    a = -math.copysign(mu * G, slip)
    x_end, v_end = v0 * end + 0.5 * a * end**2, v0 + a * end
    return np.where(t < end, v0 * t + 0.5 * a * t**2, x_end + v_end * (t - end))


def ladder_place(angle: float, length: float = 1.0, thick: float = 0.02) -> list[float]:
    """Middle (3) of a ladder between floor and wall at an angle from the floor."""
    s, c = math.sin(angle), math.cos(angle)
    return [0.5 * (length * c + thick * s), 0.0, 0.5 * (length * s + thick * c)]


def ladder_path(times: Array, mu: float, length: float = 1.0, thick: float = 0.02, degrees: float = 60.0) -> Array:
    """Middle (rows, 3) of a ladder that slides on the floor along a smooth wall; DOP853, NaN once it has left the wall."""
    from scipy.integrate import solve_ivp

    inertia = (length**2 + thick**2) / 12

    def corners(angle: float) -> tuple[Array, Array, Array, Array]:
        s, c = math.sin(angle), math.cos(angle)
        middle = np.array(ladder_place(angle, length, thick))[[0, 2]]
        slope = 0.5 * np.array([-length * s + thick * c, length * c - thick * s])
        foot = 0.5 * np.array([length * c - thick * s, -length * s - thick * c])
        head = 0.5 * np.array([-length * c - thick * s, length * s - thick * c])
        return middle, slope, foot, head

    def forces(angle: float, rate: float) -> Array:
        """Angular acceleration, floor's and wall's force on one kilogram."""
        middle, slope, foot, head = corners(angle)
        bend = -middle * rate**2
        A = np.array(
            [
                [slope[0], mu, -1.0],
                [slope[1], -1.0, 0.0],
                [inertia, mu * foot[1] + foot[0], -head[1]],
            ]
        )
        return np.linalg.solve(A, [-bend[0], -bend[1] - G, 0.0])

    def leaves(t: float, y: Array) -> float:
        return float(forces(*y)[2])

    leaves.terminal = True  # type: ignore[attr-defined]
    run = solve_ivp(lambda t, y: [y[1], forces(*y)[0]], (0, times[-1]), [math.radians(degrees), 0.0], "DOP853", times,
                    rtol=1e-11, atol=1e-12, events=leaves)  # fmt: skip
    out = np.full((len(times), 3), np.nan)
    for row, angle in enumerate(run.y[0]):
        out[row] = ladder_place(angle, length, thick)
    return out


def toppling_path(times: Array, degrees: float, wide: float = 0.1, high: float = 0.3) -> Array:
    """Middle (rows, 3) of a block that turns about its lower edge, which does not slip; DOP853."""
    from scipy.integrate import solve_ivp

    slope = math.radians(degrees)

    def middle(angle: float) -> tuple[float, float]:
        s, c = math.sin(angle), math.cos(angle)
        return 0.5 * (-wide * c + high * s), 0.5 * (wide * s + high * c)

    def rates(t: float, y: Array) -> list[float]:
        x, z = middle(y[0])
        return [y[1], G * (z * math.sin(slope) + x * math.cos(slope)) / ((wide**2 + high**2) / 3)]

    run = solve_ivp(rates, (0, times[-1]), [0.0, 0.0], "DOP853", times, rtol=1e-11, atol=1e-12)
    places = np.array([middle(angle) for angle in run.y[0]])
    return np.stack([places[:, 0] + wide / 2, np.zeros(len(places)), places[:, 1]], axis=1)


def _steady(degrees: float, share: float, mu: float | None, radius: float, body: str):  # type: ignore[no-untyped-def]
    """A round body from rest: rolling with `share` of g sin, or slipping where mu is given."""
    a = math.radians(degrees)
    rate = share * G * math.sin(a) if mu is None else G * (math.sin(a) - mu * math.cos(a))
    return lambda times: along_x(0.5 * rate * np.asarray(times) ** 2, radius, body)


def _still(places: dict[str, ArrayLike]):  # type: ignore[no-untyped-def]
    return lambda times: Reference({body: np.tile(np.asarray(p, float), (len(times), 1)) for body, p in places.items()})


def pushed_row(times: Array, count: int = 5, force: float = 12.0) -> Reference:
    """Boxes of 0.5 kg, friction 0.2, and a plate of 0.5 kg behind them."""
    a = (force - count * 0.2 * 0.5 * G) / (0.5 * count + 0.5)
    x = 0.5 * a * np.asarray(times) ** 2
    rest = np.zeros_like(x)
    return Reference({f"box_{i}": np.stack([0.1 * i + x, rest, rest + 0.05], axis=1) for i in range(count)})


REFERENCES = {
    "block_on_incline_slides": _block(20, 0.2),
    "block_on_incline_sticks": _block(20, 0.5),
    "block_slip_reversal": _block(20, 0.2, -1.0),
    "block_stops": _block(0, 0.4, 1.5),
    "block_topples": lambda times: Reference({"block": toppling_path(times, 25)}),
    "block_stands": _still({"block": [0, 0, 0.15]}),
    "ladder_slides": lambda times: Reference({"ladder": ladder_path(times, 0.2)}),
    "ladder_holds": _still({"ladder": ladder_place(math.radians(60))}),
    "sphere_rolls": _steady(20, 5 / 7, None, 0.05, "ball"),
    "sphere_slips_down": _steady(30, 1.0, 0.1, 0.05, "ball"),
    "cylinder_rolls": _steady(20, 2 / 3, None, 0.05, "cylinder"),
    "bowling_ball": lambda times: along_x(rolling_ball(times, 3.0, 0.0, 0.2, 0.108), 0.108, "ball"),
    "ball_with_backspin": lambda times: along_x(rolling_ball(times, 1.0, -100.0, 0.3, 0.05), 0.05, "ball"),
    "pushed_row": pushed_row,
}
