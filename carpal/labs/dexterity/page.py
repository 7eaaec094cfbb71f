"""The hand's own part of the studio's page: joint targets, overrides during the run, keys, contacts, timeline."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from carpal.errors import CarpalError
from carpal.viewer import ContactMarks, timeline_html

KEY_STEP = 3.0
"""Degrees by which a key moves a target."""
KEYS = {"U": (0, 1.0), "J": (0, -1.0), "I": (1, 1.0), "K": (1, -1.0), "O": (2, 1.0), "L": (2, -1.0)}
"""Letters that move the chosen finger: joint (0 spreads, 1 and 2 bend) and direction; W A S D Q E move the camera."""
RUN_KEYS = {"G": "start", "P": "pause", "N": "step", "X": "terminate"}


class HandPanel:
    """What the page of `dexterity` has more than other tasks' pages.

    Args:
        server: a viser server.
        kind: the task's class, which has the names of the `fingers` in the order of the joints.
        panel: the page's panel: its actions by name for the keys, its tab of plots for the timeline.
    """

    def __init__(self, server: Any, kind: Any, panel: Any) -> None:
        self._server, self._gui = server, server.gui
        self.fingers: tuple[str, ...] = kind.fingers
        self.marks = ContactMarks(server)
        self.task: Any = None
        self._parts: list[Any] = []
        self._quiet = False
        self._overrides_folder(panel.before_options)
        self._targets_folder(panel)
        with panel.plots_tab:
            self._tab = self._gui.add_folder("Timeline of contacts")
        with self._tab:
            self._timeline = self._gui.add_html(
                timeline_html(np.zeros(0), np.zeros((0, len(self.fingers))), self.fingers, 0.0)
            )
            self._grasp = self._gui.add_html("")
        self._parts.append(self._tab)
        self._keys(panel.guarded_actions())

    def _overrides_folder(self, order: float) -> None:
        folder = self._gui.add_folder("While it runs", order=order)
        with folder:
            self.friction = self._gui.add_slider("friction now", 0.0, 1.5, 0.01, 0.6)
            self.restitution = self._gui.add_slider("restitution now", 0.0, 1.0, 0.01, 0.95)
            self.gravity = self._gui.add_slider("gravity now [m/s²]", 0.0, 20.0, 0.1, 9.8)
        for name in ("friction", "restitution", "gravity"):
            getattr(self, name).on_update(lambda event, name=name: self._set(name, event))
        self._parts.append(folder)

    def _targets_folder(self, panel: Any) -> None:
        folder = self._gui.add_folder("Joint targets", order=panel.before_options + 0.1, expand_by_default=False)
        self.sliders: list[Any] = []
        with folder:
            self.by_hand = self._gui.add_checkbox(
                "by hand", False, hint="The sliders move the fingers instead of the example."
            )
            self.finger = self._gui.add_dropdown("keys move", self.fingers, initial_value=self.fingers[1])
            for finger in self.fingers:
                for k, (low, high) in enumerate(((-30, 30), (-30, 100), (-10, 110)), start=1):
                    self.sliders.append(self._gui.add_slider(f"{finger} {k} [deg]", low, high, 0.5, 0.0))
            use = self._gui.add_button("START FROM THESE ANGLES", hint="Fills the option `joints`.")
        use.on_click(panel.guard(lambda _: panel.options.fill({"joints": self.degrees()})))
        self.by_hand.on_update(lambda event: self._set("targets", event))
        for slider in self.sliders:
            slider.on_update(lambda event: self._set("targets", event))
        self._parts.append(folder)

    def _keys(self, actions: dict[str, Callable[[Any], None]]) -> None:
        for letter, name in RUN_KEYS.items():
            self._command(name.capitalize(), letter, actions[name])
        for letter, (joint, way) in KEYS.items():
            words = ("Spread", "Bend base", "Bend tip")[joint] + (" +" if way > 0 else " -")
            self._command(words, letter, functools.partial(self._key, joint, way))
        for k, finger in enumerate(self.fingers, start=1):
            self._command(f"Keys move the {finger}", str(k), functools.partial(self._choose, finger))

    def _key(self, joint: int, way: float, _event: Any) -> None:
        self.nudge(joint, way * KEY_STEP)

    def _choose(self, finger: str, _event: Any) -> None:
        self.finger.value = finger

    def _command(self, label: str, letter: str, act: Callable[[Any], None]) -> None:
        command = self._gui.add_command(f"Hand: {label}", hotkey=letter)
        command.on_trigger(act)
        self._parts.append(command)

    def remove(self) -> None:
        """Take everything off the page."""
        for part in self._parts:
            part.remove()
        self.marks.remove()
        self._parts = []

    def begin(self, task: Any) -> None:
        """Start of a run: sliders take the values of its example."""
        self.task = task
        example = task.chosen_example
        self._quiet = True
        try:
            self.friction.value = min(example.friction, 1.5)
            self.restitution.value = 0.95 if example.restitution is None else example.restitution
            self.gravity.value = min(example.gravity, 20.0)
            if not self.by_hand.value:
                for slider, value in zip(self.sliders, np.degrees(task.setting.targets[0]), strict=True):
                    slider.value = float(np.clip(value, slider.min, slider.max))
            else:
                task.overrides.set("targets", self.angles())
        finally:
            self._quiet = False

    def degrees(self) -> tuple[float, ...]:
        """Angles (15) [deg] of the sliders."""
        return tuple(float(slider.value) for slider in self.sliders)

    def angles(self) -> Any:
        """Targets (15) [rad] of the sliders."""
        return np.radians(self.degrees())

    def nudge(self, joint: int, degrees: float) -> None:
        """Move a joint of the finger that the keys move; the hand then goes by the sliders."""
        slider = self.sliders[3 * self.fingers.index(self.finger.value) + joint]
        self._quiet = True
        try:
            self.by_hand.value = True
            slider.value = float(np.clip(slider.value + degrees, slider.min, slider.max))
        finally:
            self._quiet = False
        if self.task is not None:
            self.task.overrides.set("targets", self.angles())

    def _set(self, name: str, event: Any) -> None:
        if self._quiet or event.client is None or self.task is None:
            return
        try:
            if name != "targets":
                self.task.overrides.set(name, getattr(self, name).value)
            elif self.by_hand.value:
                self.task.overrides.set("targets", self.angles())
            else:
                self.task.overrides.targets = None
        except CarpalError as problem:
            event.client.add_notification("Carpal", str(problem), auto_close_seconds=6.0, color="red")

    @property
    def mu(self) -> float:
        """Friction of the cones: the override where there is one."""
        if self.task is None:
            return float(self.friction.value)
        override = self.task.overrides.friction
        return float(self.task.chosen_example.friction if override is None else override)

    def show(self, contacts: Any) -> None:
        """Draw the contacts of a moment."""
        self.marks.show(contacts, self.mu)

    def show_outcome(self, outcome: Any, now: float) -> None:
        """Timeline of a run, and what the grasp is at a time."""
        hits = [(hit.time, hit.finger) for hit in outcome.hits]
        self._timeline.content = timeline_html(outcome.time, outcome.contacts.mode, self.fingers, now, hits)
        from carpal.contact import force_closure

        grasp = outcome.grasp_at(outcome.row(now))
        text = "Nothing presses on the object." if grasp is None else str(force_closure(grasp)).capitalize()
        self._grasp.content = (
            f'<div id="carpal-grasp" style="padding:.1em 1em .5em;font-size:.78em;color:#4a5568">{text}</div>'
        )
