from types import SimpleNamespace

import pytest

from carpal.report.viser_server import closed_server
from carpal.viewer.controls import option_fields
from carpal.viewer.panel import NONE, Panel, reasons_html
from carpal.viewer.session import ENDED, IDLE, PAUSED, RUNNING

NAMES = (
    "start", "pause", "step", "play", "terminate", "task", "options", "speed", "scrub", "save recording", "load recording",
    "write report", "save settings", "load settings", "upload", "found",
)  # fmt: skip


class Client:
    def __init__(self):
        self.notes = []

    def add_notification(self, title, text, **_):
        self.notes.append(text)


@pytest.fixture
def panel():
    with closed_server() as server:
        done = []
        actions = {name: (lambda client, name=name: done.append(name)) for name in NAMES}
        panel = Panel(server, ("reach",), actions, option_fields)
        panel.done = done
        yield panel


def test_buttons_follow_the_run(panel):
    def enabled(phase, recording=None):
        session = SimpleNamespace(
            phase=phase, active=phase in (RUNNING, PAUSED), recording=recording, ok=True, status="ok"
        )
        panel.follow(session)
        handles = {"start": panel._start, "pause": panel._pause, "step": panel._step, "stop": panel._terminate}
        handles |= {"play": panel._play, "save": panel._save, "slider": panel.time}
        return {name for name, handle in handles.items() if not handle.disabled}

    assert enabled(IDLE) == {"start", "step"}
    assert enabled(RUNNING) == {"pause", "stop", "slider"}
    assert panel._pause.label == "PAUSE"
    assert enabled(PAUSED) == {"pause", "step", "stop", "slider"}
    assert panel._pause.label == "RESUME"
    assert enabled(ENDED, recording=1) == {"start", "step", "play", "save", "slider"}


def test_what_the_server_changes_is_no_action(panel):
    panel._guarded("scrub")(SimpleNamespace(client=None))
    assert panel.done == []
    panel._guarded("scrub")(SimpleNamespace(client=Client()))
    assert panel.done == ["scrub"]


def test_another_task_brings_its_own_fields(panel):
    before = panel.options
    panel.choose("reach")
    assert panel.options is not before and panel.options.values() == before.values()


def test_files_are_listed_as_text(panel):
    panel.list_files(["a.parquet", "reach/recording.parquet"])
    assert panel.found.options == (NONE, "a.parquet", "reach/recording.parquet")
    panel.found.value = "a.parquet"
    panel.list_files([])
    assert panel.found.options == (NONE,) and panel.found.value == NONE


def test_grey_buttons_have_a_reason():
    def reasons(phase, recording=None):
        return reasons_html(SimpleNamespace(phase=phase, active=phase in (RUNNING, PAUSED), recording=recording))

    assert "PAUSE and TERMINATE need a run" in reasons(IDLE) and "PLAY" in reasons(IDLE)
    assert "START waits" in reasons(RUNNING) and "STEP needs a pause" in reasons(RUNNING)
    assert "STEP" not in reasons(PAUSED) and "PLAY" not in reasons(ENDED, recording=1)


def test_clearing_empties_plots_and_slider(panel):
    import numpy as np

    from carpal.report import Chart

    panel.plots[0].show([Chart("q", "Joint angles", "rad", ("a", "b"), np.ones((5, 2)))], np.arange(5.0))
    panel.time.value = 0.5
    panel.clear()
    assert all(not np.isfinite(curve).any() for curve in panel.plots[0]._plot.data[1:]) and panel.time.value == 0.0


def test_the_legend(panel):
    panel.show_legend([("rgb(1,2,3)", "sliding")])
    assert "sliding" in panel._legend.content and "carpal-legend" in panel._legend.content
    panel.show_legend([])
    assert panel._legend.content == ""
