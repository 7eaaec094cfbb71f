"""Yesmunt's 30 tests (the grid of its figure 6.22) beside ours: extremes over the grid, every point, and maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.labs.catch.score import CAUSES
from carpal.tasks import Appendix, Map

if TYPE_CHECKING:
    from carpal.labs.catch.task import Catch

TOTALS = (
    ("largest position error", "max_position_error_mm", "mm", "13.6 mm", np.nanmax),
    ("largest position error before the catch", "max_position_error_before_mm", "mm", "8.4 mm", np.nanmax),
    ("largest orientation error", "max_angle_error_deg", "deg", "4.3 deg", np.nanmax),
    ("largest orientation error before the catch", "max_angle_error_before_deg", "deg", "4.3 deg", np.nanmax),
    ("mean position error", "mean_position_error_mm", "mm", "3.3 mm (abstract: within 3.5)", np.nanmean),
    ("mean orientation error", "mean_angle_error_deg", "deg", "0.27 deg (abstract: within 0.3)", np.nanmean),
)
"""What, number, unit, Yesmunt 2014 (section 6.3; erratum E18), and how 30 points become one."""
MAPS = (
    ("Largest position error", "max_position_error_mm", "mm"),
    ("Mean position error", "mean_position_error_mm", "mm"),
    ("Largest orientation error", "max_angle_error_deg", "deg"),
    ("Largest torque of any joint", "peak_torque_Nm", "N m"),
)
HEAD = (
    "point", "x [m]", "y [m]", "caught", "in the bin", "largest error [mm]", "before [mm]", "largest angle [deg]",
    "mean error [mm]", "mean angle [deg]", "largest torque [N m]", "before [N m]", "cause",
)  # fmt: skip


def grid_point(seed: int) -> tuple[float, float]:
    """x, y [m] of a point of the grid, counted column by column."""
    from carpal.labs.catch.task import ROWS, STEP_X, STEP_Y

    return STEP_X * (seed // ROWS), STEP_Y * (seed % ROWS)


def grid_figures(task: Catch, rows: Sequence[dict[str, Any]]) -> list[Appendix]:
    """The appendix of the grid's report; nothing for throws that are on no grid."""
    if not task.options.grid or not rows:
        return []
    points = np.array([grid_point(row["seed"]) for row in rows])
    good = np.array([bool(row["ok"]) for row in rows])
    maps = [
        Map(title, unit, "x [m]", "y [m]", points[:, 0], points[:, 1], column(rows, name), good)
        for title, name, unit in MAPS
    ]
    o = task.options
    settings = "the thesis's own settings" if o.as_thesis else f"{o.gains} gains"
    settings += ", controller best" if o.controller == "best" else ""
    text = (
        f"{len(rows)} points, {settings}, {o.engine} engine. Errors are taken from joint angles as in the thesis; "
        "torques of every step. The thesis's values are those of its section 6.3, whose 30 tests all ended in the bin."
    )
    over = "Tiles are the grid's points as the arm sees them, x across and y up; a red frame is a point that failed."
    return [
        Appendix("Yesmunt's 30 tests and ours", text, ("what", "Yesmunt (2014)", "ours"), totals(rows)),
        Appendix("Over the grid", over, maps=maps),
        Appendix(
            "Every point",
            "Numbered column by column, as in the thesis's figure 6.22.",
            HEAD,
            [_row(row) for row in rows],
        ),
    ]


def column(rows: Sequence[dict[str, Any]], name: str) -> np.ndarray:
    """A number (rows) of every case, the largest where there is one for each joint; NaN where a case has none."""
    values = [row["numbers"].get(name, np.nan) for row in rows]
    return np.array([np.nan if v is None else max(v) if isinstance(v, list | tuple) else float(v) for v in values])


def totals(rows: Sequence[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """The thesis's numbers beside ours."""
    caught, dropped = (sum(bool(row["numbers"].get(name)) for row in rows) for name in ("caught", "in_bin"))
    out = [("caught", "30 of 30", f"{caught} of {len(rows)}"), ("in the bin", "30 of 30", f"{dropped} of {len(rows)}")]
    for what, name, unit, theirs, how in TOTALS:
        values = column(rows, name)
        out.append((what, theirs, f"{how(values):.3g} {unit}" if np.isfinite(values).any() else "-"))
    peak, before = column(rows, "peak_torque_Nm"), column(rows, "peak_torque_before_Nm")
    if np.isfinite(peak).any():
        ours = f"{np.nanmax(peak):.0f} N m; before the touch {np.nanmax(before):.0f} N m"
        out.append(("largest torque", "over 200 N m (actuators 1 and 4)", ours))
    return out


def _row(row: dict[str, Any]) -> tuple[str, ...]:
    numbers = row["numbers"]
    x, y = grid_point(row["seed"])
    cells = [
        f"{column([row], name)[0]:.3g}"
        for name in (
            "max_position_error_mm", "max_position_error_before_mm", "max_angle_error_deg", "mean_position_error_mm",
            "mean_angle_error_deg", "peak_torque_Nm", "peak_torque_before_Nm",
        )
    ]  # fmt: skip
    held = ["yes" if numbers.get(name) else "no" for name in ("caught", "in_bin")]
    cause = CAUSES[int(numbers["cause_code"])] if "cause_code" in numbers else row["status"]
    return (str(row["seed"] + 1), f"{x:.1f}", f"{y:.2f}", *held, *("-" if v == "nan" else v for v in cells), cause)
