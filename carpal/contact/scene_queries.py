"""Questions to a scene at configurations: does anything touch, and what is nearest."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.batch import configuration, run_batch
from carpal.contact.collision_result import CollisionResult, DistanceResult
from carpal.contact.kernels.collision import (
    ANSWER_COLUMNS,
    DISTANCE,
    NORMAL,
    PAIR,
    POINT_A,
    POINT_B,
    collides_batch,
    distance_batch,
)
from carpal.contact.kernels.kinds import PLACED_COLUMNS
from carpal.contact.kernels.pair import PAIR_SCRATCH
from carpal.contact.prepared import prepared_tables
from carpal.contact.tables import ContactTables, Held
from carpal.errors import InputError
from carpal.model import Model, Scene


def scratch_of(tables: ContactTables) -> list[tuple[int, ...]]:
    """Shapes of the scratch arrays of a scene query, for one slot."""
    return [(tables.placed_rows, PLACED_COLUMNS), PAIR_SCRATCH]


def checked_length(value: object, what: str, *, infinite: bool = False) -> float:
    """A number [m], or one clear sentence."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.floating | np.integer):
        raise InputError(f"{what} must be a number [m]; got {value!r:.60}.")
    number = float(value)
    if math.isnan(number) or (math.isinf(number) and not (infinite and number > 0)):
        raise InputError(f"{what} must be a finite number [m]; got {number}.")
    return number


def collides(
    scene: Scene | Model | ContactTables,
    q: ArrayLike,
    *,
    margin: float = 0.0,
    held: Held | None = None,
    exclude: Iterable[object] = (),
    device: str = "cpu",
    threads: int | None = None,
) -> CollisionResult:
    """Whether any two shapes of a scene touch: robots with themselves, with what they hold, with the surroundings.

    Args:
        scene: a scene, a model, or the tables of a collision checker.
        q: configurations (*batch, nq) of the built scene.
        margin: pairs at most this near [m] count as touching.
        held: objects that are carried: object to the body that holds it (as at the scene's start), or to (body, X_BO).
        exclude: pairs of names (shapes, bodies, robots) that do not count, beside those declared in the scene.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Returns:
        A result that is True where something touches; it names the deepest pair and its depth.

    Example:
        >>> hit = collides(scene, q)
        >>> if hit: print(hit)
        'arm/forearm' and 'shelf' overlap by 12 mm.
    """
    tables = prepared_tables(scene, held, exclude, function="collides")
    margin = checked_length(margin, "margin")
    model = tables.model
    (found,) = run_batch(
        model, collides_batch, (*tables.constants, margin), [configuration(model, q)], [(1,)],
        scratch=scratch_of(tables), device=device, threads=threads, world_seconds=_seconds(tables),
    )  # fmt: skip
    pair = found[..., 0].astype(np.int64)
    return CollisionResult(tables, pair >= 0, pair, margin, np.array(q, np.float64))


def distance(
    scene: Scene | Model | ContactTables,
    q: ArrayLike,
    *,
    limit: float = math.inf,
    held: Held | None = None,
    exclude: Iterable[object] = (),
    device: str = "cpu",
    threads: int | None = None,
) -> DistanceResult:
    """The nearest two shapes of a scene, or the deepest where some overlap; arguments as of `collides`.

    Args:
        limit: pairs from this distance [m] on need not be searched, which saves time.
    """
    tables = prepared_tables(scene, held, exclude, function="distance")
    limit = checked_length(limit, "limit", infinite=True)
    model = tables.model
    (answer,) = run_batch(
        model, distance_batch, (*tables.constants, limit), [configuration(model, q)], [(ANSWER_COLUMNS,)],
        scratch=scratch_of(tables), device=device, threads=threads, world_seconds=5 * _seconds(tables),
    )  # fmt: skip
    p_WA, p_WB, n_AB_W = (answer[..., column : column + 3] for column in (POINT_A, POINT_B, NORMAL))
    return DistanceResult(tables, answer[..., DISTANCE], answer[..., PAIR].astype(np.int64), p_WA, p_WB, n_AB_W, limit)


def _seconds(tables: ContactTables) -> float:
    return 1e-6 + 1e-8 * len(tables.pairs) + 3e-8 * tables.placed_rows
