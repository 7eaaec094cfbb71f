"""What the report shows: a still for each letter, rows, curves."""

import types

import numpy as np
from sign_robots import plan, signer

from carpal.labs.sign.figures import letter_sections, shown_letters, tendon_curves, touch_text
from carpal.labs.sign.score import planned


def recorded(word):
    time = np.arange(0.0, word.duration, 0.01)
    return types.SimpleNamespace(time=time, q=planned(word, time))


def test_every_letter_has_its_still_and_its_row():
    word = plan("MAMMA")
    (section,) = letter_sections(word, signer(), recorded(word))
    assert [still.title[0] for still in section.stills] == ["M", "A"]
    assert [row[0] for row in section.rows] == ["A", "M"]
    for still in section.stills:
        assert still.eye[0] > still.look_at[0]  # from the receiver's side


def test_letters_stand_over_the_hand_while_they_are_held():
    word = plan("MAMMA")
    run = recorded(word)
    (mark,) = shown_letters(word, run)
    for leg, start in zip(word.motion.legs, word.motion.starts, strict=False):
        assert mark.words[mark.row(start + 0.5 * leg.duration)] == leg.letter
    assert (mark.points[:, 2] > 0.2).all()


def test_curves_of_tendons_and_wrist():
    word = plan("MAMMA")
    travel, tension, motors = tendon_curves(word, recorded(word))
    assert travel.values.shape == tension.values.shape == (len(recorded(word).time), 5)
    assert (tension.values >= 0).all() and tension.values.max() < 46
    assert np.isfinite(motors.values).all()
    assert tendon_curves(plan("O", "cuhk"), recorded(plan("O", "cuhk"))) == []


def test_a_straight_finger_gives_way_more_than_a_fist():
    letters = signer().letters
    assert touch_text(signer(), letters["D"]) == "0 deg"  # pushed back against its stop
    assert int(touch_text(signer(), letters["C"]).split()[0]) >= 3
    assert touch_text(signer("cuhk"), signer("cuhk").letters["A"]) == "-"
