"""Texts as motions: ten words without a flip, apart, inside the area, by independent looks; refusals."""

import numpy as np
import pytest
from sign_robots import WORDS, HandInMuJoCo, plan, signer

import carpal
from carpal.errors import CarpalError, UnreachableError
from carpal.labs.sign import Signer


def elbow_side(q):
    """Of the SIA5, by its public lengths alone: on which side of the stretched elbow u is (erratum E-M1's triangle)."""
    A, B = 2 * (0.085 * 0.27 + 0.27 * 0.06), 2 * (0.27 * 0.27 - 0.085 * 0.06)
    return np.sign(q[:, 3] - np.arctan2(B, A))


def look_at(word, figure=None):
    """Everything that is said of a word, measured again from its samples every 2 ms."""
    result = plan(word)
    assert result, str(result)
    one = signer()
    t = np.arange(0.0, result.duration, 2e-3)
    x, _, _ = result.motion.at(t)
    q_arm = x[:, :7]
    flips = int((np.diff(elbow_side(q_arm)) != 0).sum())
    jump = float(np.abs(np.diff(q_arm, axis=0)).max())
    elbow = carpal.fk(one.mounted.arm, q_arm, "link_u")[:, :3, 3]
    arm = one.mounted.arm
    inside = float(np.minimum(q_arm - arm.q_min, arm.q_max - q_arm).min())
    tips = [carpal.fk(one.mounted.model, result.q, f"hand/{f}_tip")[:, :3, 3] for f in ("index", "thumb", "little")]
    area = all(one.behaviour.inside(p).all() for p in tips)
    return flips, jump, float(elbow[:, 0].max()), inside, area, result


def check_words(words, figure):
    seen = [look_at(word) for word in words]
    there = HandInMuJoCo(signer().mounted.model)
    touches = sum(there.touching(q) for s in seen for q in s[5].q[::2])
    figure(f"{len(words)} words: touches of arm, hand and receiver seen by MuJoCo every 20 ms", touches, 0)
    figure(f"elbow flips on {len(words)} words", sum(s[0] for s in seen), 0)
    figure(f"{len(words)} words: largest joint step in 2 ms [rad]", max(s[1] for s in seen), 0.01)
    figure(
        f"{len(words)} words: elbow's largest x, receiver's trunk begins at 0.82 m [m]", max(s[2] for s in seen), 0.52
    )
    figure(f"{len(words)} words: nearest joint limit [rad]", min(s[3] for s in seen), 0.02, at_least=True)
    assert all(s[4] for s in seen)
    figure(f"{len(words)} words: least distance [mm]", 1e3 * min(s[5].distance for s in seen), 0.5, at_least=True)
    figure(f"{len(words)} words: share of the payload used", max(s[5].payload for s in seen), 0.8)
    figure(f"{len(words)} words: share of joint speeds, 0.4 allowed", max(s[5].peak_share for s in seen), 0.402)


def test_words(figure):
    check_words(("CIAO", "MAMMA"), figure)


@pytest.mark.full
def test_ten_words_of_3_to_12_letters_on_the_sia5(figure):
    assert len(WORDS) == 10 and {len(word) for word in WORDS} >= {3, 12}
    check_words(WORDS, figure)


@pytest.mark.full
def test_every_letter_is_within_the_arm_s_reach(figure):
    result = signer().plan("".join(signer().alphabet.letters))
    assert result, str(result)
    figure("letters of one text with all 26 that the sia5 plays", len(result.played), 26, at_least=True)


@pytest.mark.full
def test_every_letter_on_other_arms_and_hands():
    for robot, arm in (("parloma", "srs7"), ("cuhk", "sia5")):
        result = signer(robot, arm).plan("CIAO ALFABETO")
        assert result, str(result)


def test_what_a_plan_tells():
    result = plan("CIAO")
    assert result.played == ("C", "I", "A", "O") and not result.discarded
    assert result.q.shape == (len(result.time), signer().mounted.model.nq)
    assert "4 letters" in str(result)
    assert result.elbow_clearance > 0.3


def test_the_same_letter_plays_on_both_hands():
    for robot in ("parloma", "cuhk"):
        result = plan("O", robot)
        assert result and result.played == ("O",)


def written(tmp_path, text):
    path = tmp_path / "b.toml"
    path.write_text('format = "carpal-behaviour-1"\nname = "mine"\n' + text)
    return str(path)


def test_an_unreachable_work_area_is_one_sentence(tmp_path):
    rules = written(tmp_path, "[area]\nlow = [2, 2, 2]\nhigh = [3, 3, 3]\n")
    with pytest.raises(
        UnreachableError, match=r"work area of behaviour 'mine' around \(2.50, 2.50, 2.50\) m cannot be used"
    ):
        Signer("parloma", behaviour=rules).plan("A")


@pytest.mark.parametrize(
    ("rules", "problem"),
    [
        ("[receiver]\nelbow_clearance = 2.0\n", "the elbow comes to .* must keep 2 m"),
        ("[limits]\npayload_share = 0.1\n", "of the arm's payload"),
        ("[limits]\ndistance = 0.05\n", "come to"),
    ],
)
def test_a_motion_that_breaks_a_rule_is_not_to_be_played(tmp_path, rules, problem):
    import re

    result = Signer("parloma", behaviour=written(tmp_path, rules)).plan("A")
    assert not result
    assert "cannot be signed" in str(result) and re.search(problem, result.problem)


def test_nothing_left_and_unknown_names(tmp_path):
    result = Signer("parloma", behaviour=written(tmp_path, "[movements]\nletters = ['B']\n")).plan("AA")
    assert not result and result.motion is None and len(result.discarded) == 2
    with pytest.raises(
        CarpalError, match="unknown palm direction of alphabet 'italian' in behaviour 'mine' 'forwards'"
    ):
        Signer("parloma", behaviour=written(tmp_path, "[movements]\npalms = ['forwards']\n"))
