import dataclasses

import numpy as np
import pytest
from scipy.stats import binom

from carpal.errors import CarpalError
from carpal.tasks.campaigns import answers
from carpal.tasks.campaigns.campaign_run import campaign
from carpal.tasks.campaigns.factors import Factor
from carpal.tasks.campaigns.study import Study

TASK = "tasks.campaigns.small_tasks:Coin"


@pytest.fixture(scope="module")
def result():
    factors = (Factor.from_data("x", {"grid": [-1.0, 1.0, 3]}), Factor.from_data("y", {"uniform": [0.0, 1.0]}))
    return campaign(Study(TASK, {}, factors, tuple(range(20)), ("one", "two"), draws=4), processes=1)


def test_the_interval_covers_as_it_says():
    """Coverage over all outcomes of 40 tries, weighted by their exact probabilities, averaged over rates."""
    covered = []
    for rate in np.linspace(0.05, 0.95, 19):
        inside = [low <= rate <= high for low, high in (answers.success_interval(k, 40) for k in range(41))]
        covered.append(float(np.dot(inside, binom.pmf(np.arange(41), 40, rate))))
    assert 0.93 < np.mean(covered) < 0.97 and min(covered) > 0.89
    assert answers.success_interval(30, 30) == (pytest.approx(0.88649, abs=1e-4), 1.0)
    assert answers.success_interval(0, 5)[0] == 0.0
    with pytest.raises(CarpalError, match="total above 0"):
        answers.success_interval(0, 0)


def test_effects_are_those_of_the_rows(result):
    rows = answers.main_effects(result)
    assert [row["level"] for row in rows["x"]] == [-1.0, 0.0, 1.0] and [row["cases"] for row in rows["x"]] == [160] * 3
    x, good, value = np.array(result.factor("x")), np.array([r["ok"] for r in result.rows]), result.metric("value")
    for row in rows["x"]:
        here = x == row["level"]
        assert row["rate"] == good[here].mean() and row["low"] < row["rate"] < row["high"]
        assert row["means"]["value"] == pytest.approx(value[here].mean(), abs=1e-12)
    assert {row["level"] for row in rows["engine"]} == {"one", "two"}


def test_map_percentiles_causes_and_worst(result):
    across, up, rate, counts = answers.success_map(result, "x", "y")
    assert (
        across == [-1.0, 0.0, 1.0] and len(up) == 4 and counts.sum() == len(result.rows) and (np.diff(rate) >= 0).all()
    )
    assert answers.percentiles(result)["value"]["p50"] == np.median(result.metric("value"))
    (why, count, first) = answers.causes(result)[0]
    assert why == "tails by …." and count == len(result.rows) - result.succeeded and not result.rows[first]["ok"]
    number, value = answers.worst_cases(result, "value", 1)[0]
    assert value == result.metric("value").max() and result.rows[number]["numbers"]["value"] == value
    assert f"--seed {result.study.case(number).seed}" in result.command(number)


def test_many_values_are_put_into_bins():
    levels, index = answers.binned(list(np.linspace(0.0, 1.0, 101)))
    assert len(levels) == answers.MOST_BINS and np.bincount(index).min() >= 12


def test_engines_that_disagree(result):
    found = answers.disagreements(result)
    assert found
    for point, seed, said in found:
        value = np.random.default_rng([seed, 1]).normal() + result.study.values(point)["x"]
        assert 0.0 < value <= 0.5 and said == {"one": True, "two": False}
    with pytest.raises(CarpalError, match="at least two"):
        answers.disagreements(campaign(Study(TASK, {}, seeds=(1, 2)), processes=1))


def test_the_cost_is_told_by_backend():
    result = campaign(Study(TASK, {"slow": 0.01}, seeds=tuple(range(20))), processes=1)
    (cost,) = answers.costs(result).values()
    assert cost["cases"] == 20 and cost["cases_per_second"] == pytest.approx(20 / cost["seconds"])
    assert cost["seconds"] > 20 * cost["worker_seconds_per_case"] > 0.2
    twice = dataclasses.replace(result, runs=(("dask", 5, 2.0), ("processes", 4, 1.0), ("dask", 5, 3.0)))
    assert answers.costs(twice)["dask"] == {
        "cases": 10, "seconds": 5.0, "cases_per_second": 2.0, "worker_seconds_per_case": 0.0,
    }  # fmt: skip
    assert answers.costs(dataclasses.replace(result, runs=())) == {}
