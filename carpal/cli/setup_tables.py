"""Results of the set-up aids as lines of text."""

from __future__ import annotations

from typing import Any

import numpy as np

from carpal.engines import FallResult, HoldResult, StepResult, StudyResult, TuneResult

MOST = 40  # rows


def setup_table(result: FallResult | HoldResult | StepResult | StudyResult) -> list[str]:
    """Aligned lines, the head first."""
    if isinstance(result, FallResult):
        rows: list[list[Any]] = [
            [name, _um(most), _um(mean)] for name, most, mean in zip(result.joints, result.largest, result.mean, strict=True)
        ]  # fmt: skip
        return _lines(["joint", "largest gap [um]", "mean gap [um]"], rows)
    if isinstance(result, HoldResult):
        most = np.abs(result.away).max(0)
        rows = [[n, f"{s:.4g}", f"{m:.4g}"] for n, s, m in zip(result.actuators, result.sag, most, strict=True)]
        drift = [
            [n, f"{1e3 * d[-1]:.4g}", f"{1e3 * d.max():.4g}"]
            for n, d in zip(result.bodies, result.drift.T, strict=True)
        ]
        return [
            *_lines(["actuator", "sag [rad, m]", "most [rad, m]"], rows),
            *_lines(["body", "drift [mm]", "most [mm]"], drift),
        ]
    if isinstance(result, StepResult):
        columns = (result.actuators, result.size, result.overshoot, result.rise_time, result.settling_time, result.end)
        rows = [
            [n, f"{s:g}", f"{100 * o:.3g}", _ms(r), _ms(t), f"{e:.4f}"]
            for n, s, o, r, t, e in zip(*columns, strict=True)
        ]
        return _lines(["actuator", "step [rad, m]", "overshoot [%]", "rise [ms]", "settled [ms]", "end"], rows)
    rows = [[f"{dt:.4g}", f"{e:.3g}"] for dt, e in zip(result.dt, result.error, strict=True)]
    return _lines(["dt [s]", "error [m]"], rows)


def tuning_table(tuned: TuneResult) -> list[str]:
    """Gains, and what they were made from."""
    columns = (tuned.names, tuned.P, tuned.D, tuned.load, tuned.inertia)
    rows = [[name, *(f"{value:.4g}" for value in numbers)] for name, *numbers in zip(*columns, strict=True)]
    return [
        tuned.status,
        *_lines(["actuator", "P [/rad, /m]", "D [s/rad, s/m]", "load [N m, N]", "inertia [kg m2, kg]"], rows),
    ]


def _um(value: float) -> str:
    return f"{1e6 * value:.4g}"


def _ms(value: float) -> str:
    return "-" if np.isnan(value) else f"{1e3 * value:.4g}"


def _lines(head: list[str], rows: list[list[Any]]) -> list[str]:
    shown = [head, *rows[:MOST]]
    widths = [max(len(str(row[i])) for row in shown) for i in range(len(head))]
    lines = [
        "  "
        + "  ".join(
            str(cell).ljust(w) if i == 0 else str(cell).rjust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in shown
    ]
    return lines + ([f"  ... and {len(rows) - MOST} more"] if len(rows) > MOST else [])
