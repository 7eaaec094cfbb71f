import itertools

import numpy as np
import pytest

from carpal.errors import CarpalError
from carpal.tasks import make_task
from carpal.tasks.campaigns.study import Study, study_of

TASK = "tasks.campaigns.small_tasks:Coin"
TEXT = f"""task = "{TASK}"
seeds = 2
engines = ["one", "two"]
draws = 3

[options]
word = "b"

[factors]
x = {{grid = [0.0, 1.0, 3]}}
y = {{uniform = [0.0, 2.0]}}
"""


def _written(tmp_path, text):
    path = tmp_path / "study.toml"
    path.write_text(text)
    return path


def test_cases_are_all_combinations(tmp_path):
    study = Study.from_toml(_written(tmp_path, TEXT))
    assert len(study) == 2 * 2 * 3 * 3 and study.points == 9
    cases = [study.case(i) for i in range(len(study))]
    assert len({(c.options["x"], c.options["y"], c.engine, c.seed) for c in cases}) == 36
    assert {c.options["x"] for c in cases} == {0.0, 0.5, 1.0} and len({c.options["y"] for c in cases}) == 3
    assert all(c.options["word"] == "b" and c.options["engine"] == c.engine for c in cases)
    for a, b in itertools.pairwise(cases):
        if a.point == b.point:
            assert a.options["x"] == b.options["x"] and a.options["y"] == b.options["y"]


def test_it_reads_back_as_itself(tmp_path):
    study = Study.from_toml(_written(tmp_path, TEXT))
    again = Study.from_data(study.to_data())
    assert again == study and [again.case(7), again.case(30)] == [study.case(7), study.case(30)]


@pytest.mark.parametrize(
    ("change", "line", "word"),
    [
        (("word = ", "wrd = "), 7, "word"), (('"b"', '"c"'), 7, "a, b"), (("x = {", "xx = {"), 10, "xx"),
        (("grid", "gird"), 10, "grid"), (("[0.0, 1.0, 3]", "[1.0, 0.0, 3]"), 10, "low below high"),
        (("[0.0, 2.0]", "[-1.0, 2.0]"), 11, "0 or above"), (('"two"', '"three"'), 3, "three"),
        (("seeds = 2", "seeds = 0"), 2, "1 or above"), (("draws = 3", "draws = 0"), 4, "draws"),
        (("seeds = 2", "sedes = 2"), 2, "seeds"), (("task = ", "tsk = "), 1, "task"), ((TASK, "reech"), 1, "reach"),
        (("seeds = 2", "timeout = -1"), 2, "above 0"), (("x = {", "word = ["), None, "TOML"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_line(tmp_path, change, line, word):
    with pytest.raises(CarpalError, match=word) as caught:
        Study.from_toml(_written(tmp_path, TEXT.replace(*change)))
    assert "study.toml" in str(caught.value)
    if line:
        assert f"line {line}:" in str(caught.value)


def test_what_is_given_twice_or_is_too_much(tmp_path):
    for text, word in (
        (TEXT.replace('word = "b"', "x = 1.0"), "both an option and a factor"),
        (TEXT.replace('word = "b"', 'engine = "one"'), "given twice"),
        (TEXT.replace("y = {uniform = [0.0, 2.0]}", "y = [0.0, 2.0]"), "random factors"),
        (TEXT.replace("1.0, 3]", "1.0, 100000]").replace("draws = 3", "draws = 100000"), "more than"),
    ):
        with pytest.raises(CarpalError, match=word):
            Study.from_toml(_written(tmp_path, text))
    with pytest.raises(CarpalError, match="cannot be read"):
        Study.from_toml(tmp_path / "none.toml")


@pytest.mark.parametrize(
    "study",
    [
        Study("reach", {}, seeds=tuple(range(1_000_000))),
        Study("reach", {"target": [0.5, 0.2, 0.4], "robot": "so101_old", "spread": 1e-5}, seeds=(3, 1)),
        Study.from_data({
            "task": "catch", "options": {"vary": 1.0, "grid": False}, "engines": ["penalty", "mujoco"], "timeout": 9.0,
            "draws": 2, "draw_seed": 5, "metrics": ["peak_contact_force_N"],
            "factors": {"gains": ["thesis", "tuned"], "x": {"grid": [0.0, 0.4, 5]}, "speed": {"normal": [5.2, 0.1]}},
        }),
    ],
)  # fmt: skip
def test_its_file_reads_back_as_itself(tmp_path, study):
    text = study.to_toml()
    assert Study.from_toml(_written(tmp_path, text)) == study and len(text) < 400


def test_a_study_is_meant_by_a_task_too(tmp_path):
    file = _written(tmp_path, TEXT)
    asked = {
        "options": {"word": "b"}, "factors": {"x": {"grid": (0.0, 1.0, 3)}, "y": {"uniform": [0.0, 2.0]}}, "seeds": 2,
        "engines": ("one", "two"), "metrics": None, "draws": 3,
    }  # fmt: skip
    study = Study.from_toml(file)
    assert study_of(TASK, asked) == study == study_of(file, {}) == study_of(str(file), {}) == study_of(study, {})
    assert study_of(make_task(TASK, word="b"), asked | {"options": None}) == study
    assert study_of(make_task("reach", spread=0.2), {"seeds": range(3, 5)}) == Study(
        "reach", {"spread": 0.2}, seeds=(3, 4)
    )
    assert study_of("reach", {"seeds": np.arange(2)}).seeds == (0, 1)


@pytest.mark.parametrize(
    ("task", "asked", "sentence"),
    [
        ("reech", {}, "did you mean 'reach'"), ("reach", {"seeds": 0}, "1 or above"),
        ("reach", {"factors": {"spred": [1.0]}}, "spread"), ("reach", {"options": {"spread": -1.0}}, "0 or above"),
        ("reach", {"engines": "rigid"}, "list of different texts"), (Study("reach", {}), {"seeds": 3}, "in the study itself"),
    ],
)  # fmt: skip
def test_what_nobody_can_mean_is_one_sentence(task, asked, sentence):
    with pytest.raises(CarpalError, match=sentence) as caught:
        study_of(task, asked)
    assert "\n" not in str(caught.value)
