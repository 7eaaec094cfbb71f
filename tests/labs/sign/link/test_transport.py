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


def test_a_ticker_ends():
    count = []
    ticker = Ticker(lambda: count.append(1), 0.001)
    while len(count) < 3:
        time.sleep(0.001)
    ticker.stop()
    n = len(count)
    time.sleep(0.02)
    assert len(count) == n
