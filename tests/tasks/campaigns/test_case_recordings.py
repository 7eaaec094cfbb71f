import pytest

from carpal.engines import Recording
from carpal.errors import CarpalError
from carpal.tasks.campaigns.campaign_run import campaign
from carpal.tasks.campaigns.case_recordings import MOST, cause_of, checked_choice, recorded
from carpal.tasks.campaigns.study import Study

TASK = "tasks.campaigns.small_tasks:Refused"
SHORT = {"duration": 0.003}


def test_numbers_do_not_part_causes():
    assert cause_of("off by 3.2 mm") == cause_of("off by -1e-3 mm") != cause_of("off by 3.2 m")


def test_failures_are_recorded_one_of_each_cause_first(tmp_path):
    study = Study(TASK, SHORT, (), tuple(range(60, 100)) + tuple(range(6)))
    result = campaign(study, processes=1, out=tmp_path)
    there = recorded(tmp_path)
    seeds = [result.seeds[number] for number in there]
    assert len(there) == MOST and {3, 5} < set(seeds) and seeds[:3] == [61, 63, 65]  # b and c have one case each
    for number, path in there.items():
        assert Recording.load(path).metadata["seed"] == result.seeds[number]
    made = {path: path.stat().st_mtime_ns for path in there.values()}
    campaign(study, processes=1, out=tmp_path)
    assert {path: path.stat().st_mtime_ns for path in made} == made  # what is there is not made again


def test_chosen_cases_and_none(tmp_path):
    study = Study(TASK, SHORT, (), tuple(range(6)))
    campaign(study, processes=1, out=tmp_path / "a", recordings=(2, 5))
    assert list(recorded(tmp_path / "a")) == [2, 5]
    campaign(study, processes=1, out=tmp_path / "b", recordings="none")
    assert recorded(tmp_path / "b") == {}


def test_a_case_that_nothing_can_be_seen_of_is_left_out(tmp_path):
    study = Study("tasks.campaigns.small_tasks:Coin", {}, (), tuple(range(10)))
    assert campaign(study, processes=1, out=tmp_path).ok and recorded(tmp_path) == {}


@pytest.mark.parametrize(("choice", "said"), [("all", "failures, none"), ((6,), "no case 6"), ((-1,), "whole number")])
def test_what_cannot_be_recorded(choice, said):
    with pytest.raises(CarpalError, match=said):
        checked_choice(choice, 6, True)
    with pytest.raises(CarpalError, match="give out"):
        checked_choice((1,), 6, False)
