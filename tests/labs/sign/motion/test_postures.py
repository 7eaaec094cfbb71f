"""Postures of a text: palm directions shared between wrist and arm, motions, repeats, and reasons for discarding."""

import numpy as np
import pytest
from sign_robots import signer

import carpal
from carpal.labs.sign import read_behaviour
from carpal.labs.sign.files import tables
from carpal.labs.sign.motion.postures import palm_points, palm_postures, postures_of, station_of


def asked(text, robot="parloma", behaviour=None):
    one = signer(robot)
    rules = behaviour or one.behaviour
    return postures_of(one.alphabet.spell(text), one.letters, one.refused, one.mounted, one.alphabet, rules)


@pytest.mark.parametrize("robot", ["parloma", "cuhk"])
@pytest.mark.parametrize("letter", ["A", "C", "P"])
def test_wrist_and_arm_together_give_the_palm_direction(robot, letter):
    """Both robots hold the same letter's palm and place the same way in the world."""
    one = signer(robot)
    mounted = one.mounted
    X_WP, commands = palm_postures(mounted, one.alphabet, one.letters[letter], station_of(mounted, one.behaviour))[0]
    X_WM = X_WP @ np.linalg.inv(carpal.fk(one.hand.model, one.hand.home, one.hand.driver.palm))
    palm = X_WM @ carpal.fk(one.hand.model, one.hand.joints(commands), one.hand.driver.palm)
    assert np.abs(palm[:3, :3] - one.alphabet.palms[one.letters[letter].letter.right.palm]).max() < 1e-12
    assert np.allclose(palm_points(mounted, X_WP, commands)[0], palm[:3, 3])


def test_motions_come_back_and_repeats_nod():
    postures, discarded = asked("JAA")
    assert not discarded
    assert [p.letter for p in postures] == ["J"] * 5 + ["A"] * 4
    wrist = signer().hand.wrist
    assert np.allclose(postures[0].commands, postures[4].commands)
    nod = postures[7].commands[wrist] - postures[6].commands[wrist]
    assert np.allclose(nod, np.radians([12, 0, 0]))
    assert [p.shows for p in postures] == [True, False, False, False, False, True, True, False, False]
    assert sum(p.hold > 0 for p in postures) == 3


def test_a_hand_without_a_wrist_moves_by_the_arm():
    postures, _ = asked("J", "cuhk")
    turns = {p.X_WP[:3, :3].round(6).tobytes() for p in postures}
    assert len(turns) == 4


def test_spaces_are_pauses():
    postures, _ = asked("A A")
    assert [p.letter for p in postures] == ["A", " ", "A"]
    assert postures[1].hold == signer().behaviour.pause


def behaviour(tmp_path, text):
    (tmp_path / "b.toml").write_text('format = "carpal-behaviour-1"\nname = "strict"\n' + text)
    return read_behaviour(tmp_path / "b.toml")


@pytest.mark.parametrize(
    ("rules", "text", "lost", "reason"),
    [
        ("[movements]\npalms = ['forward', 'side']\n", "CAMPO", "MP", "does not allow the palm direction 'down'"),
        ("[movements]\nmotions = []\n", "GAJA", "GJ", "does not allow the motion"),
        ("[movements]\nletters = ['A', 'B']\n", "BACA", "C", "does not allow this letter"),
        ("[area]\nlow = [0.2, -0.35, 0.45]\nhigh = [0.66, 0.3, 0.90]\n", "AB", "B", "_tip would be at .* outside the work area"),
    ],
)  # fmt: skip
def test_what_is_not_allowed_is_discarded_with_the_reason(tmp_path, rules, text, lost, reason):
    import re

    postures, discarded = asked(text, behaviour=behaviour(tmp_path, rules))
    assert "".join(d.letter for d in discarded) == lost
    assert all(re.search(reason, d.reason) for d in discarded)
    assert all(p.letter not in lost for p in postures)


def test_a_wrist_that_would_have_to_turn_too_far(tmp_path):
    text = (
        (tables.DATA / "alphabets" / "italian.toml")
        .read_text()
        .replace("[0, 0, 12], [0, 0, -16]", "[0, 0, 60], [0, 0, -16]")
    )
    (tmp_path / "a.toml").write_text(text)
    from carpal.labs.sign import letters_of, read_alphabet

    one, alphabet = signer(), read_alphabet(tmp_path / "a.toml")
    shown, refused = letters_of(one.hand, alphabet)
    _, discarded = postures_of(("G",), shown, refused, one.mounted, alphabet, one.behaviour)
    assert "'wrist_turn' would have to be at 87.0 deg, outside its -40 to 40 deg" in discarded[0].reason


def test_the_station_moves_into_the_work_area(tmp_path):
    rules = behaviour(tmp_path, "[area]\nlow = [0.3, 0.1, 0.5]\nhigh = [0.5, 0.3, 0.9]\n")
    assert np.allclose(station_of(signer().mounted, rules), (0.4, 0.2, 0.7))
    assert np.allclose(station_of(signer().mounted, signer().behaviour), signer().hand.driver.station)
