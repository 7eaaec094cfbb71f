"""A recording as something to look at: inline in a notebook, saved as a file, or opened in a browser."""

from __future__ import annotations

import tempfile
import webbrowser
from pathlib import Path
from typing import Any

from carpal.model import Model
from carpal.report import replay_frame, replay_html


class ReplayPage:
    """A stand-alone replay; `carpal.view(recording)` makes it.

    Args:
        recording: what happened.
        model: what moved; the recording's own by default.
        speed: seconds of motion per second of watching.
    """

    def __init__(self, recording: Any, model: Model | None = None, *, speed: float = 1.0) -> None:
        self.title = str(recording.status)
        self.html = replay_html(recording, model, speed=speed)

    def save(self, file: str | Path) -> Path:
        """Write it as one HTML file that needs no network."""
        path = Path(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.html, encoding="utf-8")
        return path

    def open(self) -> Path:
        """Write it to a temporary file and open that in the browser."""
        path = self.save(Path(tempfile.mkdtemp(prefix="carpal_")) / "replay.html")
        webbrowser.open(path.as_uri())
        return path

    def __repr__(self) -> str:
        return f"<replay, {len(self.html) / 1e6:.1f} MB: {self.title}>"

    def _repr_html_(self) -> str:
        return replay_frame(self.html, self.title)
