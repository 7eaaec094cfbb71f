"""The studio: a browser page on this machine to choose a task, run it, look at it from all sides and keep it (viser)."""

from __future__ import annotations

import threading
import time as clock
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import CarpalError, InputError, unknown_name
from carpal.model import Model
from carpal.report import SceneMarks, SceneView
from carpal.viewer.controls import option_fields
from carpal.viewer.page import ServedPage
from carpal.viewer.panel import SPEEDS, Panel
from carpal.viewer.plots import LIVE_ROWS, run_charts, task_charts
from carpal.viewer.session import PAUSED, Session
from carpal.viewer.studio_files import StudioFiles, whole

PORT = 8400
BETWEEN = 0.75
"""Width over height of what a usual window leaves for the scene between plots and controls."""
TICK, PLOT_EVERY = 0.05, 0.7


class Studio(StudioFiles, ServedPage):
    """One server, one run, any number of pages.

    Args:
        folder: the run folder; the page reads and writes files only there.
        host: 127.0.0.1, or an address of this machine that others reach; then the page asks for a token. With the
            environment variable CARPAL_STUDIO_TOKEN it asks for that one, on 127.0.0.1 too.
        port: 0 takes a free one.
        task: what the page opens with; the registry's first by default.

    Example:
        >>> with Studio("out/studio", task="catch") as studio:
        ...     print(studio.url)
    """

    def __init__(
        self,
        folder: str | Path = "out/studio",
        *,
        host: str = "127.0.0.1",
        port: int = PORT,
        task: str | None = None,
    ) -> None:
        from carpal.tasks import tasks

        if task is not None and task not in tasks():
            raise unknown_name("task", task, tasks())
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise InputError(f"the run folder '{folder}' cannot be made: {problem.strerror}.") from None
        super().__init__(host, port, "carpal studio")
        self.session = Session(self.folder / f"last_run_{self.port}")
        self.view: SceneView | None = None
        self._drawing = threading.RLock()
        self._seen: tuple[Any, ...] = ()
        self._playing: tuple[float, float] | None = None
        self._plotted, self._drawn, self._unplotted = 0.0, np.empty(0), False
        actions = {
            "start": self._start, "pause": lambda _: self.session.pause(), "step": self._step, "play": self._play,
            "terminate": lambda _: self.session.terminate(), "task": self._choose, "options": self._changed,
            "upload": self._upload, "found": self._found,
            "speed": lambda _: self.session.set_speed(self._speed()), "scrub": self._scrub,
            "save recording": self._save, "load recording": self._load, "write report": self._report,
            "save settings": self._save_settings, "load settings": self._load_settings,
        }  # fmt: skip
        first = task or tasks()[0]
        names = (first, *(name for name in tasks() if name != first))
        self.panel = Panel(self._server, names, actions, option_fields)
        self._preparing: float | None = None
        self._marks: SceneMarks | None = None
        self._robot = self._chosen_robot()
        self.lab_panel: Any = None
        self._hand_of(first)
        self._preview()
        self.panel.follow(self.session)
        self._list()
        self._said = -1
        self._stop = threading.Event()
        self._ticker = threading.Thread(target=self._run, daemon=True)
        self._ticker.start()

    def close(self) -> None:
        """End the run and the server."""
        self._stop.set()
        if self.session.active:
            self.session.terminate(wait=5.0)
        self._ticker.join(2.0)
        super().close()

    # what the buttons do

    def _task(self) -> Any:
        from carpal.tasks import make_task, tasks

        if self.panel.task.value not in tasks():
            raise InputError(f"unknown task; valid: {', '.join(tasks())}.")
        return make_task(self.panel.task.value, **self.panel.options.values())

    def _speed(self) -> float:
        return SPEEDS.get(self.panel.speed.value, 1.0)

    def _start(self, _client: Any, paused: bool = False) -> None:
        task = self._task()
        self._preparing = clock.perf_counter()
        try:
            task.check()
            self._playing = None
            if self.lab_panel is not None:
                self.lab_panel.begin(task)
            self.session.start(task, whole(self.panel.seed.value, "seed"), speed=self._speed(), paused=paused)
        except BaseException:
            self._preparing = None
            raise

    def _step(self, client: Any) -> None:
        if not self.session.active:
            self._start(client, paused=True)
        self.session.step(whole(self.panel.steps.value, "number of steps"))

    def _play(self, _client: Any) -> None:
        recording = self.session.recording
        if recording is None or not len(recording.time):
            raise InputError("there is no recording to play; START a run or load one.")
        at = float(self.panel.time.value)
        self._playing = (clock.perf_counter(), at if at < recording.time[-1] - 1e-6 else float(recording.time[0]))

    def _scrub(self, _client: Any) -> None:
        if self.session.recording is not None or self.session.phase == PAUSED:
            self._playing = None
            self._show_at(float(self.panel.time.value))
            self._show_outcome(float(self.panel.time.value))

    def _choose(self, _client: Any) -> None:
        self.panel.choose(self.panel.task.value)
        self._hand_of(self.panel.task.value)
        self._forget()

    def _changed(self, _client: Any) -> None:
        """Another robot is another beginning; other options keep what is shown until the next run."""
        self.panel.options.show_resolved()
        if self._chosen_robot() != self._robot:
            self._forget()
        elif self.session.recording is None:
            self._preview()

    def _chosen_robot(self) -> Any:
        return self.panel.options.values().get("robot")

    def _forget(self) -> None:
        """Clear status, plots, slider and recording, and show where the chosen task would start."""
        self._robot = self._chosen_robot()
        if self.session.active:
            return
        self._playing = None
        self.session.forget()
        self.panel.clear()
        self.panel.follow(self.session)
        self._preview()

    def _hand_of(self, name: str) -> None:
        """The part of the page that a lab registered for its task."""
        from carpal.tasks import labs, load_door, task_class

        panel = labs()[name].panel if name in labs() else None
        if self.lab_panel is not None:
            self.lab_panel.remove()
            self.lab_panel = None
        if panel is not None:
            self.lab_panel = load_door(panel)(self._server, task_class(name), self.panel)
        self.panel.plots[1].prefer("u" if panel is None else "zyz")  # a servo inside an engine shows no torques

    # what is drawn

    def _preview(self) -> None:
        """The chosen task's scene where it would start."""
        if self.session.active:
            return
        task = self._task()
        model = getattr(task, "model", None) or task.scene().build()
        self._look_at(model, task.reset(np.random.default_rng(whole(self.panel.seed.value, "seed"))).q, task)

    def _look_at(self, model: Model, q: Any, task: Any) -> None:
        with self._drawing:
            if self._marks is not None:
                self._marks.remove()
            if self.view is not None:
                self.view.remove()
            self.view = SceneView(self._server, model, q, aspect=BETWEEN, view=getattr(task, "view", None))
            self._marks = SceneMarks(self._server, self.view)
            self._show_marks(task)
            for client in self._server.get_clients().values():
                self.view.frame(client)

    def _show_marks(self, task: Any, recording: Any = None) -> None:
        """Draw the task's targets and paths, and the legend of all that is drawn over the scene."""
        if self._marks is None:
            return
        try:
            self._marks.show_marks(() if task is None else task.marks(recording))
            self._marks.show_moving(() if task is None or recording is None else task.moving_marks(recording))
        except CarpalError:  # a target that cannot be is refused with its sentence when the run starts
            self._marks.show_marks(())
            self._marks.show_moving(())
        self.panel.show_legend(self._marks.legend())

    def _show_at(self, time: float) -> None:
        recording = self.session.rows()
        if recording is None or not len(recording.time) or not np.isfinite(time):
            return
        row = int(np.clip(np.searchsorted(recording.time, time), 0, len(recording.time) - 1))
        with self._drawing:
            if self.view is not None and self.view.model is self.session.model:
                self.view.show(recording.q[row])
                self._mark(recording.contacts[row])
                if self._marks is not None:
                    self._marks.move_to(time)

    def _mark(self, contacts: Any) -> None:
        if self.lab_panel is not None and hasattr(self.session.task, "levers"):
            self.lab_panel.show(contacts)
        elif self._marks is not None:
            self._marks.show_contacts(contacts)
            self.panel.show_legend(self._marks.legend())

    def _show_outcome(self, now: float, rows: Any = None) -> None:
        """Show the run's outcome in the lab's panel."""
        task = self.session.task
        rows = self.session.rows(LIVE_ROWS) if rows is None else rows
        if self.lab_panel is not None and hasattr(task, "outcome") and rows is not None and len(rows.time) > 1:
            self.lab_panel.show_outcome(task.outcome(rows), now)

    def _run(self) -> None:
        while not self._stop.wait(TICK):
            try:
                self._tick()
            except Exception as problem:  # the page must not freeze over one picture
                self.panel.say(f"the picture failed: {type(problem).__name__}: {problem}", "bad")

    def _tick(self) -> None:
        session = self.session
        self._report_preparing()
        now = (session.phase, session.status, session.ok, session.model, session.recording)
        changed = now != self._seen
        if session.model is not None and (self.view is None or self.view.model is not session.model) and changed:
            latest = session.latest()
            begun = session.first if latest is None else latest[1]  # a model's home may be far from where a run starts
            self._look_at(session.model, begun if session.recording is None else session.recording.q, session.task)
        if changed:
            self._seen = now
            self.panel.follow(session)
            self._ended(session.recording)
        latest = session.latest() if session.active else None
        if latest is not None and self.view is not None and latest[1] is not self._drawn:
            self._drawn = latest[1]
            with self._drawing:
                self.view.show(latest[1])
                self._mark(session.touching())
            self._slider(latest[0], max(session.task.duration, latest[0]))
            self._unplotted = True
        elif self._playing is not None and not session.active:
            self._advance(session.recording)
        # asked in every tick: a run that pauses right after a plot must still show its last steps
        if session.active and self._unplotted and clock.perf_counter() - self._plotted > PLOT_EVERY:
            self._plot(session.rows(LIVE_ROWS), live=True)

    def _ended(self, recording: Any) -> None:
        if recording is not None and len(recording.time):
            self._slider(float(recording.time[-1]), float(recording.time[-1]))
            self._plot(recording, live=False)
            self._show_at(float(recording.time[-1]))
            with self._drawing:
                self._show_marks(self.session.task, recording)
            self._list()

    def _report_preparing(self) -> None:
        """Say that the run is being prepared, and for how long, until its first step is there."""
        begun = self._preparing
        if begun is None:
            return
        if self.session.latest() is not None or (self.session.recording is not None and not self.session.active):
            self._preparing = None
            self._seen = ()
            return
        waited = clock.perf_counter() - begun
        if int(waited) != self._said:
            self._said = int(waited)
            self.panel.say(
                f"preparing, {waited:.0f} s; the first run on a machine compiles for up to a minute.", "busy"
            )

    def _advance(self, recording: Any) -> None:
        begun, at = self._playing or (0.0, 0.0)
        time = at + (clock.perf_counter() - begun) * (self._speed() or 1.0)
        if recording is None or time >= recording.time[-1]:
            self._playing = None
            time = float(recording.time[-1]) if recording is not None else 0.0
        self._slider(time, self.panel.time.max)
        self._show_at(time)

    def _slider(self, time: float, last: float) -> None:
        slider = self.panel.time
        if slider.max != last and last > 0:
            slider.max = last
        slider.value = min(time, slider.max)

    def _plot(self, rows: Any, *, live: bool) -> None:
        if rows is None or self.session.model is None:
            return
        self._plotted, self._unplotted = clock.perf_counter(), False
        found, time = run_charts(rows, self.session.model, live=live)
        task = self.session.task
        if (not live and self.session.score is not None) or (live and getattr(task, "live_curves", False)):
            found = task_charts(task, rows) + found
        self._show_outcome(float(rows.time[-1]), rows)
        for box in self.panel.plots:
            box.show(found, time)
