"""sign as a task: both engines play a word, the touch yields, JSON keys, refusals, the same bits twice."""

import json

import numpy as np
import pytest
from sign_robots import WORDS

from carpal.errors import CarpalError
from carpal.tasks import make_task

KEYS = {"text", "letters", "played", "duration_s", "min_distance_mm", "peak_joint_speed", "discarded"}


def test_rigid_and_mujoco_play_the_same_word(figure):
    ends = []
    for engine in ("rigid", "mujoco"):
        task = make_task("sign", text="CI", engine=engine)
        task.check()
        result = task.run()
        assert result, str(result)
        summary = task.summary(result.score)
        assert set(summary) >= KEYS
        json.dumps(summary, allow_nan=False)
        assert summary["letters"] == summary["played"] == ["C", "I"]
        figure(f"sign in {engine}: letters away from their shapes at the end of their holds [rad]",
               summary["letter_error_rad"], 0.06, note="gravity bends fingers on springs")  # fmt: skip
        figure(f"sign in {engine}: motors' joints away from their plan [rad]", summary["tracking_error_rad"], 0.005)
        ends.append(result.recording.q[-1])
    figure("sign: last configuration, rigid against MuJoCo [rad]", np.abs(ends[0] - ends[1]).max(), 0.01,
           note="their joint stops differ")  # fmt: skip


def test_the_same_text_is_the_same_bits():
    first, second = (make_task("sign", text="I").run().recording for _ in range(2))
    assert np.array_equal(first.q, second.q)


@pytest.mark.full
def test_a_touched_finger_yields_and_comes_back(figure):
    result = make_task("sign", text="CO", touch=1.0).run()
    assert result, str(result)
    figure(
        "sign: fingers give way to a touch of 1 N [rad]", result.score.numbers["touch_yield_rad"], 0.05, at_least=True
    )
    figure("sign: letters after the touch [rad]", result.score.numbers["letter_error_rad"], 0.06)


@pytest.mark.full
def test_ten_words_are_played(figure):
    numbers = []
    for word in WORDS:
        result = make_task("sign", text=word).run()
        assert result, str(result)
        numbers.append(result.score.numbers)
    least = min(each["min_distance_mm"] for each in numbers)
    figure("10 words played in rigid: least distance of all parts [mm]", least, 1.0, at_least=True)
    figure("10 words played in rigid: motors' joints away from their plan [rad]",
           max(each["tracking_error_rad"] for each in numbers), 0.01)  # fmt: skip
    figure("10 words played in rigid: letters away from their shapes [rad]",
           max(each["letter_error_rad"] for each in numbers), 0.06)  # fmt: skip


@pytest.mark.parametrize("engine", ["modal"])  # the whole engine is compiled: among the full counts
def test_the_modal_engine_plays_the_same_word(engine, figure):
    ours, rigid = (make_task("sign", text="CI", engine=each).run() for each in (engine, "rigid"))
    assert ours, str(ours)
    assert ours.recording.check(), "every step's certificate holds"
    figure("sign: last configuration, modal against rigid [rad]",
           np.abs(ours.recording.q[-1] - rigid.recording.q[-1]).max(), 1e-6)  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("engine", ["rigid", "mujoco", "modal"])
def test_the_other_hand_plays_it_too(engine):
    result = make_task("sign", text="CIAO", robot="cuhk", engine=engine).run()
    assert result, str(result)


def test_its_command():
    assert make_task("sign").command() == "carpal sign play CIAO"
    task = make_task("sign", text="CIAO MAMMA", engine="mujoco", touch=0.5)
    assert task.command() == "carpal sign play 'CIAO MAMMA' --engine mujoco --touch 0.5"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"text": "C1AO"}, "'1' is not in the alphabet 'italian'"),
        ({"robot": "parlma"}, "did you mean 'parloma'"),
        ({"arm": "sia55"}, "did you mean 'sia5'"),
        ({"behaviour": "carefull"}, "did you mean 'careful'"),
        ({"dt": 0.01}, "dt must be 0.002 s or less"),
        ({"engine": "bullet"}, "unknown engine 'bullet'"),
        ({"touch": -1}, "touch must be 0 or above"),
        ({"arm": "cuhk_hand"}, "cannot"),
    ],
)
def test_bad_input_is_one_sentence(options, sentence):
    with pytest.raises(CarpalError, match=sentence):
        make_task("sign", **options).check()


def test_a_text_of_which_nothing_is_left(tmp_path):
    (tmp_path / "b.toml").write_text('format = "carpal-behaviour-1"\nname = "b"\n[movements]\nletters = ["B"]\n')
    with pytest.raises(
        CarpalError, match="no letter can be played; 'A' discarded: behaviour 'b' does not allow this letter"
    ):
        make_task("sign", text="A", behaviour=str(tmp_path / "b.toml")).check()


def test_discarded_letters_are_reported_and_the_rest_is_played(tmp_path):
    (tmp_path / "b.toml").write_text('format = "carpal-behaviour-1"\nname = "b"\n[movements]\nletters = ["I"]\n')
    task = make_task("sign", text="IA", behaviour=str(tmp_path / "b.toml"))
    result = task.run()
    summary = task.summary(result.score)
    assert not result and summary["played"] == ["I"]
    assert summary["discarded"] == [{"letter": "A", "index": 1, "reason": "behaviour 'b' does not allow this letter."}]
