"""Studio page of the telephone: the signer's hand, the robots that show its letters, text, latency."""

from __future__ import annotations

import sys
import threading
import traceback
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import CarpalError, InputError
from carpal.labs.sign.demo import TelephoneDemo
from carpal.model import Scene
from carpal.report import COLOURS, SceneView
from carpal.spatial import Array
from carpal.viewer import BLUE, ServedPage, StatusLine

PORT, TICK = 8402, 0.05
APART = 0.8
"""[m] between two robots."""
BONES = [(0, 1), (1, 2), (2, 3), (3, 4)] + [
    pair for k in (5, 9, 13, 17) for pair in ((0, k), (k, k + 1), (k + 1, k + 2), (k + 2, k + 3))
]
"""Pairs of the 21 landmarks that are joined."""
HAND_AT, HAND_SCALE = np.array([0.4, -0.55, 0.72]), 1.8
"""[m] where the signer's hand is drawn, and how much larger than it is."""


class TelephonePage(ServedPage):
    """One server, one demo, any number of pages.

    Args:
        robots: that receive; those of the demo by default.
        host: 127.0.0.1, or an address of this machine that others reach; then the page asks for a token.
        port: 0 takes a free one.
        seed: of the person and the cameras.

    Example:
        >>> with TelephonePage(port=0) as page:
        ...     print(page.url)
    """

    def __init__(
        self, robots: tuple[str, ...] = ("parloma", "cuhk"), *, host: str = "127.0.0.1", port: int = PORT, seed: int = 0
    ) -> None:
        super().__init__(host, port, "carpal telephone")
        try:
            self.demo = TelephoneDemo(robots, seed=seed, watch=self._news)
        except CarpalError:
            super().close()
            raise
        scene = Scene("telephone")
        for k, (name, player) in enumerate(self.demo.players.items()):
            model = player.signer.mounted.model
            # the receivers' trunks would stand before the hands
            seen = model.replace(shapes=tuple(shape for shape in model.shapes if shape.name != "receiver"))
            scene.add_robot(seen, name=name, pose=(0.0, APART * k, 0.0))
        middle = 0.5 * (APART * (len(self.demo.players) - 1) + HAND_AT[1])
        view = ((2.2, middle - 0.05, 1.0), (0.3, middle, 0.64))
        self.view = SceneView(self._server, scene.build(), self._q(), view=view)
        self._panel()
        self._changed, self._drawn = True, np.zeros(0)
        self._run: threading.Thread | None = None
        self._stop = threading.Event()
        self._ticker = threading.Thread(target=self._follow, daemon=True, name="carpal telephone page")
        self._ticker.start()

    def close(self) -> None:
        """End the page; a text that is under way is shown to its end first, without waiting."""
        self._pace(False)
        if self._run is not None:
            self._run.join()
        self._stop.set()
        self._ticker.join()
        super().close()

    @property
    def busy(self) -> bool:
        """Whether a text is under way."""
        return self._run is not None and self._run.is_alive()

    def sign(self, text: str) -> None:
        """Let the person sign a text, in a thread of its own."""
        if self.busy:
            raise InputError("a text is being signed; wait for its end.")
        self.demo.alphabet.spell(text)
        self._pace(bool(self.real_time.value))
        self.say("busy", f"Signing '{text.strip()}' ...")
        self._run = threading.Thread(target=self._signed, args=(text,), daemon=True, name="carpal telephone")
        self._run.start()

    def say(self, kind: str, text: str) -> None:
        """Put a sentence into the status line."""
        self._status.say(text, kind)

    def _pace(self, real_time: bool) -> None:
        self.demo.real_time = real_time
        for player in self.demo.players.values():
            player.real_time = real_time

    def _signed(self, text: str) -> None:
        try:
            result = self.demo.run(text)
            self.say("good" if result else "bad", result.status)
        except CarpalError as problem:
            self.say("bad", str(problem))
        except Exception as problem:  # an error in a thread would go unnoticed
            traceback.print_exc(file=sys.stderr)
            self.say("bad", f"the telephone failed: {type(problem).__name__}: {problem}")

    def _panel(self) -> None:
        gui = self._server.gui
        gui.configure_theme(show_logo=False, show_share_button=False, brand_color=BLUE)
        gui.main_panel.dock_right()
        gui.main_panel.set_width(380)
        self._status = StatusLine(self._server)
        self.text = gui.add_text("text", "CIAO", hint="What the person signs; spaces are pauses.")
        self.real_time = gui.add_checkbox("real time", True, hint="Robots take the time that their motions need.")
        button = gui.add_button("SIGN", color="green")
        button.on_click(self._clicked)
        self._table = gui.add_html("")
        empty = np.array([1.0, 2.0])
        self._plot = gui.add_uplot(
            (empty, np.full(2, np.nan)), ({"label": "letter"}, {"label": "latency"}), height=210,
            scales={"x": {"time": False}}, padding=(14, 16, 0, 0), legend={"show": True},
            axes=({}, {"label": "latency [ms]", "labelSize": 18, "size": 52}),
        )  # fmt: skip
        self._bones = self._skeleton(self.demo.frames[0])
        self._server.scene.add_label("/signer/name", "the signer (simulated)", position=tuple(HAND_AT - (0, 0, 0.24)))
        for k, name in enumerate(self.demo.players):
            self._server.scene.add_label(f"/names/{name}", name, position=(0.4, APART * k, 1.02))

    def _skeleton(self, points: Array) -> Any:
        place = HAND_AT + HAND_SCALE * (points - points.mean(0))
        lines = place[np.array(BONES)]
        colours = np.full((len(BONES), 2, 3), (221, 107, 32), np.uint8)
        return self._server.scene.add_line_segments("/signer/hand", lines.astype(np.float32), colours, line_width=5.0)

    def _clicked(self, event: Any) -> None:
        if event.client is None:
            return
        try:
            self.sign(str(self.text.value))
        except CarpalError as problem:
            self.say("bad", str(problem))

    def _news(self) -> None:
        self._changed = True

    def _q(self) -> Array:
        return np.concatenate([player.configurations(player.at) for player in self.demo.players.values()])

    def _follow(self) -> None:
        while not self._stop.wait(TICK):
            try:
                self._tick()
            except Exception as problem:  # the page must not freeze over one picture
                traceback.print_exc(file=sys.stderr)
                self.say("bad", f"the picture failed: {type(problem).__name__}: {problem}")

    def _tick(self) -> None:
        q = self._q()
        if not np.array_equal(q, self._drawn):
            self.view.show(q)
            self._drawn = q
        if self._changed:
            self._changed = False
            self._table.content = table_html(self.demo)
            self._skeleton(self.demo.frames[len(self.demo.frames) // 2])
            self._latencies()

    def _latencies(self) -> None:
        result = self.demo.result
        if result is None:
            return
        rows = [outcome.latency.values_ms for outcome in result.outcomes.values()]
        count = max(len(row) for row in rows)
        if count < 2:
            return
        data = [np.arange(1.0, count + 1)]
        for row in rows:
            data.append(np.concatenate([row, np.full(count - len(row), np.nan)]))
        names = tuple(result.outcomes)
        series: list[dict[str, Any]] = [{"label": "letter"}]
        series += [{"label": name, "stroke": COLOURS[k], "width": 1.6} for k, name in enumerate(names)]
        # each assignment is a message of its own, and a page may draw between two: never more series than data
        if len(data) >= len(self._plot.data):
            self._plot.data = tuple(data)
        self._plot.series = tuple(series)
        self._plot.scales = {"x": {"time": False, "range": (1.0, float(count))}}
        self._plot.data = tuple(data)


def table_html(demo: TelephoneDemo) -> str:
    """Every letter: what was meant, read and sent, shown by each robot and read from it; text is escaped."""
    names = list(demo.players)
    head = "".join(f"<th>{escape(what)}</th>" for what in ("signed", "sent", *names))
    rows = []
    for row in list(demo.rows):
        cells = [_cell(row.letter, True), _cell(row.read or "none", row.read == row.letter)]
        for name in names:
            seen = row.seen.get(name)
            if seen is None:
                refused = demo.result is not None
                cells.append(_cell("not shown" if refused else "…", not refused))
            else:
                cells.append(_cell(f"{row.shown[name]} → {seen or 'none'}", seen == row.letter))
        rows.append(f"<tr>{''.join(cells)}</tr>")
    result = demo.result
    text = ""
    if result is not None:
        lines = [f"{escape(name)}: {escape(str(outcome.latency))}" for name, outcome in result.outcomes.items()]
        text = (
            f'<div id="carpal-latency" style="margin:.4em 1em;font-size:.8em;color:#4a5568">{"<br>".join(lines)}</div>'
        )
    style = "margin:.4em 1em;font-size:.88em;border-spacing:.9em .15em;text-align:left"
    return f'<table id="carpal-telephone" style="{style}"><tr>{head}</tr>{"".join(rows)}</table>{text}'


def _cell(text: str, good: bool) -> str:
    colour = "#1a202c" if good else "#c53030"
    return f'<td style="color:{colour}">{escape(text)}</td>'


def open_page(folder: str | Path, *, host: str, port: int) -> TelephonePage:
    """The page as the studio opens it."""
    return TelephonePage(host=host, port=port)
