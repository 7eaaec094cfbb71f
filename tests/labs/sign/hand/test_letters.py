"""All letters on a hand: within limits, apart by MuJoCo's own distances, distinguishable from each other."""

import numpy as np
import pytest
from sign_robots import HandInMuJoCo, hand, letters

from carpal.contact import collision_checker
from carpal.errors import CarpalError, InputError
from carpal.labs.sign import Signer, letters_of, nearest_letters, read_alphabet, sign_hand
from carpal.labs.sign.hand.letters import ALIKE, fit_letter


def test_all_26_letters_without_self_collision_and_within_limits(figure):
    one, (shown, refused) = hand(), letters()
    assert not refused
    there = HandInMuJoCo(one.model)
    crossed = one.home.copy()
    crossed[one.model.q_index("index_abduction")], crossed[one.model.q_index("middle_abduction")] = -0.3, 0.3
    assert there.touching(crossed) > 0 and there.distance(crossed) < 0  # it sees what is there
    q = one.joints(np.array([letter.commands for letter in shown.values()]))
    by_mujoco = np.array([there.distance(x) for x in q])
    figure("letters without self-collision by MuJoCo's distances, of 26", int((by_mujoco > 0).sum()), 26, at_least=True)
    figure("smallest distance of a letter by MuJoCo [mm]", 1e3 * by_mujoco.min(), 2.9, at_least=True)
    ours = np.array([letter.distance for letter in shown.values()])
    figure("letters: our smallest distance against MuJoCo's [mm]", 1e3 * np.abs(ours - by_mujoco).max(), 1e-3)
    over = max((one.model.q_min - q).max(), (q - one.model.q_max).max())
    figure("letters: joints beyond their limits [rad]", over, 1e-12)


def test_no_two_letters_are_the_same_to_the_touch(figure):
    a, b, away = nearest_letters(letters()[0], hand())
    figure(f"letters most alike ({a}, {b}): largest difference of a joint [deg]", np.degrees(away), 10.0, at_least=True)


def test_the_other_hand_shows_the_same_alphabet(figure):
    shown, refused = letters("cuhk")
    figure("letters that cuhk_hand shows, of 26", len(shown), 24, at_least=True)
    there = HandInMuJoCo(hand("cuhk").model)
    for letter in shown.values():
        assert there.distance(hand("cuhk").joints(letter.commands)) > 0.0029
    for reason in refused.values():
        assert "no order of the fingers" in reason


def test_handshapes_that_would_collide_are_pushed_apart():
    one = hand("cuhk")
    checker = collision_checker(one.model)
    letter = read_alphabet().letters["S"]
    nominal = one.joints(one.convert(letter.right)[0])
    assert checker(nominal)  # thumb and fingers overlap
    fitted = fit_letter(one, letter, checker, 0.003)
    assert fitted.distance >= 0.003
    assert 0 < fitted.moved < np.radians(40)


def test_what_cannot_be_shown_is_reported():
    with pytest.raises(InputError, match="letter 'A' cannot be shown by 'parloma_hand' with its parts 80 mm apart"):
        fit_letter(hand(), read_alphabet().letters["A"], collision_checker(hand().model), 0.08)


def test_signs_with_two_hands_need_two(tmp_path):
    open_hand = "thumb = [0, 0], index = [0, 0], middle = [0, 0], ring = [0, 0], little = [0, 0], palm = 'forward'"
    (tmp_path / "two.toml").write_text(
        'format = "carpal-alphabet-1"\nname = "two"\n[palms]\nforward = { fingers = [0, 0, 1], palm = [1, 0, 0] }\n'
        f"[letters]\nA = {{ {open_hand} }}\nB = {{ {open_hand}, left = {{ {open_hand} }} }}\n"
    )
    shown, refused = letters_of(hand(), read_alphabet(tmp_path / "two.toml"))
    assert list(shown) == ["A"]
    assert refused == {"B": "it needs two hands, and 'parloma' has one."}


def test_letters_that_a_stand_cannot_tell_apart():
    """H and U of ASL differ by the palm direction alone, U and V by the spread."""
    there = Signer("parloma", arm="none", alphabet="asl")
    assert "taken for 'U'" in there.refused["H"] and "taken for 'K'" in there.refused["P"]
    assert {"U", "V", "K", "A", "S"} <= set(there.letters)
    names = list(there.letters)
    for i, a in enumerate(names):
        for b in names[:i]:
            one, two = there.letters[a].letter.right, there.letters[b].letter.right
            away = np.abs(
                there.hand.joints(there.letters[a].commands) - there.hand.joints(there.letters[b].commands)
            ).max()
            assert one.motion != two.motion or away >= ALIKE


def test_a_repeated_letter_on_a_stand_without_wrist_opens_the_hand(four_digits):
    plan = Signer("allegro", alphabet="asl").plan("LL")
    assert plan.ok and plan.played == ("L", "L")
    assert (
        Signer("allegro", alphabet="asl")
        .plan("JO")
        .discarded[0]
        .reason.startswith("its motion needs a wrist or an arm")
    )


@pytest.fixture
def four_digits():
    try:
        return sign_hand("allegro")
    except CarpalError as problem:
        pytest.skip(str(problem))


def test_four_digits_show_all_handshapes_and_fold_ring_and_little_finger(four_digits):
    known = read_alphabet("asl")
    shown, refused = letters_of(four_digits, known)
    assert len(shown) == 26 and not refused
    assert four_digits.bend_of("ring", known.letters["I"].right).tolist() == [0, 0]  # the little finger's
    assert four_digits.bend_of("ring", known.letters["W"].right).tolist() == [0, 0]  # the ring finger's
    assert four_digits.bend_of("ring", known.letters["U"].right).tolist() == [1, 1]
    for one in shown.values():  # the joints bend as the driver says, both outer ones together
        q = four_digits.joints(four_digits.convert(one.letter.right)[0])
        base, outer = four_digits.bend_of("index", one.letter.right)
        at = [q[four_digits.model.q_index(joint)] for joint in ("joint_1.0", "joint_2.0", "joint_3.0")]
        assert np.allclose(np.degrees(at), [80 * base, 90 * outer, 80 * outer], atol=1e-6)
