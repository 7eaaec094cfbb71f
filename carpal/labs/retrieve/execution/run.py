"""Execution of a cycle at a chosen speed: plan, preview, wait for confirmation, play, stop on request (Leutenegger 2008, B.2).

A stop does not freeze the arm: from any stage the cycle opens the gripper and brings the arm home.
"""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from carpal.errors import CarpalError
from carpal.labs.retrieve.execution.files import (
    ENDED,
    MOVING,
    PREPARING,
    STOPPING,
    WAITING,
    ExecutionFolder,
    ExecutionState,
)
from carpal.spatial import Array

POLL = 0.05  # [s] between two polls for requests
WRITE = 0.1  # [s] between two states of a motion
THINKING = {
    "localise": "The relay is being localised.",
    "plan": "Planning; the first plan on a machine compiles for minutes.",
}
"""Stages in which nothing moves."""


class Cycle(Protocol):
    """The part of `RetrieveCycle` that is used here."""

    STAGES: tuple[str, ...]
    reports: list[Any]

    @property
    def stage(self) -> str:
        """What comes next."""

    @property
    def done(self) -> bool:
        """Whether nothing comes next."""

    @property
    def chosen(self) -> Any:
        """The plan, with its `preview()`."""

    def step(self) -> Any:
        """Do the next stage; its reports follow in `reports`."""

    def abort(self, at: float | None = None) -> list[Any]:
        """Cut the last stage at a time [s]; reports of what ends open and home."""

    def result(self) -> Any:
        """`ok`, `status`, `numbers`."""


class StoppedError(Exception):
    """A stop was requested."""


class CycleRun:
    """One execution of a cycle.

    Args:
        folder: held by the caller.
        cycle: what is executed.
        run: its name in the state.
        pace: seconds of the arm in a second; 0: as fast as possible.
        ask: wait for EXECUTE after planning.
    """

    def __init__(self, folder: ExecutionFolder, cycle: Cycle, run: str, *, pace: float = 1.0, ask: bool = True) -> None:
        self._folder, self._cycle, self._ask = folder, cycle, ask
        self.stop = threading.Event()
        self._go = threading.Event()
        self._rows: list[tuple[Array, Array]] = []
        self._written = 0.0
        self.state = ExecutionState(run, stages=tuple(cycle.STAGES), pace=pace)

    def run(self) -> ExecutionState:
        """Until the end; the last state is also in the folder."""
        try:
            ok, status = self._forward()
        except StoppedError:
            ok, status = False, self._home("Stopped by a person")
        except CarpalError as problem:
            ok, status = False, self._home(str(problem).rstrip("."))
        except Exception as problem:  # the arm must come home after any error
            ok, status = False, self._home(f"The cycle failed: {type(problem).__name__}: {problem}")
        numbers = {}
        try:
            numbers = self._cycle.result().numbers
        except Exception as problem:  # a cycle that was cut may have no numbers
            status += f" (no numbers: {str(problem)[:80]})"
        self._publish(phase=ENDED, stage="", ok=ok, status=status, numbers=_plain(numbers))
        return self.state

    def _forward(self) -> tuple[bool, str]:
        while not self._cycle.done:
            name, before = self._cycle.stage, len(self._cycle.reports)
            said = THINKING.get(name, f"Executing: {name}.")
            self._publish(phase=PREPARING if name in THINKING else MOVING, stage=name, status=said)
            self._in_thread(self._cycle.step)
            for report in self._cycle.reports[before:]:
                if name == "plan" and report.ok:
                    self._show(report.status)
                self._play(report)
                self._noted(report)
        result = self._cycle.result()
        return bool(result.ok), str(result.status)

    def _show(self, status: str) -> None:
        """Publish the planned motion, then wait for the request to execute it."""
        time, q = self._cycle.chosen.preview()
        self._folder.write_motion("planned", time, q)
        more = tuple(name for name in self.state.motions if name != "planned")
        self._publish(motions=("planned", *more), duration=self.state.time + float(time[-1] - time[0]), q=_row(q[0]))
        if self._ask:
            self._go.clear()
            self._publish(
                phase=WAITING,
                status=f"{status[:1].upper()}{status[1:].rstrip('.')}. Check the plan, then EXECUTE or STOP.",
            )
            while not self._go.is_set():
                self._check_stop()
                clock.sleep(POLL)

    def _home(self, why: str) -> str:
        """Abort: open and home; returns a sentence about it."""
        stage = self.state.stage
        self._publish(done=(*self.state.done, (stage, False, f"{why}.")))
        if not self._rows:
            return f"{why} during '{stage}'; nothing has moved."
        self._publish(phase=STOPPING, status=f"{why}; the gripper opens and the arm goes home.")
        time, q = self._rows.pop()
        passed = time <= self.state.time
        self._rows.append((time[passed], q[passed]))
        ok, said = True, ""
        try:
            for report in self._cycle.abort(self.state.time):
                self._play(report, stoppable=False)
                self._noted(report)
                ok, said = ok and bool(report.ok), str(report.status)
        except Exception as problem:  # reported as is: the operator must attend to the arm
            ok, said = False, str(problem)[:200]
        end = "the gripper is open and the arm is home." if ok else f"it did not come home: {said}"
        return f"{why} during '{stage}'; {end}"

    def _play(self, report: Any, *, stoppable: bool = True) -> None:
        """Play a stage's rows at the current pace."""
        time, q = np.asarray(report.time, float), np.asarray(report.q, float)
        if not len(time):
            return
        self._rows.append((time, q))
        last, now = clock.monotonic(), float(time[0])
        while now < time[-1]:
            if stoppable:
                self._check_stop()
            else:
                self._read_requests()
            if self.state.pace > 0:
                clock.sleep(POLL)
                passed = clock.monotonic() - last
                last += passed
                now = min(now + passed * self.state.pace, float(time[-1]))
            else:
                now = float(time[min(int(np.searchsorted(time, now, side="right")), len(time) - 1)])
            row = max(int(np.searchsorted(time, now, side="right")) - 1, 0)
            self._publish(time=now, duration=max(self.state.duration, now), q=_row(q[row]), often=True)
        self._publish(time=float(time[-1]), q=_row(q[-1]))
        rows = [np.concatenate(parts) for parts in zip(*self._rows, strict=True)]
        self._folder.write_motion("executed", rows[0], rows[1])
        self._publish(motions=("planned", "executed"))

    def _in_thread(self, work: Callable[[], Any]) -> Any:
        """Run something long in a thread, so that a stop is noticed meanwhile; a result after a stop is discarded."""
        answer: list[Any] = []

        def do() -> None:
            try:
                answer.append((True, work()))
            except BaseException as problem:
                answer.append((False, problem))

        thread = threading.Thread(target=do, daemon=True, name="carpal-retrieve-stage")
        thread.start()
        while thread.is_alive():
            thread.join(POLL)
            self._read_requests()
            if self.stop.is_set() and not self._rows:  # nothing has moved: no need to wait for the planner
                raise StoppedError
        if self.stop.is_set():
            raise StoppedError
        good, found = answer[0]
        if not good:
            raise found
        return found

    def _check_stop(self) -> None:
        self._read_requests()
        if self.stop.is_set():
            raise StoppedError

    def _read_requests(self) -> None:
        for request in self._folder.requests():
            match request:
                case {"request": "execute", "run": self.state.run}:
                    self._go.set()
                case {"request": "stop"}:
                    self.stop.set()
                case {"request": "pace", "pace": float() | int() as pace} if 0 <= pace <= 1000:
                    self._publish(pace=float(pace))

    def _noted(self, report: Any) -> None:
        self._publish(done=(*self.state.done, (report.name, bool(report.ok), str(report.status))))

    def _publish(self, *, often: bool = False, **changes: Any) -> None:
        self.state = replace(self.state, **changes)
        if not often or clock.monotonic() - self._written > WRITE:
            self._folder.write_state(self.state)
            self._written = clock.monotonic()


def _row(q: Array) -> tuple[float, ...]:
    return tuple(float(x) for x in q)


def _plain(numbers: dict[str, Any]) -> dict[str, Any]:
    from carpal.tasks import plain_numbers

    plain = {
        name: value
        for name, value in numbers.items()
        if isinstance(value, bool | int | float | list | tuple | np.generic)
    }
    return plain_numbers(plain)
