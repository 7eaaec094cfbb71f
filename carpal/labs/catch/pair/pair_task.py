"""The catch task with another arm and hand: what `Catch` asks for when its options name one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from carpal.engines import Engine, Recording, simulate
from carpal.labs.catch.pair.interception_search import Interception
from carpal.labs.catch.pair.pair_catch import (
    AFTER,
    EVERY,
    ReadyPair,
    begin_catch,
    draw_throw,
    kept_of,
    plan_of,
    ready_pair,
    scene_of,
)
from carpal.labs.catch.pair.pair_scene import OBJECT, PairDrive
from carpal.labs.catch.pair.pair_score import in_palm, score_pair
from carpal.labs.catch.pair.pair_setup import PairSetup, read_setup
from carpal.model import Scene, State
from carpal.spatial import Array
from carpal.tasks import Curves, Score

if TYPE_CHECKING:
    from carpal.labs.catch.options import CatchOptions


class PairCatch:
    """Throws at an arm and a hand.

    Args:
        options: of the task; arm, hand, mount and setup among them.
    """

    def __init__(self, options: CatchOptions) -> None:
        self.options = options
        self.setup: PairSetup = read_setup(
            options.setup, options.arm, options.hand, options.mount_frame, options.mount
        )  # fmt: skip
        self._case: tuple[int, tuple[Array, Array, Array], Interception] | None = None
        self._drive: PairDrive | None = None

    @property
    def ready(self) -> ReadyPair:
        """Robot, palm and the rest, found once for equal setups."""
        return ready_pair(self.setup.key)

    def check(self) -> None:
        """Refuse what cannot work; the throw itself too where there is only one."""
        ready = self.ready
        if ready.setup.throw or not self.options.vary:
            self.case(0)

    def case(self, seed: int) -> tuple[tuple[Array, Array, Array], Interception]:
        """Throw and plan of a seed, made once."""
        if self._case is None or self._case[0] != seed:
            throw = draw_throw(self.ready, seed, min(self.options.vary, 1.0))
            self._case = (seed, throw, plan_of(self.ready, throw))
        return self._case[1:]

    @property
    def duration(self) -> float:
        """[s] of the run that was begun last."""
        seed = 0 if self._case is None else self._case[0]
        return self.case(seed)[1].end + AFTER

    def scene(self) -> Scene:
        """Robot, ground and the object of the throw that was begun last."""
        seed = 0 if self._case is None else self._case[0]
        return scene_of(self.ready, self.case(seed)[0])

    def begin(self, seed: int) -> tuple[Engine, State, Callable[[float, State], Array]]:
        """Engine, state and policy of a seed's throw."""
        throw, plan = self.case(seed)
        engine, state, policy, self._drive = begin_catch(self.ready, throw, plan, self.options.engine)
        return engine, state, policy

    def record(self, seed: int, parts: Path | None, progress: bool, settings: dict[str, Any]) -> Recording:
        """One run, with a row of every `EVERY` steps."""
        engine, state, policy = self.begin(seed)
        recording = simulate(
            engine, state, policy, self.duration, seed=seed, out=parts, every=EVERY, options=settings, progress=progress
        )
        self.end(recording)
        return recording

    def end(self, recording: Recording) -> None:
        """Keep the plan and what the drives asked for."""
        assert self._case is not None and self._drive is not None  # a run has been begun
        recording.metadata["pair_catch"] = kept_of(self.ready, self._case[2], self._drive)

    def score(self, recording: Recording) -> Score:
        """What became of the object."""
        return score_pair(recording, recording.metadata["pair_catch"])

    def curves(self, recording: Recording) -> Sequence[Curves]:
        """The object in the palm's frame, and the contact forces on it."""
        kept = recording.metadata.get("pair_catch")
        if kept is None:
            return ()
        time = np.asarray(recording.time, float)
        forces = np.array([[sum(_force(c) for c in row if OBJECT in (c.a, c.b))] for row in recording.contacts])
        return (
            Curves(
                "catch.in_palm",
                "Object in the palm's frame",
                "mm",
                ("x", "y", "z"),
                time,
                1e3 * in_palm(recording, kept),
            ),
            Curves("catch.force", "Contact forces on the object", "N", ("sum",), time, forces.reshape(-1, 1)),
        )


def _force(contact: Any) -> float:
    return float(np.linalg.norm(contact.force))
