"""The in-process transport: everybody gets everything in order, also what is sent from inside a handler."""

import threading
import time

from carpal.labs.sign.link.transport import InProcess, Ticker


def test_everybody_gets_everything_in_order():
    one, two, done = [], [], threading.Event()
    with InProcess() as line:
        line.subscribe("a", one.append)
        line.subscribe("a", lambda data: (two.append(data), line.publish("b", data)))
        line.subscribe("b", lambda data: data == b"99" and done.set())
        for i in range(100):
            line.publish("a", b"%d" % i)
        assert done.wait(10)
    assert one == two == [b"%d" % i for i in range(100)]
    line.publish("a", b"after")
    assert len(one) == 100


def test_what_was_published_before_a_subscription_is_not_for_it():
    held, busy, done, late = threading.Event(), threading.Event(), threading.Event(), []
    with InProcess() as line:
        line.subscribe(
            "a", lambda data: (busy.set(), held.wait(10)) if data == b"0" else done.set() if data == b"2" else None
        )
        for data in (b"0", b"1"):
            line.publish("a", data)
        assert busy.wait(10)  # "1" waits while the thread is at "0"
        line.subscribe("a", late.append)
        line.publish("a", b"2")
        held.set()
        assert done.wait(10)
        line.publish("a", b"3")
        while len(late) < 2:
            time.sleep(0.001)
    assert late == [b"2", b"3"]


def test_a_ticker_ends():
    count = []
    ticker = Ticker(lambda: count.append(1), 0.001)
    while len(count) < 3:
        time.sleep(0.001)
    ticker.stop()
    n = len(count)
    time.sleep(0.02)
    assert len(count) == n
