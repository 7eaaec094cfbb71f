"""Legs: rates are derivatives, limits are kept, rest at both ends."""

import numpy as np
from sign_robots import plan, signer

from carpal.labs.sign.motion.legs import Leg, WordMotion, driven_columns, pace, timed_leg, tip_frames


def test_the_pace_is_a_quintic_at_rest_at_both_ends():
    x = np.linspace(0, 1, 10001)
    s, ds, dds = pace(x)
    assert s[0] == 0 and s[-1] == 1 and ds[0] == ds[-1] == dds[0] == dds[-1] == 0
    assert np.abs(np.gradient(s, x) - ds)[1:-1].max() < 1e-6
    assert np.abs(np.gradient(ds, x) - dds)[1:-1].max() < 1e-4
    assert abs(ds.max() - 1.875) < 1e-6


def test_rates_are_derivatives_of_positions(figure):
    motion = plan("CIAO").motion
    t = np.linspace(0.6, motion.duration - 0.1, 300)
    h = 1e-5
    inner = np.all([np.abs(t - start) > 2 * h for start in motion.starts], axis=0)
    t = t[inner]
    before, here, after = (motion.at(t + shift) for shift in (-h, 0.0, h))
    rate = np.abs((after[0] - before[0]) / (2 * h) - here[1]).max()
    change = np.abs((after[1] - before[1]) / (2 * h) - here[2]).max()
    figure("word motion: rate against its difference quotient [rad/s]", rate, 1e-6)
    figure("word motion: acceleration against its difference quotient [rad/s2]", change, 1e-4)


def test_before_and_after_it_rests():
    motion = plan("CIAO").motion
    for t in (-1.0, 0.0, motion.duration, motion.duration + 5):
        assert np.abs(motion.at(t)[1]).max() < 1e-12
    assert motion.letter_at(0.1) == ("C", 0)


def test_limits_are_kept():
    one, word = signer(), plan("CIAO")
    t = np.arange(0.0, word.duration, 1e-3)
    x, _, a = word.motion.at(t)
    rules, n = one.behaviour, one.mounted.arm.nq
    q = one.mounted.configuration(x[:, :n], one.hand.joints(x[:, n:]))
    speed = np.abs(np.diff(q, axis=0)).max(0) / 1e-3
    assert (speed <= rules.speed * one.mounted.model.v_max * 1.02).all()
    own = [n + i for i, name in enumerate(one.hand.commands) if not name.endswith("_tendon")]
    assert np.abs(a[:, np.r_[:n, own]]).max() <= rules.acceleration * 1.05
    assert len(driven_columns(one.mounted)) == n + len(own)
    assert len(tip_frames(one.mounted)) == 6


def test_nothing_to_move_is_no_leg():
    one = signer()
    c = np.zeros(len(one.hand.commands))
    assert timed_leg(one.mounted, one.behaviour, np.zeros((1, 7)), c, c, 0) is None


def test_a_standing_leg():
    c = np.arange(3.0)
    motion = WordMotion([Leg(0.5, np.ones((1, 2)), c, c, "A", 0), Leg(0.5, np.ones((1, 2)), c, c + 1, "", 1)], 2)
    assert np.allclose(motion.at(0.2)[0], [[1, 1, 0, 1, 2]])
    assert np.allclose(motion.at(1.0)[0], [[1, 1, 1, 2, 3]])
    assert motion.letter_at(0.7) == ("", 1)
