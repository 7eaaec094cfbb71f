"""What a notebook shows of a recording: its replay, inside a frame that needs no server."""

from __future__ import annotations

from html import escape
from typing import Any

from carpal.model import Model
from carpal.report.replay import replay_html

HEIGHT = 480
"""Of the frame [pixels]."""


def notebook_html(recording: Any, model: Model | None = None) -> str:
    """The replay of a recording as HTML for the output of a notebook's cell; without rows only its sentence."""
    if not len(recording.time):
        return f"<p>{escape(str(recording.status))}</p>"
    return replay_frame(replay_html(recording, model), str(recording.status))


def replay_frame(page: str, title: str, height: int = HEIGHT) -> str:
    """A page of HTML inside another one, with its title below."""
    return (
        f'<iframe title="{escape(title, quote=True)}" srcdoc="{escape(page, quote=True)}" width="100%" height="{height}" '
        'style="border:1px solid #e2e8f0;border-radius:8px" sandbox="allow-scripts"></iframe>'
        f'<div style="color:#4a5568;font-size:.9em">{escape(title)}</div>'
    )
