"""Contacts, targets and paths over a scene: a dot in the colour of the mode, the force as an arrow, places with their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.engines import touching
from carpal.report import solids
from carpal.report.palette import FORCE, MODES, TARGET, css
from carpal.report.scene_view import SceneView
from carpal.tasks import Mark, MovingMark

if TYPE_CHECKING:
    from viser import ViserServer

MOST = 24
"""Contacts that are drawn at once."""
AWAY = np.array([0.0, 0.0, -900.0])
"""Where marks wait that are not needed [m]."""
LONGEST, LONGEST_MOVING = 0.22, 0.45
"""Arrow of the largest contact force, and of the largest of a task's own, in reaches of the scene."""
WORDS = {"": "touching", **{mode: mode for mode in MODES if mode}}


class SceneMarks:
    """Marks that are made once and moved.

    Args:
        server: the view's viser server.
        view: what they lie over.
        largest: the largest force that will be shown [N]; it grows with what is shown.
    """

    def __init__(self, server: ViserServer, view: SceneView, largest: float = 1.0) -> None:
        self._server, self._view, self._largest = server, view, max(largest, 1e-9)
        self._dots: Any = None
        self._arrows: Any = None
        self._static: list[Any] = []
        self._kinds: list[str] = []
        self._moving: list[tuple[MovingMark, dict[str, Any]]] = []
        self._strongest = 1.0
        self.modes: set[str] = set()
        """Modes that were shown."""

    def show_contacts(self, contacts: Sequence[Any]) -> None:
        """Draw the contacts of a moment, the strongest first where there are many."""
        touches = [c for c in touching(contacts) if c.mode != "free"]
        touches = sorted(touches, key=lambda c: -float(np.linalg.norm(c.force)))[:MOST]
        if self._dots is None:
            if not touches:
                return
            self._make()
        points, colours = np.tile(AWAY, (MOST, 1)), np.zeros((MOST, 3), np.uint8)
        ends = np.tile(AWAY, (MOST, 1))
        for i, touch in enumerate(touches):
            points[i], colours[i] = touch.point, MODES.get(str(touch.mode), MODES[""])
            self._largest = max(self._largest, float(np.linalg.norm(touch.force)))
            self.modes.add(str(touch.mode))
        for i, touch in enumerate(touches):
            side = -1.0 if touch.b in ("", None) else 1.0  # on what can move, where one side is the world
            ends[i] = points[i] + side * LONGEST * self._view.reach / self._largest * np.asarray(touch.force)
        with self._server.atomic():
            self._dots.batched_positions = points.astype(np.float32)
            self._dots.batched_colors = colours
            self._arrows.points = np.stack([points, ends], 1).astype(np.float32)

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Draw a task's targets and paths in place of those drawn before."""
        for node in self._static:
            node.remove()
        self._static, self._kinds = [], []
        scene, reach = self._server.scene, self._view.reach
        for i, mark in enumerate(marks):
            where = f"{self._view.root}/marks/{i}"
            if mark.kind == "path" and len(mark.points) > 1:
                ends = np.stack([mark.points[:-1], mark.points[1:]], 1).astype(np.float32)
                self._static.append(
                    scene.add_line_segments(where, ends, TARGET, thickness=2.5, thickness_units="screen")
                )
            else:
                self._static.append(scene.add_icosphere(where, 0.014 * reach, TARGET, opacity=0.65, subdivisions=3))
                self._static[-1].position = mark.points[0]
            spot = mark.points[0] + 0.03 * reach * self._view.up
            self._static.append(scene.add_label(f"{where}_name", mark.name, position=spot, anchor="bottom-center"))
            self._kinds.append(mark.kind)

    def show_moving(self, marks: Sequence[MovingMark]) -> None:
        """Make the nodes of forces and words in place of those before; `move_to` shows them."""
        for node in self._moving_nodes():
            node.remove()
        self._moving = []
        lengths = [
            float(np.linalg.norm(m.vectors, axis=1).max()) for m in marks if m.vectors is not None and len(m.vectors)
        ]
        self._strongest = max([1e-9, *lengths])
        scene, reach = self._server.scene, self._view.reach
        for i, mark in enumerate(marks):
            where, nodes = f"{self._view.root}/moving/{i}", dict[str, Any]()
            if mark.vectors is not None:
                nodes[""] = scene.add_arrows(
                    where, np.tile(AWAY, (1, 2, 1)), mark.colour, shaft_radius=0.006 * reach, head_radius=0.015 * reach,
                    head_length=0.034 * reach,
                )  # fmt: skip
            for k, word in enumerate(sorted({word for word in mark.words if word})):
                nodes[word] = scene.add_label(
                    f"{where}_{k}",
                    word,
                    font_size_mode="screen",
                    font_screen_scale=2.0,
                    anchor="bottom-center",
                    visible=False,
                )
            self._moving.append((mark, nodes))

    def move_to(self, time: float) -> None:
        """Show forces and words of a time [s]."""
        for mark, nodes in self._moving:
            row = mark.row(time)
            if mark.vectors is not None:
                end = mark.points[row] + LONGEST_MOVING * self._view.reach / self._strongest * mark.vectors[row]
                seen = np.linalg.norm(mark.vectors[row]) > 1e-3 * self._strongest
                nodes[""].points = (np.stack([mark.points[row], end]) if seen else np.tile(AWAY, (2, 1)))[None].astype(
                    np.float32
                )
            for word, node in nodes.items():
                if word:
                    shown = mark.words[row] == word
                    if node.visible != shown:
                        node.visible = shown
                    if shown:
                        node.position = mark.points[row]

    def _moving_nodes(self) -> list[Any]:
        return [node for _, nodes in self._moving for node in nodes.values()]

    def legend(self) -> list[tuple[str, str]]:
        """(CSS colour, words) of everything that was drawn."""
        return legend_rows(sorted(self.modes), self._kinds) + [
            (css(mark.colour), mark.name) for mark, _ in self._moving
        ]

    def remove(self) -> None:
        """Take the marks out of the scene."""
        for node in (self._dots, self._arrows, *self._static, *self._moving_nodes()):
            if node is not None:
                node.remove()
        self._dots = self._arrows = None
        self._static, self._kinds, self._moving, self.modes = [], [], [], set()

    def _make(self) -> None:
        reach, scene = self._view.reach, self._server.scene
        ball, faces = solids.sphere(0.009 * reach)
        places, turns = np.tile(AWAY, (MOST, 1)).astype(np.float32), np.tile([1.0, 0.0, 0.0, 0.0], (MOST, 1))
        self._dots = scene.add_batched_meshes_simple(
            f"{self._view.root}/contact_points", ball.astype(np.float32), faces.astype(np.uint32),
            batched_wxyzs=turns.astype(np.float32), batched_positions=places,
            batched_colors=np.zeros((MOST, 3), np.uint8), cast_shadow=False,
        )  # fmt: skip
        self._arrows = scene.add_arrows(
            f"{self._view.root}/contact_forces", np.stack([places, places], 1), FORCE, shaft_radius=0.003 * reach,
            head_radius=0.008 * reach, head_length=0.018 * reach,
        )  # fmt: skip


def legend_rows(modes: Sequence[str], kinds: Sequence[str]) -> list[tuple[str, str]]:
    """(CSS colour, words) of modes of contacts and kinds of marks."""
    rows = [(css(MODES.get(mode, MODES[""])), WORDS.get(mode, mode)) for mode in modes]
    if modes:
        rows.append((css(FORCE), "contact force"))
    if kinds:
        rows.append((css(TARGET), " and ".join(dict.fromkeys(kinds))))
    return rows


def legend_html(rows: Sequence[tuple[str, str]]) -> str:
    """The legend as one line of HTML; empty where nothing is drawn."""
    return " &nbsp; ".join(
        f'<span class="carpal-key" style="white-space:nowrap"><span style="color:{colour}">&#9679;</span>&nbsp;{words}</span>'
        for colour, words in rows
    )


def largest_force(contacts: Sequence[Sequence[Any]]) -> float:
    """The largest force [N] over the rows of a recording; 0 where nothing touches."""
    return max((float(np.linalg.norm(c.force)) for row in contacts for c in touching(row)), default=0.0)
