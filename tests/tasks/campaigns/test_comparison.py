import pytest
from scipy.stats import binomtest

from carpal.errors import CarpalError
from carpal.tasks.campaigns.campaign_run import campaign
from carpal.tasks.campaigns.comparison import compare_campaigns
from carpal.tasks.campaigns.factors import Factor
from carpal.tasks.campaigns.study import Study

TASK = "tasks.campaigns.small_tasks:Coin"


def _run(seeds=range(40), **options):
    return campaign(Study(TASK, options, (Factor.from_data("y", [0.0, 1.0]),), tuple(seeds)), processes=1)


def test_the_same_is_the_same():
    found = compare_campaigns(_run(), _run())
    assert (found.pairs, found.gained, found.lost, found.chance) == (80, [], [], 1.0) and "the same in all 80" in str(
        found
    )


def test_a_shift_is_seen_and_its_cases_named():
    a, b = _run(), _run(x=1.0)
    found = compare_campaigns(a, b)
    assert found.gained and not found.lost and "more than chance" in str(found)
    assert found.chance == binomtest(len(found.gained), len(found.gained), 0.5).pvalue
    for i, j in found.gained:
        assert not a.rows[i]["ok"] and b.rows[j]["ok"]
    assert found.numbers["value"][2] == pytest.approx(1.0, abs=1e-12) and found.numbers["value"][3] < 1e-10


def test_only_what_both_have_is_compared():
    found = compare_campaigns(_run(range(20)), _run(range(10, 40), x=0.001))
    assert found.pairs == 20 and found.chance > 0.05
    with pytest.raises(CarpalError, match="no case in common"):
        compare_campaigns(_run(range(5)), _run(range(5, 9)))


def test_of_cases_that_are_the_same_the_first_counts():
    """A varies x as well: of its cases that differ in x alone the first, x = 0, is compared."""
    both = tuple(Factor.from_data(name, [0.0, 1.0]) for name in ("x", "y"))
    a = campaign(Study(TASK, {}, both, tuple(range(40))), processes=1)
    b = _run(x=1.0)
    found = compare_campaigns(a, b)
    assert found.pairs == 80 and found.gained
    assert {a.study.case(i).options["x"] for i, _ in found.gained} == {0.0}
