"""The status line that every page of the studio has: one sentence, or the error of the last action."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from html import escape
from typing import Any

from carpal.errors import CarpalError
from carpal.report import palette

BLUE, COLOURS = palette.BRAND, palette.STATUS


class StatusLine:
    """A sentence at the top of a page.

    Args:
        server: a viser server.
    """

    def __init__(self, server: Any) -> None:
        self._status = server.gui.add_html(status_html("idle", "Ready."))

    def say(self, text: str, kind: str = "good", client: Any = None) -> None:
        """Put a sentence into the status line of every page; a page that asked for something also gets a note."""
        text = text[:1].upper() + text[1:]
        self._status.content = status_html(kind, text)
        if client is not None:
            color = {"bad": "red", "good": "green"}.get(kind)
            client.add_notification("Carpal", text, auto_close_seconds=6.0, color=color)

    def guard(self, action: Callable[[Any], None]) -> Callable[[Any], None]:
        """An action whose mistakes become one sentence on the page; what the server itself changed is no action."""

        def act(event: Any) -> None:
            if event.client is None:
                return
            try:
                action(event.client)
            except CarpalError as problem:
                self.say(str(problem), "bad", event.client)
            except Exception as problem:
                traceback.print_exc(file=sys.stderr)
                self.say(f"the studio failed: {type(problem).__name__}: {problem}", "bad", event.client)

        return act


def status_html(kind: str, text: str) -> str:
    """The status line; text is escaped."""
    return (
        f'<div data-kind="{kind}" id="carpal-status" style="margin:.5em 1em .4em;padding:.55em .8em;border-radius:8px;'
        f"background:{palette.PAPER};border-left:4px solid {COLOURS[kind]};font-size:.86em;line-height:1.4;"
        f'overflow-wrap:anywhere">{escape(text)}</div>'
    )
