import time
from types import SimpleNamespace

import numpy as np
import pytest

from carpal.report.viser_server import closed_server
from carpal.viewer.plots import LIVE_ROWS, PlotBox, run_charts


@pytest.fixture(scope="module")
def gui():
    with closed_server() as server:
        yield server.gui


def test_a_box_shows_what_is_chosen(gui, reached):
    box = PlotBox(gui, "q")
    rec = reached.recording
    box.show(*run_charts(rec, rec.model, live=False))
    assert len(box._plot.data) == 8 and box._plot.series[1]["label"] == "j0"
    box._choice.value = "energy ledger"
    box._draw()
    assert [series["label"] for series in box._plot.series[1:]] == ["kinetic", "potential", "work in", "dissipated"]
    assert all(np.isfinite(values).all() for values in box._plot.data)


def test_a_running_run_is_thinned_first(reached):
    rec = reached.recording
    rows = SimpleNamespace(time=rec.time, q=rec.q, v=rec.v, u=rec.u, energy={})
    found, time = run_charts(rows, rec.model, live=True)
    assert len(time) == LIVE_ROWS == len(found[0].values)
    assert [chart.key for chart in found] == ["q", "v", "u", "tool"]


def test_a_running_run_titles_given_accelerations_as_the_report_does():
    from carpal.tasks import make_task
    from carpal.viewer.session import Session

    session = Session()
    session.start(make_task("mount", case=1), 0, speed=0.0, paused=True)
    session.step(450)  # more than a plot draws while it runs
    try:
        end = time.monotonic() + 60
        while session.rows() is None or len(session.rows().time) < 450:
            assert time.monotonic() < end, "waited in vain"
            time.sleep(0.01)
        rows = session.rows()
        titles = {chart.key: (chart.title, chart.unit) for chart in run_charts(rows, rows.model, live=True)[0]}
        assert titles["a"] == ("Commanded accelerations", "rad/s²") and "u" not in titles
    finally:
        session.terminate()
        session.wait(60)


def test_too_little_to_show_changes_nothing(gui, reached):
    rec = reached.recording
    box = PlotBox(gui, "u")
    before = box._plot.data
    rows = SimpleNamespace(time=rec.time[:1], q=rec.q[:1], v=rec.v[:1], u=rec.u[:1], energy={})
    box.show(*run_charts(rows, rec.model, live=True))
    assert box._plot.data is before


def test_a_box_offers_what_a_run_has_and_keeps_what_was_chosen(gui):
    from carpal.report.curves import Chart

    time = np.arange(3.0)
    found = [
        Chart(key, title, "m", ("a",), np.ones((3, 1))) for key, title in (("x", "Torques"), ("y", "Way"), ("u", "U"))
    ]
    first, second = PlotBox(gui, "q"), PlotBox(gui, "u", place=1)
    for box in (first, second):
        box.show(found, time)
    assert (first._choice.value, second._choice.value) == ("torques", "joint torques")
    assert tuple(first._choice.options) == ("torques", "way", "joint torques")
    first._choice.value = "way"
    first._choose(SimpleNamespace(client=object()))
    first.show(found[::-1], time)
    assert first._choice.value == "way"
    first.show(found[:1], time)
    assert first._choice.value == "torques"


def test_a_tasks_own_curves_stand_on_the_recordings_rows():
    from carpal.tasks import Curves
    from carpal.viewer.plots import task_charts

    some = Curves("k", "Some", "N", ("a",), np.array([1.0, 2.0]), np.array([[5.0], [6.0]]))
    task = SimpleNamespace(curves=lambda _: [some])
    (chart,) = task_charts(task, SimpleNamespace(time=np.arange(4.0)))
    assert np.array_equal(chart.values[:, 0], [np.nan, 5, 6, np.nan], equal_nan=True)
    assert task_charts(None, SimpleNamespace(time=np.arange(4.0))) == []
