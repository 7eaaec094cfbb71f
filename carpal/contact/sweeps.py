"""Is the path between two configurations free: `sweep`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import KernelInput, run_batch
from carpal._core.result import Result
from carpal.contact.collision_result import length_text
from carpal.contact.kernels.sweep import SWEEP_AT, SWEEP_CHECKS, SWEEP_COLUMNS, SWEEP_DISTANCE, SWEEP_PAIR, sweep_batch
from carpal.contact.prepared import prepared_tables
from carpal.contact.scene_queries import checked_length, scratch_of
from carpal.contact.tables import ContactTables, Held
from carpal.errors import InputError
from carpal.model import Model, Scene
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class SweepResult(Result):
    """Whether paths are free; arrays have the batch's shape. `bool(result)` is True where all of them are.

    Args:
        tables: the scene that was asked.
        ok: (*batch) bool: the path is free.
        pair: (*batch) row in `tables.pairs` of the pair that is met first; -1: none.
        at: (*batch) where on the path, 0 to 1, it was found; 1 where the path is free.
        distance: (*batch) [m] of that pair there; zero where the path is free.
        checks: (*batch) at how many configurations of the path the scene was checked.
        resolution: largest approach [m] of two shapes between checks; None: conservative.
        tolerance: pairs at most this near [m] count as met, of a conservative sweep.
    """

    tables: ContactTables
    ok: np.ndarray
    pair: np.ndarray
    at: Array
    distance: Array
    checks: np.ndarray
    resolution: float | None
    tolerance: float

    def names(self, index: tuple[int, ...] = ()) -> tuple[str, str] | None:
        """The two shapes that meet at a batch index."""
        pair = int(self.pair[index])
        return None if pair < 0 else self.tables.pair_names(pair)

    def explain(self, index: tuple[int, ...] = ()) -> str:
        """One sentence about a batch index."""
        checks = int(self.checks[index])
        if self.ok[index]:
            how = (
                "proven by distances"
                if self.resolution is None
                else f"checked every {length_text(self.resolution)} or closer"
            )
            return f"the path is free ({how}, {checks} checks)."
        names, d = self.names(index), float(self.distance[index])
        if names is None:
            return f"undecided after {checks} checks: the path is too long for this tolerance or resolution."
        near = f"overlap by {length_text(-d)}" if d < 0 else f"are {length_text(d)} apart"
        return f"at {100 * float(self.at[index]):.3g} % of the path '{names[0]}' and '{names[1]}' {near}."

    @property
    def status(self) -> str:
        """One sentence; of a batch, how many are free and what the first other one meets."""
        if self.ok.ndim == 0:
            return self.explain()
        text = f"{int(self.ok.sum())} of {self.ok.size} paths are free"
        if self:
            return text + "."
        first = tuple(int(i) for i in np.argwhere(~self.ok)[0])
        return f"{text}; of {first}: {self.explain(first)}"


def sweep(
    scene: Scene | Model | ContactTables,
    q0: ArrayLike,
    q1: ArrayLike,
    *,
    resolution: float | None = None,
    tolerance: float = 1e-4,
    held: Held | None = None,
    exclude: Iterable[object] = (),
    device: str = "cpu",
    threads: int | None = None,
) -> SweepResult:
    """Whether the straight path from q0 to q1 is free (quaternions by the shorter rotation, at constant speed).

    Args:
        scene: a scene, a model, or the tables of a collision checker.
        q0, q1: configurations (*batch, nq).
        resolution: check so often that no two shapes approach by more than this [m] between checks; thinner things can be
            missed. None: conservatively, by distances and bounds on the motion: a path that is called free is free.
        tolerance: a conservative sweep counts pairs at most this near [m] as met; smaller ones take more checks.
        held, exclude, device, threads: as of `collides`.
    """
    tables = prepared_tables(scene, held, exclude, function="sweep")
    model = tables.model
    step = 0.0 if resolution is None else checked_length(resolution, "resolution")
    if resolution is not None and step <= 0:
        raise InputError(f"resolution must be above zero [m], or None for a conservative sweep; got {resolution!r}.")
    tolerance = checked_length(tolerance, "tolerance")
    if tolerance <= 0:
        raise InputError(f"tolerance must be above zero [m]; got {tolerance!r}.")
    ends = [KernelInput(name, q, (model.nq,), model.joint_names) for name, q in (("q0", q0), ("q1", q1))]
    (answer,) = run_batch(
        model, sweep_batch, (*tables.constants, step, tolerance), ends, [(SWEEP_COLUMNS,)],
        scratch=[(model.nq,), (len(tables.pairs) + len(tables.blocks),), *scratch_of(tables)],
        device=device, threads=threads, world_seconds=1e-4,
    )  # fmt: skip
    pair = answer[..., SWEEP_PAIR].astype(np.int64)
    return SweepResult(
        tables, pair == -1, pair, answer[..., SWEEP_AT], answer[..., SWEEP_DISTANCE],
        answer[..., SWEEP_CHECKS].astype(np.int64), resolution, tolerance,
    )  # fmt: skip
