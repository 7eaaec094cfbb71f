"""Studio page of pick-ups: images, marks, pose, plan, execution and stop (Leutenegger 2008, B.2).

The arm is moved by a separate process (`carpal.labs.retrieve.Execution`): this page starts it, shows its state and sends
requests. Closing the page or the studio does not affect it; the next page shows its current state.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np

from carpal.errors import CarpalError, InputError
from carpal.labs.retrieve.page_parts.camera_views import CAMERAS, CameraBoard, CameraGate
from carpal.labs.retrieve.page_parts.panel import PACES, RetrievePanel, number
from carpal.labs.retrieve.page_parts.scene_view import RetrieveView, colliding_pairs
from carpal.perception import find_marks, mark_spots
from carpal.report import Gate
from carpal.spatial import Array
from carpal.viewer import ServedPage

PORT = 8402
TICK = 0.15
STORED = "stored plan"
HELD = 0.02  # [m] openings below it hold the flap, if it is there


class RetrievePage(ServedPage):
    """One server, one execution, any number of pages.

    Args:
        folder: the run folder; the execution's files are in its sub-folder `execution`.
        host: as of `ServedPage`.
        port: 0 takes a free one.
        plan: a stored plan (`CyclePlan.to_dict`) that may be chosen instead of a planner.

    Example:
        >>> with RetrievePage("out/studio", port=0) as page:
        ...     print(page.url)
    """

    def __init__(
        self,
        folder: str | Path = "out/studio",
        *,
        host: str = "127.0.0.1",
        port: int = PORT,
        plan: dict[str, Any] | None = None,
    ) -> None:
        import carpal.labs.retrieve as retrieve

        self.board = CameraBoard()
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise InputError(f"the run folder '{folder}' cannot be made: {problem.strerror}.") from None
        super().__init__(host, port, "carpal retrieve", self._behind)
        self._retrieve: Any = retrieve
        self.execution = retrieve.Execution(Path(folder) / "execution")
        self._plan_given = plan
        self.world: Any = None
        self._image_pairs = 0
        self.localisation: Any = None
        self._drawing = threading.RLock()
        self._seen: Any = None
        self._motion: tuple[str, str, Array, Array] | None = None
        model = retrieve.true_model()
        self.view = RetrieveView(self._server, model)
        self._home = np.array(model.q_home)
        actions = {
            "new images": self._new_images, "try again": self._try_again, "find marks": self._find,
            "calculate": self._calculate, "plan": self._plan, "execute": self._execute, "stop": self._stop,
            "along": lambda _: self._show_along(), "motion": lambda _: self._show_along(), "pace": self._pace,
            "by hand": lambda _: self._show_by_hand(), "centre": self._centre,
        }  # fmt: skip
        limits = np.column_stack([model.q_min[:5], model.q_max[:5]])
        planners = (*retrieve.PLANNERS, *(() if plan is None else (STORED,)))
        self.panel = RetrievePanel(self._server, actions, planners, limits, float(model.q_max[5]))
        self._new_images(None)
        self._ending = threading.Event()
        self._ticker = threading.Thread(target=self._run, daemon=True, name="carpal-retrieve-page")
        self._ticker.start()

    def _behind(self, gate: Gate) -> Gate:
        return CameraGate(gate, self.board)

    def close(self) -> None:
        """End the server; what is being executed goes on."""
        self._ending.set()
        self._ticker.join(5.0)
        super().close()

    # what the buttons do

    def _new_images(self, _client: Any) -> None:
        seed = number(self.panel.seed.value, "seed")
        if seed < 0 or seed != int(seed):
            raise InputError(f"the seed must be a whole number, 0 or above; got {seed:g}.")
        self.world = self._retrieve.RetrieveWorld(self.panel.relay(), seed=int(seed))
        left, right = self.world.images(self._image_pairs)
        (here, _), (there, _) = mark_spots(self.world.pair, left, right, self._retrieve.RELAY.marks)
        self.board.show(left, right, (here, there))
        self._image_pairs += 1
        self._forget()
        self.draw(self._start_row())
        self.panel.say("New images: click the four marks in both.", "idle")

    def _forget(self) -> None:
        self.localisation = None
        self.panel.show_pose(None)

    def _try_again(self, _client: Any) -> None:
        self.board.clear()
        self._forget()

    def _centre(self, _client: Any) -> None:
        self.board.centring = bool(self.panel.centre.value)

    def _find(self, _client: Any) -> None:
        found = find_marks(self.world.pair, *self.board.images(), self._retrieve.RELAY.marks)
        if not found.ok or found.left is None or found.right is None:
            raise InputError(found.status)
        self.board.put(found.left, found.right, "The marks were found; check them, then CALCULATE.")
        self._forget()

    def _calculate(self, client: Any) -> None:
        points = self.board.points()
        self._forget()
        located = self._retrieve.locate_clicked(self.world.pair, *points, noise=self._noise())
        self.panel.show_pose(located.pose)
        if not located:
            self.board.say(located.status)
            raise InputError(located.status)
        self.localisation = located
        drawn = {
            camera: {"marks": pixels[:4].tolist(), "knob": pixels[4].tolist()}
            for camera, pixels in zip(CAMERAS, located.projected, strict=True)
        }
        self.board.project(drawn, "Red: where the pose puts flap and knob. Do they fit? Then PLAN.")
        self.draw(self._start_row())
        self.panel.say(located.status, "good", client)

    def _noise(self) -> float:
        return number(self.panel.noise.value, "accuracy of a click")

    def _plan(self, _client: Any) -> None:
        if self.localisation is None:
            raise InputError("the relay's pose is not known yet: click the marks, then CALCULATE.")
        self.panel.by_hand.value = False
        self.panel.say("The execution process starts.", "busy")
        chosen = str(self.panel.planner.value)
        how: dict[str, Any] = {"plan": self._plan_given} if chosen == STORED else {"planner": chosen}
        self.execution.start(
            self.world.relay_at, seed=self.world.seed, noise=self._noise(),
            points=(self.localisation.left, self.localisation.right), pace=self._chosen_pace(), **how,
        )  # fmt: skip

    def _execute(self, _client: Any) -> None:
        self.panel.by_hand.value = False
        self.execution.execute()

    def _stop(self, _client: Any) -> None:
        self.execution.stop()
        self.panel.say("Stop: the gripper opens and the arm goes home.", "busy")

    def _chosen_pace(self) -> float:
        return PACES.get(self.panel.pace.value, 1.0)

    def _pace(self, _client: Any) -> None:
        state = self.execution.state()
        if state is not None and state.active:
            self.execution.set_pace(self._chosen_pace())

    # what is drawn

    def _start_row(self) -> Array:
        """The arm at home; the relay where it is believed, or where it stands."""
        X = self.world.X_WO if self.localisation is None else self.localisation.X_WO
        row: Array = self._retrieve.true_rows(self._home[:5], self._home[5], X)
        return row

    def _show_along(self) -> None:
        with self._drawing:  # read inside: of two updates at a time the one that draws last shows the last values
            found = self._shown_motion()
            if found is None:
                return
            self.panel.by_hand.value = False
            time, q = found
            at = time[0] + 0.01 * number(self.panel.along.value, "place along the motion") * (time[-1] - time[0])
            self.draw(q[min(int(np.searchsorted(time, at)), len(time) - 1)])

    def _shown_motion(self) -> tuple[Array, Array] | None:
        state = self.execution.state()
        name = str(self.panel.motion.value)
        if state is None or name not in state.motions:
            return None
        key = (state.run, name if name == "planned" else f"{name} {len(state.done)}")
        if self._motion is None or self._motion[:2] != key:
            self._motion = (*key, *self.execution.motion(name))
        return self._motion[2], self._motion[3]

    def _show_by_hand(self) -> None:
        with self._drawing:
            if not self.panel.by_hand.value:
                self._seen = None  # the ticker shows again what is executed
                return
            row = self._start_row()
            row[:5] = np.radians([number(slider.value, "joint") for slider in self.panel.joints])
            row[5] = 1e-3 * number(self.panel.opening.value, "opening")
            self.draw(row)

    def draw(self, q: Array) -> None:
        """Show a configuration of the cycle's model; colliding shapes are red and listed."""
        held = bool(q[8] > 1e-3 or q[5] < HELD)  # the relay is off the ground, or the blades are nearly closed
        with self._drawing:
            pairs = colliding_pairs(self.view.model, q, held=held)
            self.view.show(q)
            self.view.mark(pairs)
            self.panel.show_pairs(pairs)

    def _run(self) -> None:
        while not self._ending.wait(TICK):
            try:
                self._tick()
            except CarpalError as problem:
                self.panel.say(str(problem), "bad")
            except Exception as problem:  # the page must not freeze over one image
                self.panel.say(f"the image failed: {type(problem).__name__}: {problem}", "bad")

    def _tick(self) -> None:
        state = self.execution.state()
        if state is None or state == self._seen:
            return
        before, self._seen = self._seen, state
        self.panel.enable(
            plan=not state.active, execute=state.phase == "waiting", stop=state.active and state.phase != "stopping",
            along=bool(state.motions), motion=bool(state.motions),
        )  # fmt: skip
        share = state.time / state.duration if state.duration > 0 else 0.0
        self.panel.show_stages(state.stages, state.stage, state.done, share)
        if before is None or before.motions != state.motions or before.run != state.run:
            self._offer(state.motions, state.phase)
        if before is None or (before.status, before.phase) != (state.status, state.phase):
            kind = "busy" if state.active else ("good" if state.ok else "bad")
            self.panel.say(state.status, kind)
        moving = state.phase in ("moving", "stopping", "ended", "lost") and state.q
        if moving and not self.panel.by_hand.value and (before is None or before.q != state.q):
            self.draw(np.array(state.q))

    def _offer(self, motions: tuple[str, ...], phase: str) -> None:
        """Let the slider run through the motions that there are."""
        if not motions:
            return
        self.panel.motion.options = motions
        self.panel.motion.value = motions[-1]
        self.panel.along.value = 0.0 if phase == "waiting" else 100.0
        if phase == "waiting" and (found := self._shown_motion()) is not None:
            self.draw(found[1][0])


def open_page(folder: str | Path, *, host: str, port: int) -> RetrievePage:
    """The page as the studio opens it."""
    return RetrievePage(folder, host=host, port=port)
