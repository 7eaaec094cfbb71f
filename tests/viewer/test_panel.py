from types import SimpleNamespace

import pytest

from carpal.report.viser_server import closed_server
from carpal.tasks import task_class
from carpal.viewer.panel import Panel
from carpal.viewer.session import ENDED, IDLE, PAUSED, RUNNING

NAMES = (
    "start", "pause", "step", "play", "terminate", "task", "options", "speed", "scrub", "save recording", "load recording",
    "write report", "save settings", "load settings",
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
        panel = Panel(server, ("reach",), actions, lambda name: task_class(name).Options)
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
    panel.list_files(["a<b>.parquet"])
    assert "a&lt;b&gt;.parquet" in panel._listing.content
    panel.list_files([])
    assert "nothing saved yet" in panel._listing.content
