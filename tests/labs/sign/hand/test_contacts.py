"""Fingertips that meet: gaps by MuJoCo's own distances, and hands whose thumb does not reach."""

import numpy as np
import pytest
from sign_robots import HandInMuJoCo

from carpal.errors import CarpalError
from carpal.kinematics import fk
from carpal.labs.sign import HandMover, Signer, letters_of, read_alphabet, sign_hand
from carpal.labs.sign.hand.contacts import GAP, NEAR, TipContacts

MEET = {"D": [("thumb", "middle")], "F": [("thumb", "index")], "O": [("thumb", "index"), ("thumb", "middle")]}


def test_closed_letters_on_a_hand_whose_thumb_reaches(figure):
    hand = sign_hand("cuhk")
    shown, _ = letters_of(hand, read_alphabet("asl"))
    there = HandInMuJoCo(hand.model)
    for name, pairs in MEET.items():
        letter = shown[name]
        assert letter.letter.right.contact == tuple(pairs)
        q = hand.joints(letter.commands)
        figure(f"cuhk, {name}: largest gap of fingertips that meet [mm]", 1e3 * letter.gap, 1.0)
        assert there.distance(q) == pytest.approx(letter.distance, abs=2e-6) and letter.distance >= 0.6 * GAP
        # the nearest parts of the whole hand, by MuJoCo, are the tips that meet
        assert letter.distance <= letter.gap + 1e-9
    plan = Signer("cuhk", alphabet="asl", arm="none").plan("OFD")
    assert plan.ok and plan.played == ("O", "F", "D") and plan.distance >= 0.5e-3


def test_spheres_at_the_tips_of_the_allegro_hand_meet_by_their_centres():
    try:
        hand = sign_hand("allegro")
    except CarpalError as problem:
        pytest.skip(str(problem))
    shown, refused = letters_of(hand, read_alphabet("asl"))
    assert not refused
    radius = {s.body: s.shape.radius for s in hand.model.shapes if s.body.endswith("_tip")}
    tips = {"thumb": "link_15.0_tip", "index": "link_3.0_tip", "middle": "link_7.0_tip"}
    for name, pairs in MEET.items():
        q = hand.joints(shown[name].commands)
        for pair in pairs:
            a, b = (fk(hand.model, q, tips[finger])[:3, 3] for finger in pair)
            gap = np.linalg.norm(a - b) - sum(radius[tips[finger]] for finger in pair)
            assert 0.5 * GAP <= gap <= NEAR + 1e-6
    mover = HandMover(hand, Signer("allegro", alphabet="asl").mover.checker)
    move = mover.move(shown["O"].commands, shown["F"].commands)
    assert move.ok and 0.5e-3 < move.proven < 2e-3


def test_a_thumb_that_does_not_reach_says_its_gap():
    hand = sign_hand("parloma")
    shown, refused = letters_of(hand, read_alphabet("asl"))
    assert not refused and all(shown[name].gap > 0.02 for name in MEET)
    assert np.isnan(shown["A"].gap)
    contacts = TipContacts(hand, MEET["F"])
    assert contacts.closed(shown["F"].commands) is None
    # not a fault of the search: no drawn posture of thumb and index brings the tips nearer than five millimetres
    rng = np.random.default_rng(1)
    drawn = np.tile(shown["F"].commands, (2000, 1))
    drawn[:, contacts.moving] = rng.uniform(hand.low, hand.high, (2000, len(hand.low)))[:, contacts.moving]
    assert contacts.gaps(drawn).min() > 0.005


def test_mistakes_in_contacts_are_named(tmp_path):
    from carpal.labs.sign.files import tables

    text = (tables.DATA / "alphabets" / "asl.toml").read_text()
    for new, sentence in (
        ('[["thumb", "thumb"]]', "two different fingers"),
        ('[["thumb", "pinky"]]', "pinky"),
        ('"thumb"', "a list of pairs"),
    ):
        (tmp_path / "a.toml").write_text(text.replace('[["thumb", "middle"]]', new, 1))
        with pytest.raises(CarpalError, match=sentence):
            read_alphabet(tmp_path / "a.toml")
