"""The studio's files: recordings, reports and settings in the run folder, and files that a page sends."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from carpal.errors import InputError
from carpal.report import recorded_model, recorded_score, recorded_task, write_report
from carpal.viewer.files import (
    RECORDING,
    REPORT,
    SETTINGS,
    inside,
    kept_upload,
    listed,
    load_settings,
    recording_path,
    runs_below,
    save_settings,
)
from carpal.viewer.panel import NONE, Panel
from carpal.viewer.session import Session


def whole(value: Any, what: str) -> int:
    """A whole number from a field of the page, which may be empty."""
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"the {what} must be a whole number; got {str(value)[:60]!r}.") from None


class StudioFiles:
    """What the buttons about files do; a part of `Studio`."""

    folder: Path
    panel: Panel
    session: Session
    _playing: tuple[float, float] | None

    if TYPE_CHECKING:  # the studio's own

        def _task(self) -> Any: ...
        def _forget(self) -> None: ...
        def _preview(self) -> None: ...
        def _hand_of(self, name: str) -> None: ...

    def _found(self, _client: Any) -> None:
        name = self.panel.found.value
        if name != NONE:
            self.panel.file.value = name

    def _upload(self, client: Any) -> None:
        """Keep a file that a page sent in the run folder: a robot for the task, or a recording to show."""
        sent = self.panel.upload.value
        path = kept_upload(self.folder, sent.name, sent.content)
        if path.suffix == RECORDING:
            self.panel.file.value = path.name
            self._load(client)
            return
        from carpal.model import load

        model = load(path, untrusted=True)
        self.panel.options.offer_robot(path.name, str(path))
        self._forget()
        self.panel.say(f"{model.name} is chosen: {model.nv} freedoms, {len(model.bodies)} bodies.", "good", client)

    def _save(self, client: Any) -> None:
        recording = self.session.recording
        if recording is None:
            raise InputError("there is nothing to save yet; START a run first.")
        path = recording.save(inside(self.folder, self.panel.file.value, RECORDING))
        self._done(f"Saved as {path.name}.", client)

    def _load(self, client: Any) -> None:
        from carpal.engines import Recording

        path = recording_path(self.folder, self.panel.file.value)
        recording = Recording.load(path)
        model, task = recorded_model(recording), recorded_task(recording)
        score = recorded_score(recording, task)
        self._playing = None
        self.session.adopt(recording, model, task, score)
        self.panel.say(f"Loaded {path.name}: {self.session.status}", "good", client)

    def _report(self, client: Any) -> None:
        if self.session.recording is None:
            raise InputError("there is nothing to report yet; START a run first.")
        made = {"recording": self.session.recording, "score": self.session.score}
        path = write_report(type("Run", (), made), inside(self.folder, self.panel.file.value, REPORT))
        self._done(f"Report written as {path.name}.", client)

    def _save_settings(self, client: Any) -> None:
        path = inside(self.folder, self.panel.file.value, SETTINGS)
        task = self._task()
        from carpal.tasks import options_as_dict

        save_settings(path, task.name, options_as_dict(task.options), whole(self.panel.seed.value, "seed"))
        self._done(f"Settings saved as {path.name}.", client)

    def _load_settings(self, client: Any) -> None:
        from carpal.tasks import make_task, tasks

        name, options, seed = load_settings(inside(self.folder, self.panel.file.value, SETTINGS))
        if name not in tasks():
            raise InputError(f"unknown task '{name[:60]}' in the settings; valid: {', '.join(tasks())}.")
        make_task(name, **options)  # refuses bad values before anything on the page changes
        self.panel.choose(name)
        self._hand_of(name)
        self.panel.options.fill(options)
        self.panel.seed.value = seed
        self._preview()
        self._done("Settings loaded.", client)

    def _done(self, text: str, client: Any) -> None:
        self.panel.say(text, "good", client)
        self._list()

    def _list(self) -> None:
        names = [name for end in (RECORDING, SETTINGS, REPORT) for name in listed(self.folder, end)]
        self.panel.list_files(names + runs_below(self.folder))
