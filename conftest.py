"""Shared by all tests: figures that are asserted and, in `make verify`, written down as evidence."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

pytest_plugins = ["browser_fixtures"]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # a shell that runs the tests in the background makes them, and every program that they start, deaf to Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What compiles the whole modal engine or the planners takes minutes from a cold cache: for `make verify`
SLOW_TO_COMPILE = re.compile(
    r"engines/modal/kernels/test_(books|certificate|contact_rows|cutting|detection|event_step|free_motion|impact_stage|moving"
    r"|passing|projection|resting|run|run_accurate|time_step|tree_blocks)\.py|engines/modal/test_(engine|mode_table|reports|tables)\.py"
    r"|test_modal_(?!evidence)|test_a_ball_does_not_notice"
    r"|planning/planners/|test_plan_commands\.py|\[modal\]|16_plan_a_motion|20_dexterity|21_swinging_payload|22_retrieve"
)
FIGURES = os.environ.get("CARPAL_FIGURES")  # a file of JSON lines; unset in `make test`


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow to compile as one of the full counts."""
    for item in items:
        if SLOW_TO_COMPILE.search(item.nodeid) and item.path.name != "test_architecture.py":  # it only names such files
            item.add_marker(pytest.mark.full)


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
                "test": request.node.nodeid,
            }
            with Path(FIGURES).open("a") as file:
                file.write(json.dumps(row) + "\n")
        assert ok, f"{what}: measured {measured:.3g}, must be {'>=' if at_least else '<='} {bound:.3g}"

    return check
