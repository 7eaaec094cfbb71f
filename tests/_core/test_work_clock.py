import time

from numba.core import event

from carpal._core.work_clock import work_seconds


def compiling():
    return event.trigger_event("numba:compile", data={"dispatcher": "a stand-in"})


def test_it_stands_still_while_something_is_compiled():
    wall, work = time.perf_counter(), work_seconds()
    with compiling():
        time.sleep(0.02)
        with compiling():  # what is called is compiled within its caller, and must not count twice
            time.sleep(0.02)
    time.sleep(0.02)
    left_out = (time.perf_counter() - wall) - (work_seconds() - work)
    assert 0.04 <= left_out <= time.perf_counter() - wall - 0.02


def test_a_compilation_that_fails_counts_too():
    wall, work = time.perf_counter(), work_seconds()
    try:
        with compiling():
            time.sleep(0.02)
            raise TypeError
    except TypeError:
        pass
    assert (time.perf_counter() - wall) - (work_seconds() - work) >= 0.02
