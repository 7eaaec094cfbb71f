"""The ten examples: what Chan observed, each turned false by its mutation; the command line's JSON; files of one's own."""

import json

import numpy as np
import pytest
from dexterity_inputs import run, run_number

from carpal.cli.command_line import main
from carpal.errors import CarpalError
from carpal.labs.dexterity import changed, read_example
from carpal.labs.dexterity.observations import observed
from carpal.tasks import make_task

NUMBERS = range(1, 11)
KEYS = (
    "ok", "status", "example", "engine", "duration_s", "events", "max_residual", "max_penetration_m", "energy_residual_J",
    "creep_m", "observations",
)  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("number", NUMBERS)
def test_what_chan_observed(number, figure):
    for each in observed(run_number(number), run):
        name = f"example {number}: {each.wanted.name} ({each.wanted.what}; published: {each.wanted.published or '-'})"
        if np.isfinite(each.wanted.at_least):
            figure(name, each.value, each.wanted.at_least, at_least=True)
        if np.isfinite(each.wanted.at_most):
            figure(name, each.value, each.wanted.at_most)


@pytest.mark.full
@pytest.mark.parametrize("number", NUMBERS)
def test_every_observation_turns_false_under_its_mutation(number):
    example = read_example(number)
    runs = {}
    for wanted in example.observations:
        key = repr(wanted.mutation)
        runs[key] = runs.get(key) or observed(run(changed(example, wanted.mutation)), run)
        after = next(each for each in runs[key] if each.wanted.name == wanted.name)
        assert not after.ok, f"{wanted.name} still holds ({after.value}) under {wanted.mutation}"


@pytest.mark.full
def test_heavier_boxes_leave_more_slowly_and_change_the_finger_more(figure):
    outcomes = [run_number(n) for n in (5, 6, 7)]
    speeds = [np.linalg.norm(o.v[o.row(o.hits[0].time) + 2, 15:18]) for o in outcomes]
    rates = [np.abs(o.v[o.row(o.hits[0].time) + 2, 6:9] - o.v[o.row(o.hits[0].time), 6:9]).max() for o in outcomes]
    assert speeds[0] > speeds[1] > speeds[2]
    assert rates[0] < rates[1] < rates[2]
    assert [len(o.hits) for o in outcomes] == [1, 1, 2]


@pytest.mark.full
def test_the_json(capsys, tmp_path):
    status = main(["dexterity", "--example", "2", "--json", "--out", str(tmp_path)])
    summary = json.loads(capsys.readouterr().out)
    assert status == 0
    assert all(key in summary for key in KEYS)
    assert {"time", "contact", "from", "to"} == set(summary["events"][0])
    assert all(each["ok"] for each in summary["observations"])
    assert summary["creep_m"] < 1e-11
    assert (tmp_path / "report.html").stat().st_size > 100_000
    assert "Force closure and largest wrench ball" in (tmp_path / "report.html").read_text()


@pytest.mark.full
def test_a_changed_friction_is_reported(capsys):
    assert main(["dexterity", "--example", "3", "--friction", "0.1", "--json"]) == 1
    summary = json.loads(capsys.readouterr().out)
    assert not summary["ok"]
    assert "do not hold" in summary["status"]


@pytest.mark.full
def test_a_scene_of_ones_own(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    path.write_text(
        'title = "a ball on a table"\nduration = 0.05\n[object]\nshape = {kind = "sphere", radius = 0.03}\nmass = 0.1\n'
        "position = [0.08, 0, 0.18]\n[surface]\n[table]\nheight = 0.15\n"
    )
    assert main(["dexterity", "--scene", str(path), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["example"] == str(path)
    assert summary["observations"] == []


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"example": 12}, "1 to 10"), ({"scene": "none.toml"}, "cannot be read"), ({"example": 2, "glove": "none.csv"}, "glove"),
        ({"example": 2, "glove": "udp:x"}, "udp:PORT"), ({"example": 2, "feedback": "file"}, "udp:PORT"),
        ({"example": 2, "engine": "penalty", "feedback": "udp:9000"}, "penalty"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(options, word):
    with pytest.raises(CarpalError) as caught:
        make_task("dexterity", **options).check()
    assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_run_on_mujoco_is_scored_alike():
    result = make_task("dexterity", example=5, engine="mujoco").run()
    assert "observations" in result.status
    assert np.isnan(result.score.numbers["max_residual"])
    assert result.score.numbers["observed_first_hit_s"] == pytest.approx(0.118, abs=0.003)
    again = make_task("dexterity", example=5, engine="mujoco").run()
    assert np.array_equal(again.recording.q, result.recording.q)
