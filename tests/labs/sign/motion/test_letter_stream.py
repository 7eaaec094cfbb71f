"""Letters one by one: each way begins where the last one ended and keeps the rules; what cannot be shown moves nothing."""

import numpy as np
import pytest
from sign_robots import signer

from carpal.labs.sign.motion.letter_stream import LetterStream


@pytest.mark.parametrize("robot", ["parloma", pytest.param("cuhk", marks=pytest.mark.full)])
def test_a_text_letter_by_letter(robot):
    who = signer(robot)
    stream, n = LetterStream(who), who.mounted.arm.nq
    model = who.mounted.model
    for letter in "CIAAO Z":
        plan = stream.plan(letter)
        assert plan, plan
        ends = plan.motion.at([0.0, plan.shown, plan.motion.duration])[0]
        assert np.abs(ends[0] - stream.x).max() < 1e-9
        if letter != " ":
            assert not plan.plan.problem and plan.plan.distance >= who.behaviour.distance
            assert plan.plan.peak_share <= who.behaviour.speed * 1.05
            q = plan.plan.q
            assert (q >= model.q_min - 1e-6).all() and (q <= model.q_max + 1e-6).all()
            assert np.allclose(
                np.delete(ends[1][n:], who.hand.wrist), np.delete(who.letters[letter].commands, who.hand.wrist)
            )
        stream.stand(plan)
        assert np.abs(ends[-1] - stream.x).max() < 1e-9
    begun = LetterStream(who).x
    home = stream.home()
    assert home and np.abs(home.motion.at([home.motion.duration])[0][0][n:] - begun[n:]).max() < 1e-9


def test_what_cannot_be_shown_moves_nothing():
    who = signer("parloma")
    known = who.letters.pop("M")
    who.refused["M"] = "the hand cannot get into it."
    stream = LetterStream(who)
    before = stream.x
    for letter, reason in (
        ("M", "cannot get into it"),
        ("7", "not in the alphabet 'italian'"),
        ("CIAO", "not in the alphabet"),
    ):
        plan = stream.plan(letter)
        assert not plan and reason in plan.reason and plan.motion is None and str(plan) == plan.reason
    assert (stream.x == before).all()
    who.letters["M"] = known
    del who.refused["M"]


def test_a_letter_that_follows_itself_is_separated_by_a_nod():
    stream = LetterStream(signer("parloma"))
    stream.stand(stream.plan("O"))
    plan = stream.plan("O")
    x = plan.motion.at(np.linspace(0, plan.motion.duration, 50))[0]
    assert np.abs(x - x[0]).max() > np.radians(11) and np.abs(x[-1] - x[0]).max() < 1e-9
