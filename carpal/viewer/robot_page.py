"""A page that shows a model: meshes, frames, collision shapes, joint sliders, and a target that is dragged with live IK."""

from __future__ import annotations

import threading
import time as clock
from html import escape
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import CarpalError, InputError, unknown_name
from carpal.kinematics import satisfy_constraints
from carpal.model import Model, real_array
from carpal.report import SceneLayers, SceneView
from carpal.spatial import Array, rotation_from_wxyz, wxyz_from_rotation
from carpal.viewer.joint_sliders import JointSliders
from carpal.viewer.page import ServedPage
from carpal.viewer.reaching import ASKED, moved_frames, reach, target_of, usual_question
from carpal.viewer.status import BLUE, StatusLine

SLIDERS_EVERY = 0.25
"""While a target is dragged the sliders follow so often [s]."""
INLINE_HEIGHT = 560
LIGHT_FACES = 10_000
"""Triangles of all mesh files of a robot that is drawn lightly."""
ROOM = 1.3
"""Around the robot in the first picture, for the target's handles."""


class RobotPage(ServedPage):
    """A server that shows one model until it is closed; `carpal.view` makes it.

    Args:
        model: what is shown.
        q: configuration (nq); home by default.
        frame: that the target moves; the tool by default.
        host, port: as of the studio; port 0 takes a free one.
        frames, collisions: whether frames and collision shapes are shown at first.
        shadows: whether light casts shadows.
        light: coarse meshes, no shadows and half the resolution, so that a processor draws a dragged robot fluently; by default
            where the browser has no graphics card.

    Example:
        >>> with carpal.view(carpal.load("panda")) as page:
        ...     page.q = page.q + 0.1
    """

    def __init__(
        self,
        model: Model,
        q: ArrayLike | None = None,
        *,
        frame: str | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
        frames: bool = False,
        collisions: bool = False,
        shadows: bool = True,
        light: bool | None = None,
    ) -> None:
        self.model = model
        self._q = self._checked(np.asarray(model.assembled().q_home) if q is None else q)
        choices = moved_frames(model)
        if frame is not None and frame not in choices:
            raise unknown_name(f"frame of model '{model.name}' that a joint moves", frame, choices)
        self._lock = threading.RLock()
        self._asked, self._ended = threading.Event(), threading.Event()
        self._light_asked = bool(light)
        super().__init__(host, port, f"carpal: {model.name}", light=None if light is False else self._ask_light)
        self._wanted: tuple[Array, bool] | None = None
        self._shown_at = 0.0
        self.answers = 0
        """Targets that were answered since the page was opened."""
        self.light = bool(light)
        """Whether the robot is drawn lightly."""
        self._server.scene.configure_default_lights(cast_shadow=shadows and not self.light)
        faces = LIGHT_FACES if self.light else None
        self.view = SceneView(self._server, model, self._q[None], margin=ROOM, faces=faces)
        self.layers = SceneLayers(self._server, self.view)
        self._controls(choices, frame, frames, collisions)
        self.q = self._q
        self._worker = threading.Thread(target=self._work, daemon=True)
        self._worker.start()

    @property
    def q(self) -> Array:
        """The configuration (nq) that is shown; set it to move the robot."""
        return self._q.copy()

    @q.setter
    def q(self, values: ArrayLike) -> None:
        q = self._checked(values)
        with self._lock:
            self._show(q)
            self._put_target()

    def wait(self) -> None:
        """Keep the page open until `close` is called or Ctrl-C is pressed."""
        try:
            while not self._ended.wait(0.2):
                pass
        except KeyboardInterrupt:
            self.close()

    def close(self) -> None:
        """End the page; open browser windows keep their last picture."""
        if not self._ended.is_set():
            self._ended.set()
            self._asked.set()
            self._worker.join(2.0)
            super().close()

    def __repr__(self) -> str:
        where = "closed" if self._ended.is_set() else self.url
        return f"<page of '{self.model.name}': {where}>"

    def _repr_html_(self) -> str:
        if self._ended.is_set():
            return f"<p>{escape(repr(self))}</p>"
        return (
            f'<iframe title="{escape(self.model.name, quote=True)}" src="{self.url}" width="100%" height="{INLINE_HEIGHT}" '
            'style="border:1px solid #e2e8f0;border-radius:8px"></iframe>'
        )

    def _checked(self, values: ArrayLike) -> Array:
        q = real_array(values, "q")
        if q.shape != (self.model.nq,) or not np.isfinite(q).all():
            raise InputError(
                f"q of model '{self.model.name}' must be {self.model.nq} finite numbers; got {q.tolist()!r:.80}."
            )
        return np.array(q)

    def _controls(self, choices: tuple[str, ...], frame: str | None, frames: bool, collisions: bool) -> None:
        gui, scene = self._server.gui, self._server.scene
        gui.configure_theme(show_logo=False, show_share_button=False, brand_color=BLUE)
        gui.main_panel.dock_right()
        gui.main_panel.set_width(320)
        self._line = StatusLine(self._server)
        guard = self._line.guard
        self.gizmo: Any = None
        if choices:
            with gui.add_folder("Target"):
                self.frame = gui.add_dropdown("frame", choices, initial_value=frame or choices[0])
                usual = usual_question(self.model, frame or choices[0])
                self.asked = gui.add_dropdown(
                    "asks for", ASKED, initial_value=usual, hint="What the frame has to meet."
                )
            self.frame.on_update(guard(lambda _: self._other_frame()))
            self.asked.on_update(guard(lambda _: self._put_target()))
            self.gizmo = scene.add_transform_controls(
                "/target", scale=0.17 * self.view.reach, line_width=3.0, depth_test=False
            )
            self.gizmo.on_update(self._dragged)
        with gui.add_folder("Show"):
            self.show_frames = gui.add_checkbox("frames", frames)
            self.show_collisions = gui.add_checkbox("collision shapes", collisions)
            self.show_target = gui.add_checkbox("target", True)
            home, whole = gui.add_button("HOME"), gui.add_button("SEE ALL")
        for box in (self.show_frames, self.show_collisions, self.show_target):
            box.on_update(guard(lambda _: self._layers()))
        home.on_click(guard(lambda _: self._go_home()))
        whole.on_click(guard(self.view.frame))
        with gui.add_folder("Joints"):
            self.sliders = JointSliders(gui, self.model, guard(lambda _: self._slid()))
        self._line.say(f"showing {self.model.name}: {self.model.nv} freedoms, {len(self.model.bodies)} bodies.", "idle")
        self._layers()

    def _layers(self) -> None:
        with self._lock:
            self.layers.show_frames(bool(self.show_frames.value))
            self.layers.show_collisions(bool(self.show_collisions.value))
            self.layers.move(self._q)
            if self.gizmo is not None:
                self.gizmo.visible = bool(self.show_target.value)

    def _go_home(self) -> None:
        self.q = np.asarray(self.model.assembled().q_home)

    def _slid(self) -> None:
        with self._lock:
            q = self.sliders.put_into(self._q)
            if self.model.is_constrained:
                closed = satisfy_constraints(self.model, q)
                if not closed:
                    self._line.say(str(closed.status), "bad")
                    return
                q = np.asarray(closed.q, float)
            self._show(q, sliders=self.model.is_constrained)
            self._put_target()

    def _other_frame(self) -> None:
        if self.frame.value not in moved_frames(self.model):
            raise unknown_name("frame", self.frame.value, moved_frames(self.model))
        self.asked.value = usual_question(self.model, self.frame.value)
        self._put_target()

    def _show(self, q: Array, *, sliders: bool = True) -> None:
        with self._lock:
            self._q = q
            self.view.show(q)
            self.layers.move(q)
            if sliders:
                self.sliders.follow(q)

    def _put_target(self) -> None:
        """Take the target to where its frame is."""
        if self.gizmo is not None:
            X = target_of(self.model, self.frame.value, self._q)
            self.gizmo.position, self.gizmo.wxyz = X[:3, 3], wxyz_from_rotation(X[:3, :3])

    def _ask_light(self) -> None:
        """A browser without a graphics card has opened the page."""
        self._light_asked = True
        self._asked.set()

    def _draw_lightly(self) -> None:
        self.light = True
        self._server.scene.configure_default_lights(cast_shadow=False)
        with self._lock:
            self.view.redraw(LIGHT_FACES)

    async def _dragged(self, event: Any) -> None:
        """Keep the newest target; asynchronous, so that targets stay in order."""
        X = np.eye(4)
        X[:3, :3] = rotation_from_wxyz(np.asarray(event.target.wxyz, float))
        X[:3, 3] = event.target.position
        self._wanted = (X, getattr(event, "phase", "update") == "end")
        self._asked.set()

    def _work(self) -> None:
        while not self._ended.is_set():
            self._asked.wait()
            self._asked.clear()
            if self._light_asked and not self.light:
                self._draw_lightly()
            wanted, self._wanted = self._wanted, None
            if wanted is not None and not self._ended.is_set():
                try:
                    self._answer(*wanted)
                except CarpalError as problem:
                    self._line.say(str(problem), "bad")
                except Exception as problem:  # the page must not freeze over one target
                    self._line.say(f"the search failed: {type(problem).__name__}: {problem}", "bad")

    def _answer(self, X_WT: Array, ended: bool) -> None:
        """Solve for one target: near the shown configuration while it moves, everywhere when it is let go."""
        answer = reach(self.model, self.frame.value, X_WT, self._q, self.asked.value, attempts=None if ended else 1)
        now = clock.perf_counter()
        sliders = ended or now - self._shown_at > SLIDERS_EVERY
        if sliders:
            self._shown_at = now
        with self._server.atomic():
            self._show(answer.q, sliders=sliders)
            if sliders or not answer.ok:
                self._line.say(answer.status, "good" if answer.ok else "bad")
        self.answers += 1
