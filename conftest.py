"""Shared by all tests: figures that are asserted and, in `make verify`, written down as evidence."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

pytest_plugins = ["browser_fixtures"]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # a shell that runs the tests in the background makes them, and every program that they start, deaf to Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

FIGURES = os.environ.get("CARPAL_FIGURES")  # a file of JSON lines; unset in `make test`


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one file go to one worker: what they set up is needed once. Those in a browser may run again and say so."""
    for item in items:
        if "watch" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=2))
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`figure("what was measured", value, bound)` asserts value <= bound and records both; `at_least=True` turns it round."""

    def check(what: str, measured: float, bound: float, *, at_least: bool = False, note: str = "") -> None:
        ok = measured >= bound if at_least else measured <= bound
        if FIGURES:
            row = {
                "what": what,
                "measured": float(measured),
                "bound": float(bound),
                "sense": ">=" if at_least else "<=",
                "ok": bool(ok),
                "note": note,
                "test": request.node.nodeid.partition("@")[0],
            }
            with Path(FIGURES).open("a") as file:
                file.write(json.dumps(row) + "\n")
        assert ok, f"{what}: measured {measured:.3g}, must be {'>=' if at_least else '<='} {bound:.3g}"

    return check
