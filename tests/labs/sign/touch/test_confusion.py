"""Letters by touch: distances that must be zero, symmetric or small; probabilities; clearer variants that stay letters."""

import numpy as np
import pytest
from sign_robots import hand, letters

from carpal.errors import CarpalError
from carpal.labs.sign import Reading, Skin, clearer_variant, read_alphabet, sign_recogniser, touch_matrix
from carpal.labs.sign.touch.confusion import confusions, touch_distance
from carpal.labs.sign.touch.surface_map import letter_touch


def _felt(name):
    one = letters()[0][name]
    return letter_touch(hand(), read_alphabet(), one.letter.right, one.commands, Skin())


def _few(names):
    return {name: letters()[0][name] for name in names}


def test_distances_are_zero_symmetric_and_blind_to_small_shifts():
    u, v, skin = _felt("U"), _felt("V"), Skin()
    assert touch_distance(u, u, skin) == 0
    assert np.isclose(touch_distance(u, v, skin), touch_distance(v, u, skin), rtol=1e-12)
    moved = np.roll(u, (1, -2), (2, 3))  # 4 and 8 mm
    assert touch_distance(u, moved, skin) == 0
    assert touch_distance(u, np.roll(u, (4, 0), (2, 3)), skin) > 0.5
    assert np.isclose(touch_distance(u, v, Skin(jnd=0.003)), 0.5 * touch_distance(u, v, skin))
    assert touch_distance(0 * u, 0 * u, skin) == 0


def test_the_matrix_of_a_few_letters(figure):
    found = touch_matrix(hand(), read_alphabet(), _few("AUVB"))
    assert np.allclose(found.distance, found.distance.T) and (np.diag(found.distance) == 0).all()
    assert np.allclose(found.confusion.sum(1), 1) and found.ok
    assert found.worst(1)[0][:2] == ("U", "V") and len(found.worst()) == 6
    assert "U and V are most alike" in str(found)
    assert np.allclose(confusions(np.array([[0, 1e3], [1e3, 0]])), np.eye(2))


@pytest.mark.full
@pytest.mark.parametrize("robot", ["parloma", "cuhk"])
def test_the_whole_alphabet_is_felt(robot, figure):
    found = touch_matrix(hand(robot), read_alphabet(), letters(robot)[0])
    a, b, away, _ = found.worst(1)[0]
    figure(f"{robot}: letters most alike to the touch, {a} and {b} [JND]", away, 0.5, at_least=True)
    figure(
        f"{robot}: letters felt right (assumed skin), mean share", np.diag(found.confusion).mean(), 0.7, at_least=True
    )
    assert found.ok


def test_a_clearer_variant_is_clearer_and_still_its_letter(figure):
    alphabet, reader, shown = read_alphabet(), sign_recogniser("italian", "parloma"), _few("UVRKW")
    found = clearer_variant(hand(), alphabet, shown, "U", reader, tries=12, seed=1)
    assert found and found.confidence >= 0.9 and found.distance >= 0.003 and "'U' can be" in str(found)
    figure("clearer U: just noticeable differences to its nearest letter, after over before", found.after / found.before, 1.3,
           at_least=True)  # fmt: skip
    assert (found.commands >= hand().low).all() and (found.commands <= hand().high).all()
    again = clearer_variant(hand(), alphabet, shown, "U", reader, tries=12, seed=1)
    assert np.array_equal(again.commands, found.commands) and again.after == found.after
    own = letter_touch(hand(), alphabet, shown["U"].letter.right, found.commands, Skin())
    rival = letter_touch(hand(), alphabet, shown[found.rival].letter.right, shown[found.rival].commands, Skin())
    assert touch_distance(own, rival, Skin()) == found.after


def test_a_variant_that_is_not_read_is_no_variant():
    class Blind:
        def recognise(self, frames):
            return Reading(None, 1.0, {"U": 0.0}, len(frames))

    found = clearer_variant(hand(), read_alphabet(), _few("UV"), "U", Blind(), tries=6)
    assert not found and np.array_equal(found.commands, letters()[0]["U"].commands) and "no clearer 'U'" in str(found)


def test_bad_questions_are_reported():
    alphabet, reader = read_alphabet(), sign_recogniser("italian", "parloma")
    with pytest.raises(CarpalError, match="at least two; got 1"):
        touch_matrix(hand(), alphabet, _few("A"))
    with pytest.raises(CarpalError, match="letter that 'parloma' shows"):
        clearer_variant(hand(), alphabet, _few("AB"), "C", reader)
    with pytest.raises(CarpalError, match="at least one try"):
        clearer_variant(hand(), alphabet, _few("AB"), "A", reader, tries=0)
