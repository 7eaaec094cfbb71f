"""A call at its receiver: any order of arrival gives the same letters once, gaps are asked for, and given up exactly."""

import numpy as np

from carpal.labs.sign.link.incoming import FIRST_ASK, LONGEST_ASK, IncomingCall


def arrived(letter):
    return (letter, "italian", 0)


def test_any_order_and_repeats_hand_every_letter_out_once():
    rng = np.random.default_rng(3)
    for _ in range(200):
        n = int(rng.integers(1, 40))
        text = [chr(65 + int(i)) for i in rng.integers(0, 26, n)]
        arrivals = np.concatenate([rng.permutation(n), rng.integers(0, n, n)])
        rng.shuffle(arrivals)
        call, out = IncomingCall("c", "anna", 0.0), []
        announced_at = int(rng.integers(0, 2 * n))
        for k, i in enumerate(arrivals):
            if k == announced_at:
                call.announced(n, True, False, 0.0)
            call.add(int(i), arrived(text[i]), 0.0)
            out += call.ready()
        assert [i for i, _ in out] == list(range(n)) and [x[0] for _, x in out] == text
        assert call.upto == n and call.missing() == () and call.complete == (announced_at < 2 * n)


def test_gaps_are_asked_for_with_growing_patience():
    call = IncomingCall("c", "anna", 0.0)
    call.add(0, arrived("A"), 0.0)
    call.add(3, arrived("D"), 0.0)
    asked = [t for t in np.arange(0.0, 4.0, 0.005) if call.ask(t)]
    assert call.missing() == ((1, 2),) and abs(asked[0] - FIRST_ASK) < 0.01
    gaps = np.diff(asked)
    assert (np.diff(gaps) > -0.006).all() and gaps[-1] <= LONGEST_ASK + 0.006
    call.add(1, arrived("B"), 4.0)
    assert call.missing() == ((2, 2),)
    call.add(2, arrived("C"), 4.0)
    assert not call.missing() and not any(call.ask(t) for t in (4.1, 5.0, 9.0))


def test_silence_gives_up_exactly_what_is_missing():
    call = IncomingCall("c", "anna", 0.0)
    for i in (0, 1, 4, 6):
        call.add(i, arrived("A"), 0.0)
    call.announced(9, True, False, 1.0)
    call.ready()
    assert not call.give_up(5.9, 5.0) and call.give_up(6.1, 5.0)
    assert call.lost == {2, 3, 5, 7, 8} and call.complete and not call.cut
    assert [i for i, _ in call.ready()] == [4, 6]
    assert not call.add(3, arrived("Z"), 7.0) and call.ready() == []


def test_a_signer_that_lives_but_does_not_repeat():
    call = IncomingCall("c", "anna", 0.0)
    call.add(1, arrived("B"), 0.0)
    given = next(t for t in np.arange(0.0, 20.0, 0.1) if call.announced(2, True, False, t) or call.give_up(t, 5.0))
    assert 9.9 < given < 10.3 and call.lost == {0}


def test_a_signer_that_falls_silent_without_an_end():
    call = IncomingCall("c", "anna", 0.0)
    call.add(0, arrived("A"), 0.0)
    assert call.give_up(5.1, 5.0) and call.cut and call.complete and not call.lost


def test_what_was_played_before_is_not_asked_for():
    call = IncomingCall("c", "anna", 0.0, played={0, 1, 2}, lost={3})
    call.announced(6, True, False, 0.0)
    assert call.upto == 4 and call.missing() == ((4, 5),) and call.ready() == []
    call.add(4, arrived("E"), 0.0)
    assert [i for i, _ in call.ready()] == [4]
