"""The run that all pages of a studio share: started, paused, stepped, ended; it belongs to the server, not to a page.

The run is `simulate` in a thread of its own. Its policy is held: before each step it waits while the run is paused, and
keeps the pace that was asked for. The result is the same as without a studio, bit for bit.
"""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from carpal.errors import CarpalError, InputError
from carpal.model import Model, State
from carpal.spatial import Array

IDLE, RUNNING, PAUSED, ENDED = "idle", "running", "paused", "ended"
AS_FAST_AS_POSSIBLE = 0.0


class _ContactProxy:
    """Engine proxy that forwards contacts to a listener."""

    def __init__(self, engine: Any, listener: Callable[[list[Any]], None]) -> None:
        self._engine, self._listener = engine, listener

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def contacts(self, state: State, u: Any) -> list[Any]:
        found: list[Any] = self._engine.contacts(state, u)
        self._listener(found)
        return found


class Session:
    """One run at a time.

    Args:
        parts: folder for the parts of the running recording; None keeps it in memory only.
    """

    def __init__(self, parts: Path | None = None) -> None:
        self.phase = IDLE
        self.status = "Ready."
        self.ok = True
        self.task: Any = None
        self.model: Model | None = None
        self.recording: Any = None
        self.score: Any = None
        self.first: Array | None = None
        self._parts = parts
        self._lock = threading.RLock()
        self._turn = threading.Condition(self._lock)
        self._rows: list[tuple[float, Array, Array, Array]] = []
        self._contacts: list[tuple[Any, ...]] = []
        self._metadata: dict[str, Any] = {}
        self._thread: threading.Thread | None = None
        self._ending = False
        self._steps = 0
        self._speed = 1.0
        self._pace: tuple[float, float] | None = None

    @property
    def active(self) -> bool:
        """Whether a run is under way, moving or paused."""
        return self.phase in (RUNNING, PAUSED)

    def start(self, task: Any, seed: int = 0, *, speed: float = 1.0, paused: bool = False) -> None:
        """Begin a run; `speed` is seconds of motion per second, 0 as fast as possible."""
        with self._lock:
            if self.active:
                raise InputError("a run is under way; TERMINATE it first, or wait for its end.")
            if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
                raise InputError(f"the seed must be a whole number, zero or above; got {seed}.")
            if not speed >= 0:
                raise InputError(f"the speed must be zero or above; got {speed}.")
            engine, state, policy = task.begin(seed)
            self.task, self.model, self.recording, self.score = task, engine.model, None, None
            self._metadata = {"integrator": engine.integrator, "engine_options": engine.options}
            self.first = state.q
            self._rows, self._contacts, self._ending, self._steps, self._pace = [], [], False, 0, None
            self._speed, self.ok = speed, True
            self.phase = PAUSED if paused else RUNNING
            self.status = "Paused at the start." if paused else "Running."
            self._thread = threading.Thread(target=self._work, args=(engine, state, policy, seed), daemon=True)
            self._thread.start()

    def pause(self) -> None:
        """Hold a moving run, or let a held one move on."""
        with self._turn:
            if not self.active:
                raise InputError("nothing runs; START first.")
            self.phase = RUNNING if self.phase == PAUSED else PAUSED
            self.status = "Running." if self.phase == RUNNING else f"Paused at {self._now():.3f} s."
            self._pace = None
            self._turn.notify_all()

    def step(self, count: int = 1) -> None:
        """Let a paused run take some steps."""
        with self._turn:
            if self.phase != PAUSED:
                raise InputError("STEP needs a paused run; PAUSE first.")
            self._steps += max(1, int(count))
            self._turn.notify_all()

    def set_speed(self, speed: float) -> None:
        """Change the pace of a run."""
        with self._turn:
            self._speed, self._pace = speed, None
            self._turn.notify_all()

    def terminate(self, wait: float | None = None) -> None:
        """End the run; what was recorded stays."""
        with self._turn:
            if not self.active:
                raise InputError("nothing runs; START first.")
            self._ending = True
            self._turn.notify_all()
        if wait is not None:
            self.wait(wait)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the run's end; whether it came."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return not self.active

    def adopt(self, recording: Any, model: Model, task: Any = None, score: Any = None) -> None:
        """Show a loaded recording instead of a run."""
        with self._lock:
            if self.active:
                raise InputError("a run is under way; TERMINATE it first.")
            self.recording, self.model, self.task, self.score = recording, model, task, score
            answer = recording if score is None else score
            self.phase, self.ok, self.status = ENDED, bool(answer.ok), str(answer.status)

    def forget(self) -> None:
        """Be as before the first run; a run that is under way is kept."""
        with self._lock:
            if self.active:
                raise InputError("a run is under way; TERMINATE it first.")
            self.phase, self.status, self.ok = IDLE, "Ready.", True
            self.task = self.model = self.recording = self.score = self.first = None
            self._rows, self._contacts = [], []

    def rows(self, most: int | None = None) -> Any:
        """What there is to show now: the recording, or the rows of the run so far; None where there is nothing.

        Args:
            most: take about so many rows of a run, evenly, so that a long one is not copied whole.
        """
        with self._lock:
            if self.recording is not None:
                return self.recording
            if self.model is None or not self._rows:
                return None
            every = max(1, len(self._rows) // most) if most else 1
            picked, touched = self._rows[::every], self._contacts[::every]
        time, q, v, u = (np.array(part) for part in zip(*picked, strict=True))
        touched += [()] * (len(picked) - len(touched))  # the newest row may not have been read yet
        return SimpleNamespace(
            time=time,
            q=q,
            v=v,
            u=u,
            energy={},
            contacts=touched[: len(picked)],
            model=self.model,
            metadata=self._metadata,
        )

    def latest(self) -> tuple[float, Array] | None:
        """Time and configuration of the newest row."""
        with self._lock:
            if not self._rows:
                return None
            return self._rows[-1][0], self._rows[-1][1]

    def touching(self) -> tuple[Any, ...]:
        """Contacts of the newest row that was read."""
        with self._lock:
            return self._contacts[-1] if self._contacts else ()

    def _noted(self, contacts: list[Any]) -> None:
        with self._lock:
            self._contacts.append(tuple(contacts))

    def _now(self) -> float:
        return self._rows[-1][0] if self._rows else 0.0

    def _held(self, policy: Callable[[float, State], Any] | None, nv: int) -> Callable[[float, State], Any]:
        from carpal.engines import Staged

        def act(time: float, state: State) -> Any:
            self._wait_turn(time)
            u = np.zeros(nv) if policy is None else policy(time, state)
            shown = u.start if isinstance(u, Staged) else u
            with self._lock:
                self._rows.append((time, state.q, state.v, np.array(shown, float)))
                if self.phase == PAUSED:
                    self.status = f"Paused at {time:.3f} s."
            return u

        return act

    def _wait_turn(self, time: float) -> None:
        """Return when the step at that time may be taken."""
        with self._turn:
            while not self._ending:
                if self.phase == PAUSED:
                    if self._steps > 0:
                        self._steps -= 1
                        return
                    self._turn.wait()
                    continue
                if self._speed <= AS_FAST_AS_POSSIBLE:
                    return
                if self._pace is None:
                    self._pace = (clock.perf_counter(), time)
                begun, at = self._pace
                early = begun + (time - at) / self._speed - clock.perf_counter()
                if early <= 0:
                    return
                self._turn.wait(early)

    def _work(self, engine: Any, state: State, policy: Any, seed: int) -> None:
        from carpal.engines import remove_recording, simulate
        from carpal.tasks import options_as_dict

        recording, score = None, None
        try:
            if self._parts is not None:
                remove_recording(self._parts)
            settings = {"task": self.task.name, **options_as_dict(self.task.options)}
            recording = simulate(
                _ContactProxy(engine, self._noted), state, self._held(policy, engine.model.nv), self.task.duration,
                seed=seed, out=self._parts, options=settings, stop=lambda *_: self._ending,
            )  # fmt: skip
            self.task.end(recording, engine)
            if self._ending:
                ok, status = False, f"Terminated at {self._now():.3f} s; what was recorded is kept."
            else:
                score = self.task.score(recording)
                ok, status = bool(score.ok), str(score.status)
        except CarpalError as problem:
            recording = getattr(problem, "recording", recording)  # a score that refuses takes nothing from the run
            ok, status = False, str(problem)
        except Exception as problem:  # a task's own mistake must not leave the page waiting
            ok, status = False, f"the task failed: {type(problem).__name__}: {problem}"
        with self._lock:
            self.recording, self.score, self.ok, self.status = recording, score, ok, status
            self.phase = ENDED
