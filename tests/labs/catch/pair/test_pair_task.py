"""The task with another arm and hand: both engines, the command line's words, refusals."""

import json

import numpy as np
import pytest
from catch_inputs import panda_catch

from carpal.cli import main
from carpal.errors import InputError
from carpal.labs.catch.task import Catch


def test_both_engines_hold_the_ball_in_the_same_place(figure):
    places = []
    for engine in ("modal", "mujoco"):
        _, result = panda_catch(engine)
        assert result.score.numbers["caught"], result.status
        assert result.score.numbers["limited_steps"] == 0
        places.append(result.recording.q[-1, -7:-4])
    apart = float(np.linalg.norm(places[0] - places[1]))
    figure("pair catch: Panda, ball at the end, modal against MuJoCo [m]", apart, 0.02)


def test_the_report_has_its_curves():
    task, result = panda_catch("mujoco")
    assert task.view is None and Catch.view is not None  # the whole motion is in view
    in_palm, force = task.curves(result.recording)
    assert in_palm.values.shape == (len(result.recording.time), 3) and force.values.max() > 1.0
    assert task.score(result.recording).status == result.score.status
    assert task.summary(result.score)["cause"] == "none"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--arm", "panda"], "engine 'penalty' is for the catcher"),
        (["--hand", "panda"], "give arm, or a setup file"),
        (["--engine", "modal"], "for another arm and hand"),
        (["--arm", "pandar", "--engine", "mujoco"], "panda"),
        (["--arm", "panda", "--mount", "1", "2", "--engine", "mujoco"], "mount must be"),
        (["--setup", "nothing.toml", "--engine", "mujoco"], "nothing.toml"),
    ],
)
def test_bad_input_is_one_sentence(words, sentence, capsys):
    assert main(["catch", *words]) == 2
    assert sentence in capsys.readouterr().err


def test_a_throw_behind_the_arm_is_refused(tmp_path, capsys):
    path = tmp_path / "behind.toml"
    path.write_text('arm = "panda"\n[throw]\nposition = [-6.0, 0.0, 1.0]\nvelocity = [-3.0, 0.0, 2.0]\n')
    task = Catch(setup=str(path), engine="mujoco")
    with pytest.raises(InputError, match="out of reach"):
        task.check()
    assert main(["catch", "--setup", str(path), "--engine", "mujoco", "--json"]) != 0
    captured = capsys.readouterr()
    assert "out of reach" in captured.err + json.dumps(captured.out)
