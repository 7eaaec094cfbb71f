"""The sentence of a plan: how the path was found, or why there is none and what would help."""

from __future__ import annotations

import numpy as np

from carpal.contact import ContactTables, distance
from carpal.planning.planners.kernels import run
from carpal.planning.planners.search_budget import SearchBudget
from carpal.spatial import Array


def plan_sentence(
    tables: ContactTables,
    planner: str,
    report: Array,
    blame: Array,
    ends: tuple[Array, Array],
    margin: float,
    payload: str | None = None,
) -> str:
    """One sentence about a report (REPORT) with its blame (2, pairs); `payload` is the name of one that may turn."""
    outcome, samples, checks = int(report[run.OUTCOME]), int(report[run.SAMPLE_COUNT]), int(report[run.CHECK_COUNT])
    if outcome == run.FOUND:
        edges = int(report[run.PATH]) - 1
        count = f"{edges} straight edge{'s' if edges != 1 else ''}"
        if planner == "given":
            return f"a path of {count} is left, {_saving(report)} ({checks:,} collision checks)."
        how = f"by {planner} after {samples:,} samples" if samples else "at once, the straight edge is free"
        return f"a path of {count} was found {how} ({checks:,} collision checks)."
    if outcome in (run.START_TOUCHES, run.GOAL_TOUCHES):
        which = "start" if outcome == run.START_TOUCHES else "goal"
        if payload is not None:
            return _touches_with_payload(tables, which, int(report[run.PAIR]), payload)
        return f"the {which} touches: {_nearest(tables, ends[0 if which == 'start' else 1], margin)}"
    if outcome == run.PATH_TOUCHES:
        a, b = tables.pair_names(int(report[run.PAIR])) if report[run.PAIR] >= 0 else ("?", "?")
        edge = int(report[run.EDGE])
        where = f"on its edge from point {edge - 1} to {edge}" if edge else "at its first point"
        return f"the given path is not free: '{a}' and '{b}' touch {where}."
    if outcome == run.TOO_LONG:
        return f"a path was found by {planner}, but it has more nodes than are kept; a larger neighbourhood gives shorter ones."
    full = "the trees are full" if outcome == run.FULL else f"no path found in {samples:,} samples"
    return f"{full} ({checks:,} collision checks); {_closed(tables, report, blame)}"


def ends_sentence(tables: ContactTables, which: str, q: Array, margin: float, excess: float) -> str:
    """Why a search on spheres has no start or goal."""
    near = distance(tables, q)
    if float(near.distance) <= margin:
        return f"the {which} touches: {_nearest(tables, q, margin)}"
    return (
        f"at the {which} the spheres around the robot, up to {1000 * excess:.3g} mm larger than its shapes, touch; the shapes do "
        "not: planner='portfolio' goes on with them."
    )


def search_sentence(searches: int, samples: int, exact: int, checks: int, budget: SearchBudget, over: bool) -> str:
    """What was tried by a portfolio that found nothing."""
    by_sbl = f" and by sbl on the exact shapes ({exact:,} samples)" if exact else ""
    limit = f"max_samples={budget.samples}" if over else f"time_limit={budget.seconds:.3g} s"
    return (
        f"no path found: {searches} search{'es' if searches != 1 else ''} by rrt_connect on spheres ({samples:,} samples)"
        f"{by_sbl}, {checks:,} collision checks, ended by {limit}; both ends are free, and nothing shows that no path exists."
    )


def apart_sentence(cells: int, samples: int) -> str:
    """Where blocked cells separate start and goal."""
    return (
        f"no path exists, shown by {cells:,} cells of joint space in which every configuration collides: they separate the start "
        f"from the goal (a search of {samples:,} samples found none before)."
    )


def _touches_with_payload(tables: ContactTables, which: str, pair: int, payload: str) -> str:
    a, b = tables.pair_names(pair)
    if not any(name.startswith(f"{payload}/") for name in (a, b)):
        return f"the {which} touches: '{a}' and '{b}'; move it, or declare the contact by `exclude`."
    return (
        f"the {which} touches: '{a}' and '{b}' for an angle that '{payload}' may have there; move it, or hold '{payload}' where "
        "it hangs, or less tilted."
    )


def _saving(report: Array) -> str:
    before, after = report[run.COST_BEFORE], report[run.COST_AFTER]
    return f"{100 * (1 - after / before):.1f} % shorter" if before > 0 else "as long as before"


def _nearest(tables: ContactTables, q: Array, margin: float) -> str:
    near = distance(tables, q)
    text = near.explain()
    if float(near.distance) >= 0:
        text = text.rstrip(".") + f", within the margin of {1000 * margin:.3g} mm."
    return text.rstrip(".") + "; move it, or declare the contact by `exclude`."


def _closed(tables: ContactTables, report: Array, blame: Array) -> str:
    """Which end is closed in, and by what: the end from which most edges were blocked, and the pair that blocked most of them."""
    side = int(np.argmax(blame.sum(axis=1)))
    hits = blame[side]
    if not hits.sum() > 0:
        return "nothing closes either end in: allow more samples, or try another planner."
    a, b = tables.pair_names(int(np.argmax(hits)))
    share = 100 * hits.max() / hits.sum()
    which = "start" if side == 0 else "goal"
    return (
        f"the {which}'s surroundings are closed by '{a}' against '{b}' ({share:.0f} % of the {int(hits.sum()):,} edges that were "
        f"blocked there): more samples, another planner, or another {which} may help."
    )
