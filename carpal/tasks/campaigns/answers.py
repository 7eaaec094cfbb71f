"""Statistics of a campaign: success rate and interval, percentiles, effects of factors, maps, causes, worst cases, cost."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from carpal.errors import InputError
from carpal.spatial import Array
from carpal.tasks.campaigns.campaign_run import CampaignResult
from carpal.tasks.campaigns.case_recordings import cause_of
from carpal.tasks.campaigns.cases_file import points_of

PERCENTILES = (5, 25, 50, 75, 95)
MOST_BINS = 8


def success_interval(succeeded: int, total: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a rate: it stays inside 0 to 1 and is right for few cases too.

    Example:
        >>> success_interval(30, 30)
        (0.886..., 1.0)
    """
    from scipy.stats import norm

    if total < 1 or not 0 <= succeeded <= total:
        raise InputError(f"a rate needs 0 <= succeeded <= total, total above 0; got {succeeded} of {total}.")
    z = float(norm.ppf(0.5 + 0.5 * confidence))
    p, z2 = succeeded / total, z * z / total
    middle = (p + 0.5 * z2) / (1 + z2)
    half = z / (1 + z2) * math.sqrt(p * (1 - p) / total + 0.25 * z2 / total)
    return (0.0 if succeeded == 0 else middle - half, 1.0 if succeeded == total else middle + half)


def percentiles(result: CampaignResult) -> dict[str, dict[str, float]]:
    """Percentiles of every metric over the rows that have it."""
    out = {}
    for name in result.metrics:
        values = result.metric(name)
        values = values[np.isfinite(values)]
        if len(values):
            out[name] = {f"p{p}": float(np.percentile(values, p)) for p in PERCENTILES}
    return out


def spread(result: CampaignResult) -> dict[str, dict[str, float]]:
    """Least, median, mean and greatest of every metric over the rows that have it."""
    out = {}
    for name in result.metrics:
        values = result.metric(name)
        values = values[np.isfinite(values)]
        if len(values):
            out[name] = {
                "least": float(values.min()), "median": float(np.median(values)),
                "mean": float(values.mean()), "greatest": float(values.max()),
            }  # fmt: skip
    return out


def causes(result: CampaignResult) -> list[tuple[str, int, int]]:
    """(why, how many, first case) of the cases that failed, most frequent first; numbers in a sentence do not part causes."""
    counts: Counter[str] = Counter()
    first: dict[str, int] = {}
    status = result.rows.text("status")
    for i in np.flatnonzero(~result.rows.good):
        why = cause_of(status[int(i)].as_py())
        counts[why] += 1
        first.setdefault(why, int(result.rows.numbers[i]))
    return [(why, count, first[why]) for why, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]


def worst_cases(result: CampaignResult, metric: str, count: int = 5, *, least: bool = False) -> list[tuple[int, float]]:
    """(case, value) with the largest values of a metric, or the least."""
    values = result.metric(metric)
    order = np.argsort(values if least else -values, kind="stable")
    return [(int(result.rows.numbers[i]), float(values[i])) for i in order if np.isfinite(values[i])][:count]


def costs(result: CampaignResult) -> dict[str, dict[str, float]]:
    """By backend: cases, seconds they took on the clock, cases a second, and seconds that a worker had for one."""
    own = result.rows.text("backend").to_pylist() if result.rows else []
    out: dict[str, dict[str, float]] = {}
    for backend in dict.fromkeys(name for name, _, _ in result.runs):
        cases = sum(count for name, count, _ in result.runs if name == backend)
        seconds = sum(took for name, _, took in result.runs if name == backend)
        each = result.rows.seconds[[i for i, name in enumerate(own) if name == backend]]
        out[backend] = {
            "cases": cases, "seconds": seconds, "cases_per_second": cases / max(seconds, 1e-9),
            "worker_seconds_per_case": float(each.mean()) if len(each) else 0.0,
        }  # fmt: skip
    return out


def binned(values: Sequence[Any]) -> tuple[list[Any], np.ndarray]:
    """Levels of a factor and each row's level; many different numbers are cut into equal parts of their range."""
    distinct = sorted(set(values), key=lambda x: (isinstance(x, str), x))
    if len(distinct) <= MOST_BINS or any(isinstance(x, str | bool) for x in distinct):
        where = {value: i for i, value in enumerate(distinct)}
        return distinct, np.array([where[value] for value in values])
    numbers = np.array(values, float)
    edges = np.linspace(numbers.min(), numbers.max(), MOST_BINS + 1)
    index = np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, MOST_BINS - 1)
    return [float(x) for x in 0.5 * (edges[:-1] + edges[1:])], index


def main_effects(result: CampaignResult) -> dict[str, list[dict[str, Any]]]:
    """For each factor: at each of its levels how many cases, the success rate with its interval, every metric's mean."""
    good = result.rows.good
    metrics = {name: result.metric(name) for name in result.metrics}
    names = [f.name for f in result.study.factors]
    columns: dict[str, Sequence[Any]] = {name: result.factor(name) for name in names}
    if len(result.study.engines) > 1:
        columns["engine"] = result.engines
    out = {}
    for name, values in columns.items():
        levels, index = binned(values)
        rows = []
        for i, level in enumerate(levels):
            here = index == i
            if not here.any():
                continue
            low, high = success_interval(int(good[here].sum()), int(here.sum()))
            means = {m: float(np.nanmean(v[here])) for m, v in metrics.items() if np.isfinite(v[here]).any()}
            rows.append(
                {"level": level, "cases": int(here.sum()), "rate": float(good[here].mean()), "low": low, "high": high}
                | {"means": means}
            )
        out[name] = rows
    return out


def success_map(result: CampaignResult, across: str, up: str) -> tuple[list[Any], list[Any], Array, Array]:
    """Levels across and up, success rate and number of cases (up, across) over two factors; NaN where there is no case."""
    return rate_map(result, across, up, result.rows.good)


def rate_map(result: CampaignResult, across: str, up: str, truths: Array) -> tuple[list[Any], list[Any], Array, Array]:
    """The same for any truth (rows) about the cases, such as whether the engines disagree about them."""
    x, i = binned(result.factor(across))
    y, j = binned(result.factor(up))
    counts, sums = np.zeros((len(y), len(x))), np.zeros((len(y), len(x)))
    np.add.at(counts, (j, i), 1.0)
    np.add.at(sums, (j, i), np.asarray(truths, float))
    with np.errstate(invalid="ignore"):
        return x, y, sums / counts, counts


def disputed(result: CampaignResult) -> Array:
    """Whether the engines disagree about each row's point and seed (rows)."""
    where = {(point, seed) for point, seed, _ in disagreements(result)}
    points = points_of(result.study, result.rows.numbers)
    return np.array([(int(p), seed) in where for p, seed in zip(points, result.seeds, strict=True)], bool)


def disagreements(result: CampaignResult) -> list[tuple[int, int, dict[str, bool]]]:
    """(point, seed, engine to ok) where the engines of a study do not agree."""
    if len(result.study.engines) < 2:
        raise InputError("engines can only disagree in a study that names at least two of them.")
    found: dict[tuple[int, int], dict[str, bool]] = {}
    points = points_of(result.study, result.rows.numbers)
    for point, seed, engine, good in zip(points, result.seeds, result.engines, result.rows.good, strict=True):
        found.setdefault((int(point), seed), {})[engine] = bool(good)
    return [(point, seed, said) for (point, seed), said in found.items() if len(set(said.values())) > 1]
