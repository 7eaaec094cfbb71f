"""Simulated gripper motions to a target: motor, sensors and control program, one motion or a batch."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError
from carpal.labs.retrieve.gripper.kernels import gripper_run as run
from carpal.labs.retrieve.gripper.result import OUTCOMES, SERIES, GripperResult
from carpal.labs.retrieve.gripper.settings import GripperSettings
from carpal.model import real_array

LONGEST_SERIES = 4000


def drive_gripper(
    settings: GripperSettings,
    target: float,
    *,
    start: ArrayLike = 0.0,
    contact: ArrayLike = np.nan,
    stiffness: ArrayLike = np.inf,
    k_v_share: ArrayLike = 1.0,
    seed: int = 0,
    threads: int | None = None,
) -> GripperResult:
    """Move the rod to a target, with noise, uneven samples and delays, and say how it ended.

    Args:
        settings: the gripper's numbers.
        target: closing travel of the rod [m], 0 (open) to the stroke.
        start: (*batch) where it begins [m].
        contact: (*batch) where the blade meets something [m]; NaN for nothing.
        stiffness: (*batch) of what it meets [N/m], in series with the blade; infinite for rigid.
        k_v_share: (*batch) the k_v that the program believes over the true one.
        seed: world i of a batch takes the noise of seed and i.
        threads: CPU threads; the result does not depend on it.

    Returns:
        A GripperResult; a single motion carries its series.
    """
    from carpal._core import cpu_pool

    stroke = settings.motor.stroke
    if not np.isfinite(target) or not 0 <= target <= stroke:
        raise InputError(f"target must lie in the stroke, 0 to {stroke} m; got {target!r}.")
    if not isinstance(seed, int) or not 0 <= seed < 2**31:
        raise InputError(f"seed must be a whole number from 0 to 2^31 - 1; got {seed!r}.")
    named = {"start": start, "contact": contact, "stiffness": stiffness, "k_v_share": k_v_share}
    arrays = [real_array(values, name) for name, values in named.items()]
    try:
        begin, place, hard, share = np.broadcast_arrays(*arrays)
    except ValueError:
        shapes = ", ".join(f"{name} {a.shape}" for name, a in zip(named, arrays, strict=True))
        raise InputError(f"these batch shapes do not fit together: {shapes}.") from None
    _check("start must lie in the stroke", begin, (begin >= 0) & (begin <= stroke))
    _check(
        "contact must be finite, at or beyond the start, or NaN for nothing", place, np.isnan(place) | (place >= begin)
    )
    _check("stiffness must be above zero [N/m]", hard, hard > 0)
    _check("k_v_share must be above zero", share, np.isfinite(share) & (share > 0))
    worlds = begin.size
    case = np.zeros((worlds, run.CASE_COLUMNS))
    case[:, run.BEGIN], case[:, run.BELIEF] = begin.ravel(), share.ravel()
    met = np.isfinite(place.ravel())
    case[:, run.CONTACT] = np.where(met, place.ravel(), 0.0)
    series_stiffness = 1.0 / (1.0 / settings.blade_stiffness + 1.0 / hard.ravel())
    case[:, run.STIFFNESS] = np.where(met, series_stiffness, 0.0)
    case[:, run.SEED] = np.arange(worlds) + 2.0**20 * seed
    # each gripper has its own potentiometer: how bent it is comes from the seed as well
    bent = np.random.default_rng(seed).random(
        (worlds, 2)
    )  # row by row: a world's numbers do not depend on how many there are
    case[:, run.BEND] = settings.bend * (2.0 * bent[:, 0] - 1.0)
    case[:, run.PHASE] = 2.0 * np.pi * bent[:, 1]
    out = np.zeros((worlds, run.OUT_COLUMNS))
    single = begin.ndim == 0
    series = np.zeros((worlds, LONGEST_SERIES if single else 0, run.SERIES_COLUMNS))
    allowed = np.array([settings.way_force, settings.zone_force])
    arguments = (
        settings.motor.table(), settings.sensor_table(), settings.filter_table(), settings.rule_table(target), allowed,
        settings.setup_table(), case, out, series,
    )  # fmt: skip
    if worlds:
        cpu_pool.run_on_cpu(
            run.gripper_batch, arguments, worlds, threads=threads or cpu_pool.cpu_threads(), world_seconds=1e-3
        )
    names = np.array([OUTCOMES[int(code)] for code in out[:, run.OUTCOME]], dtype="<U9").reshape(begin.shape)
    column = {name: out[:, i].reshape(begin.shape) for name, i in _COLUMNS.items()}
    rows = series[0, : int(out[0, run.SAMPLES])] if single else np.zeros((0, run.SERIES_COLUMNS))
    recorded = {name: rows[:, i].copy() for name, i in SERIES.items()} if single else {}
    return GripperResult(outcome=names, series=recorded, **column)


_COLUMNS = {
    "time": run.TIME, "position": run.POSITION, "estimate": run.ESTIMATE, "force": run.FORCE,
    "measured_force": run.MEASURED_FORCE, "peak_force": run.PEAK_FORCE, "excess": run.EXCESS, "place": run.PLACE,
}  # fmt: skip


def _check(what: str, values: np.ndarray, fine: np.ndarray) -> None:
    if not fine.all():
        raise InputError(f"{what}; got {values[~fine].ravel()[0] if values.ndim else values}.")
