from dataclasses import dataclass

import numpy as np

import carpal
from carpal._core.result import Result
from carpal._core.result_html import result_html, short_fields


@dataclass(frozen=True)
class Made(Result):
    ok: bool
    status: str
    far: float
    path: np.ndarray
    few: np.ndarray
    thing: object
    word: str = "<b>"


def test_numbers_words_and_arrays_are_rows_and_text_is_escaped():
    made = Made(True, "went <well>", 0.25, np.zeros((40, 2)), np.array([1.0, 2.0]), object())
    assert dict(short_fields(made)) == {"far": "0.25", "path": "array of 40 x 2", "few": "[1., 2.]", "word": "<b>"}
    text = made._repr_html_()
    assert "went &lt;well&gt;" in text and "&lt;b&gt;" in text and "&#10003;" in text and "<well>" not in text
    assert "&#10007;" in result_html(Made(False, "no", 0.0, np.zeros(1), np.zeros(1), None))


def test_an_answer_of_inverse_kinematics():
    arm = carpal.load("so101_old")
    found = carpal.ik(arm, carpal.fk(arm, np.asarray(arm.q_home))[:3, 3])
    text = found._repr_html_()
    assert "reaches its target" in text and "position error" in text
    assert found.plot().axes
