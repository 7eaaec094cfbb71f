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
    told = compare_campaigns(_run(), _run())
    assert (told.pairs, told.gained, told.lost, told.chance) == (80, [], [], 1.0) and "the same in all 80" in str(told)


def test_a_shift_is_seen_and_its_cases_named():
    a, b = _run(), _run(x=1.0)
    told = compare_campaigns(a, b)
    assert told.gained and not told.lost and "more than chance" in str(told)
    assert told.chance == binomtest(len(told.gained), len(told.gained), 0.5).pvalue
    for i, j in told.gained:
        assert not a.rows[i]["ok"] and b.rows[j]["ok"]
    assert told.numbers["value"][2] == pytest.approx(1.0, abs=1e-12) and told.numbers["value"][3] < 1e-10


def test_only_what_both_have_is_compared():
    told = compare_campaigns(_run(range(20)), _run(range(10, 40), x=0.001))
    assert told.pairs == 20 and told.chance > 0.05
    with pytest.raises(CarpalError, match="no case in common"):
        compare_campaigns(_run(range(5)), _run(range(5, 9)))
