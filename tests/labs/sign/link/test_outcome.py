"""Outcomes: one true sentence each, percentiles that are among the values."""

import numpy as np

from carpal.labs.sign.link.outcome import CallOutcome, Latency, ReceiverReport, SendResult, written


def outcome(letters="CIAO", missing=(), cut=False, discarded=()):
    return CallOutcome("0" * 16, "anna", tuple(letters), missing, cut, False, discarded, Latency.of([]))


def test_percentiles():
    rng = np.random.default_rng(0)
    for n in (1, 2, 50, 99, 100, 101, 1000):
        rows = rng.integers(1, 10**9, n)
        found = Latency.of([int(i) for i in rows])
        assert found.count == n and found.largest_ms == rows.max() / 1e6
        for share, value in ((0.5, found.p50_ms), (0.99, found.p99_ms)):
            assert (rows / 1e6 <= value).mean() >= share and (rows / 1e6 < value).mean() < share
    assert Latency.of([]) == Latency(0, 0.0, 0.0, 0.0) and "1.00 ms (median)" in str(Latency.of([10**6]))


def test_sentences_of_a_receiver():
    assert outcome() and str(outcome()) == "'CIAO' from anna: 4 of 4 letters came."
    lost = outcome("C??O", ((1, 2),))
    assert not lost and str(lost) == "'C??O' from anna: 2 of 4 letters came; missing: 2-3."
    assert "anna fell silent after letter 4, its end is missing" in str(outcome(cut=True))
    assert "1 not shown, the first 'M' (3): too near." in str(outcome("CIM", discarded=((2, "M", "too near."),)))
    assert str(outcome("")) == "anna hung up." and written(["C", "CIAO"]) == "C[CIAO]"


def test_sentences_of_a_signer():
    good = ReceiverReport("r1", "parloma", 4, 4, (), True)
    assert SendResult("c", tuple("CIAO"), (good,)).ok
    assert str(SendResult("c", tuple("CIAO"), (good,))) == "4 letters sent, 1 of 1 receivers have shown all of them."
    gone = ReceiverReport("r2", "cuhk", 2, 1, (), False)
    bad = SendResult("c", tuple("CIAO"), (good, gone))
    assert not bad and "1 of 2 receivers have shown all of them; r2 (cuhk): 1 shown, silent since letter 2." in str(bad)
    holes = ReceiverReport("r3", "cuhk", 4, 3, ((1, 1),), True)
    assert not SendResult("c", tuple("CIAO"), (holes,)) and "missing 2" in str(holes)
    part = SendResult("c", tuple("CIAO"), (ReceiverReport("r4", "cuhk", 4, 3, (), True),))
    assert not part and part.finished and not bad.finished
    assert not SendResult("c", (), ()) and "no receiver is connected" in str(SendResult("c", (), ()))
