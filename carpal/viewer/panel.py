"""The studio's page: fields and buttons on the right, plots on the left, a status line that every page shares."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from carpal.report import legend_html, palette
from carpal.viewer.controls import OptionFields
from carpal.viewer.plots import PlotBox
from carpal.viewer.session import ENDED, PAUSED, RUNNING, Session
from carpal.viewer.status import BLUE, StatusLine

NONE = "choose a file"
MOST_FILES = 40
SPEEDS = {"real time": 1.0, "half speed": 0.5, "a tenth": 0.1, "as fast as possible": 0.0}


class Panel(StatusLine):
    """Everything that is on the page beside the scene.

    Args:
        server: a viser server.
        names: the tasks to choose from.
        actions: what each button does, by its name in lower case; called with the viser event's client.
        options_of: makes a task's fields in the panel, from viser's `gui` and the task's name.
    """

    def __init__(
        self,
        server: Any,
        names: tuple[str, ...],
        actions: dict[str, Callable[[Any], None]],
        options_of: Callable[[Any, str], OptionFields],
    ) -> None:
        self._server, self._actions, self._options_of = server, actions, options_of
        gui = server.gui
        gui.configure_theme(show_logo=False, show_share_button=False, brand_color=BLUE)
        self._dock()
        super().__init__(server)
        self._legend = gui.add_html("")
        self.task = gui.add_dropdown("task", names, initial_value=names[0])
        with gui.add_folder("Run"):
            self._start = self._button("START", "green", "PLAYER_PLAY")
            self._pause = self._button("PAUSE", None, "PLAYER_PAUSE")
            self._step = self._button("STEP", None, "PLAYER_TRACK_NEXT")
            self._terminate = self._button("TERMINATE", "red", "PLAYER_STOP")
            self.seed = gui.add_number("seed", 0, min=0, step=1, hint="Same seed, same bits.")
            self.speed = gui.add_dropdown("pace", tuple(SPEEDS), initial_value="real time")
            self._why = gui.add_html("")
            self.steps = gui.add_number("steps at a time", 10, min=1, max=100_000, step=1, hint="What STEP takes.")
        with gui.add_folder("Recording"):
            self.time = gui.add_slider("time [s]", 0.0, 1.0, 0.001, 0.0, disabled=True)
            self._play = self._button("PLAY", None, "REPEAT")
        self._folder = gui.add_folder("Options")
        with self._folder:
            self.options = options_of(gui, names[0])
        with gui.add_folder("Files in the run folder"):
            self.file = gui.add_text("file name", "run_1", hint="A plain name; files stay inside the run folder.")
            self._save = self._button("SAVE RECORDING")
            self._button("LOAD RECORDING")
            self._report = self._button("WRITE REPORT")
            self._button("SAVE SETTINGS")
            self._button("LOAD SETTINGS")
            self.found = gui.add_dropdown(
                "saved", (NONE,), initial_value=NONE, hint="Puts the name into the field above."
            )
            self.upload = gui.add_upload_button(
                "OPEN A FILE",
                hint="A robot (.urdf, .xml) for this task, or a recording (.parquet) of any --out folder.",
            )
            self.upload.on_upload(self._guarded("upload"))
            self.found.on_update(self._guarded("found"))
        self.task.on_update(self._guarded("task"))
        self.speed.on_update(self._guarded("speed"))
        self.time.on_update(self._guarded("scrub"))
        self._watch_options()

    def _dock(self) -> None:
        gui = self._server.gui
        gui.main_panel.dock_right()
        gui.main_panel.set_width(330)
        plots = gui.add_panel()
        self.plots_tab = plots.add_tab("Plots")
        with self.plots_tab:
            self.plots = (PlotBox(gui, "q"), PlotBox(gui, "u", place=1))
        plots.dock_left()
        plots.set_width(380)

    def _button(self, label: str, color: Any = None, icon: str | None = None) -> Any:
        import viser

        shape = None if icon is None else getattr(viser.Icon, icon)
        button = self._server.gui.add_button(label, color=color, icon=shape)
        button.on_click(self._guarded(label.lower()))
        return button

    def _guarded(self, name: str) -> Callable[[Any], None]:
        """One of the panel's actions, guarded."""
        return self.guard(lambda client: self._actions[name](client))

    @property
    def before_options(self) -> float:
        """Where on the page something goes that shall stand before the options."""
        return float(self._folder.order) - 0.5

    def guarded_actions(self) -> dict[str, Callable[[Any], None]]:
        """The actions by name, whose errors are shown on the page; called with an event."""
        return {name: self._guarded(name) for name in self._actions}

    def _watch_options(self) -> None:
        self.options.on_change(self._guarded("options"))

    def choose(self, name: str) -> None:
        """Show the options of another task."""
        self.options.remove()
        with self._folder:
            self.options = self._options_of(self._server.gui, name)
        self._watch_options()
        if self.task.value != name:
            self.task.value = name

    def list_files(self, names: list[str]) -> None:
        """Show what is in the run folder."""
        self.found.options = (NONE, *names[-MOST_FILES:])
        if self.found.value not in self.found.options:
            self.found.value = NONE

    def show_legend(self, rows: list[tuple[str, str]]) -> None:
        """Say what colours over the scene mean."""
        text = legend_html(rows)
        content = f'<div id="carpal-legend" style="font-size:.8em;padding:.2em 1em">{text}</div>' if text else ""
        if self._legend.content != content:
            self._legend.content = content

    def clear(self) -> None:
        """Be as before the first run: no curves, the slider at its start."""
        for box in self.plots:
            box.clear()
        self.time.value = 0.0

    def follow(self, session: Session) -> None:
        """Enable the buttons that make sense now."""
        active, recorded = session.active, session.recording is not None
        for handle, useful in (
            (self._start, not active), (self._pause, active), (self._step, not active or session.phase == PAUSED),
            (self._terminate, active), (self._play, recorded), (self._save, recorded), (self._report, recorded),
            (self.time, recorded or active), (self.task, not active),
        ):  # fmt: skip
            if handle.disabled == useful:
                handle.disabled = not useful
        self._why.content = reasons_html(session)
        label = "RESUME" if session.phase == PAUSED else "PAUSE"
        if self._pause.label != label:
            self._pause.label = label
        kind = {RUNNING: "busy", PAUSED: "busy", ENDED: "good" if session.ok else "bad"}.get(session.phase, "idle")
        self.say(session.status, kind)


def reasons_html(session: Session) -> str:
    """Why buttons are grey now."""
    if session.active:
        text = "START waits for the end of this run." + ("" if session.phase == PAUSED else " STEP needs a pause.")
    else:
        text = "PAUSE and TERMINATE need a run."
    if session.recording is None:
        text += " PLAY, SAVE RECORDING and WRITE REPORT need a recording."
    return (
        f'<div id="carpal-why" style="font-size:.76em;color:{palette.QUIET};padding:.1em 1em .3em">{escape(text)}</div>'
    )
