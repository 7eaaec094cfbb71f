"""Execution of a pick-up in a separate process that continues when its clients disconnect (proposed in Leutenegger 2008, 9.1).

`python -m carpal.labs.retrieve.execution.process FOLDER` executes the `order.json` of that folder; `Execution` starts it, reads
its state and sends requests. Both communicate only through files of the folder: no port is opened.
"""

from __future__ import annotations

import math
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.errors import CarpalError, InputError
from carpal.labs.retrieve.execution.files import ENDED, ExecutionFolder, ExecutionState
from carpal.labs.retrieve.execution.run import CycleRun
from carpal.tasks import whole_number

if TYPE_CHECKING:
    from carpal.spatial import Array

LEAVING = 10.0  # [s] a process may take to exit after its last state
START = 90.0  # [s] a process may take to publish its first state


class Execution:
    """One pick-up at a time, executed in a process of its own.

    Args:
        folder: where the process and those who watch it meet; another `Execution` of the same folder sees the same.

    Example:
        >>> execution = Execution("out/execution")
        >>> execution.start(relay=(0.42, 0.12, 0.6), planner="sbl", pace=20.0)
        >>> print(execution.state().status)
    """

    def __init__(self, folder: str | Path = "out/execution") -> None:
        self._folder = ExecutionFolder(folder)
        self._process: subprocess.Popen[bytes] | None = None

    def start(
        self,
        relay: tuple[float, float, float],
        *,
        seed: int = 0,
        planner: str = "sbl",
        points: tuple[Any, Any] | None = None,
        noise: float = 0.2,
        place: tuple[float, float] | None = None,
        plan: dict[str, Any] | None = None,
        pace: float = 1.0,
        ask: bool = True,
    ) -> None:
        """Begin: localise, plan, then wait for `execute`.

        Args:
            relay: where the simulated relay truly stands: x, y [m] and yaw [rad].
            seed: of everything that is drawn.
            planner: as of `RetrieveCycle`.
            points: (4, 2) clicked pixels in the left and the right image; None: the marks are detected.
            noise: deviation of a clicked coordinate [px].
            place: where to put the relay (x, y) [m]; None: the cycle's own place.
            plan: a stored plan (`CyclePlan.to_dict`), executed without planning.
            pace: seconds of the arm in a second; 0: as fast as possible.
            ask: wait for `execute` when the plan is there.
        """
        self._wait_until_free()
        run = secrets.token_hex(8)
        self._folder.write_order({
            "run": run, "relay": _numbers(relay, (3,), "relay"), "seed": whole_number("seed", seed), "planner": planner,
            "points": None if points is None else _numbers(points, (2, 4, 2), "points"), "noise": _numbers(noise, (), "noise"),
            "place": None if place is None else _numbers(place, (2,), "place"), "plan": plan, "pace": checked_pace(pace),
            "ask": bool(ask),
        })  # fmt: skip
        try:
            self._process = _spawn(self._folder.path)
        except OSError as problem:
            raise CarpalError(f"the execution cannot be started: {problem.strerror or problem}.") from None
        end = time.monotonic() + START
        while (state := self.state()) is None or state.run != run:
            if self._process.poll() is not None and ((state := self.state()) is None or state.run != run):
                raise CarpalError(f"the execution did not start; its log is '{self._folder.path / 'log.txt'}'.")
            if time.monotonic() > end:
                raise CarpalError(f"the execution did not start within {START:.0f} s.")
            time.sleep(0.05)

    def state(self) -> ExecutionState | None:
        """Where it stands; None where there was none yet."""
        if self._process is not None:
            self._process.poll()  # reap a child that has ended
        return self._folder.state()

    def motion(self, name: str) -> tuple[Array, Array]:
        """Times (n) [s] and rows (n, nq) of the "planned" or the "executed" motion, of the cycle's model."""
        return self._folder.motion(name)

    def execute(self) -> None:
        """Begin the motion that was planned."""
        state = self._active()
        self._folder.request("execute", run=state.run)

    def stop(self) -> None:
        """Stop: the gripper opens and the arm goes home."""
        self._active()
        self._folder.request("stop")

    def set_pace(self, pace: float) -> None:
        """Another pace from now on."""
        self._active()
        self._folder.request("pace", pace=checked_pace(pace))

    def wait(self, seconds: float) -> ExecutionState | None:
        """Wait for the end, or so long."""
        end = time.monotonic() + seconds
        while (state := self.state()) is not None and state.active and time.monotonic() < end:
            time.sleep(0.05)
        return state

    def _wait_until_free(self) -> None:
        """Refuse while another pick-up is executed; one that has reported its end releases the folder a moment later."""
        end = time.monotonic() + LEAVING
        while self._folder.running:
            state = self.state()
            if state is None or state.active or time.monotonic() > end:
                raise InputError("a pick-up is being executed already; wait for its end, or stop it.")
            time.sleep(0.02)

    def _active(self) -> ExecutionState:
        state = self.state()
        if state is None or not state.active:
            raise InputError("nothing is being executed; plan a pick-up first.")
        return state


def _numbers(value: Any, shape: tuple[int, ...], name: str) -> Any:
    """Finite numbers of a shape as plain lists, or one clear sentence."""
    try:
        array = np.array(value, float)
    except (TypeError, ValueError):
        array = np.full(1, np.nan)
    if array.shape != shape or not np.isfinite(array).all():
        wanted = "a finite number" if not shape else f"{shape[0] if len(shape) == 1 else shape} finite numbers"
        raise InputError(f"{name} must be {wanted}; got {value!r:.60}.")
    return array.tolist()


def checked_pace(pace: float) -> float:
    """A pace, or one clear sentence."""
    if isinstance(pace, bool) or not isinstance(pace, int | float) or not (math.isfinite(pace) and 0 <= pace <= 1000):
        raise InputError(
            f"the pace must be a number from 0 (as fast as possible) to 1000 seconds a second; got {pace!r}."
        )
    return float(pace)


def _spawn(folder: Path) -> subprocess.Popen[bytes]:
    environment = dict(os.environ)
    home = str(Path(__file__).parents[4])
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [home, environment.get("PYTHONPATH")]))
    with (folder / "log.txt").open("wb") as log:
        # a session of its own: neither Ctrl-C in the terminal nor the studio's end reaches it
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "carpal.labs.retrieve.execution.process", str(folder)],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, start_new_session=True,
        )  # fmt: skip


def carry_out(folder: ExecutionFolder) -> bool:
    """Execute the order of a folder in this process; the outcome is in its state."""
    with folder.held():
        order = folder.order()
        folder.clear()
        first = ExecutionState(str(order["run"]), pace=checked_pace(order["pace"]))
        folder.write_state(first)
        try:
            work = _made(folder, order)
        except CarpalError as problem:
            folder.write_state(ExecutionState(first.run, ENDED, status=str(problem), ok=False))
            return False
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: work.stop.set())
        return bool(work.run().ok)


def _made(folder: ExecutionFolder, order: dict[str, Any]) -> CycleRun:
    """The run that an order asks for."""
    from carpal.labs.retrieve.controller import RetrieveCycle
    from carpal.labs.retrieve.planning.cycle_plan import CyclePlan
    from carpal.labs.retrieve.simulation.world import RetrieveWorld

    x, y, yaw = order["relay"]
    more: dict[str, Any] = {} if order["place"] is None else {"place": tuple(order["place"])}
    if order["plan"] is not None:
        more["plan"] = CyclePlan.from_dict(order["plan"])
    if order["points"] is not None:
        more["points"] = tuple(np.array(side, float) for side in order["points"])
    world = RetrieveWorld((x, y, yaw), seed=order["seed"])
    cycle = RetrieveCycle(world, planner=order["planner"], seed=order["seed"], **more)
    cycle.noise = order["noise"]
    return CycleRun(folder, cycle, order["run"], pace=order["pace"], ask=order["ask"])


def main() -> None:
    """The process."""
    ok = False
    try:
        ok = carry_out(ExecutionFolder(sys.argv[1]))
    except CarpalError as problem:
        print(problem, file=sys.stderr)
    sys.stderr.flush()
    os._exit(0 if ok else 1)  # an abandoned planner may still be running in a thread


if __name__ == "__main__":
    main()
