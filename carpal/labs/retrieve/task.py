"""retrieve: a rover's arm localises a relay by stereo, grasps it by a flap and carries it while it swings."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from carpal.errors import InputError, UnreachableError
from carpal.labs.retrieve.options import RetrieveOptions
from carpal.tasks import Mark, Score, Task, options_as_dict, plain_numbers

if TYPE_CHECKING:
    from carpal.engines import Recording
    from carpal.labs.retrieve.controller import RetrieveCycle
    from carpal.labs.retrieve.simulation.playback import Playback
    from carpal.model import Model, Scene, State, TriangleMesh
    from carpal.tasks import Appendix, Curves

NEVER = ("under the rover", "hollow", "out of reach")
"""Causes for which a relay is refused before an image is taken."""


class Retrieve(Task):
    """Is the relay delivered to its place without a collision?"""

    name = "retrieve"
    about = "A rover's arm localises a relay by stereo, grasps it and carries it while it swings (Leutenegger's relay retrieval)."
    example = "carpal retrieve --relay 0.36 0.35 -1.24 --planner sbl --out out/retrieve"
    number_groups: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "Localisation": {"localisation_error_mm": "error, position", "localisation_error_deg": "error, angle"},
        "Plan": {"path_rad": "length of the paths", "final_angle_set_deg": "width of the angle set at the end"},
        "Grasp": {
            "grip_force_N": "force on the flap", "aside_mm": "grip point aside", "above_mm": "grip point above",
            "error_aside_mm": "error budget aside", "error_up_mm": "error budget up and down",
        },
        "Delivery": {
            "duration_s": "duration", "collisions": "motions with a collision", "swing_deg": "swing of the relay",
            "angle_left_set": "motions in which the angle left its set", "tries": "",
        },
    }  # fmt: skip
    view = ((1.7, 0.9, 1.0), (0.25, 0.0, 0.2))

    Options = RetrieveOptions  # type: ignore[assignment]  # a class of its own file

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._cycle: RetrieveCycle | None = None
        self.timings: dict[str, float] = {}

    @functools.cached_property
    def terrain(self) -> TriangleMesh | None:
        """The ground with the relay cut out, where it is not flat."""
        from carpal.labs.retrieve.relay.relay import relay_pose
        from carpal.labs.retrieve.vision.input_files import read_terrain
        from carpal.labs.retrieve.vision.terrain import cut_out_relay

        if not self.options.terrain:
            return None
        return cut_out_relay(read_terrain(self.options.terrain), relay_pose(*self.options.relay))

    def check(self) -> None:
        """Refuse what cannot work, in one sentence."""
        from carpal.labs.retrieve.planning.reachability import grip_reach
        from carpal.labs.retrieve.relay.relay import relay_pose
        from carpal.labs.retrieve.vision.input_files import read_images
        from carpal.labs.retrieve.vision.localisation import read_points

        refused = grip_reach(relay_pose(*self.options.relay))
        if refused is not None and refused.cause in NEVER:
            raise UnreachableError(refused.status)
        _ = self.terrain
        if self.options.points:
            read_points(self.options.points)
        if self.options.images:
            read_images(self.options.images)

    def cycle(self, seed: int) -> RetrieveCycle:
        """The pick-up of a seed, before its first stage."""
        from carpal.labs.retrieve.controller import RetrieveCycle
        from carpal.labs.retrieve.simulation.world import RetrieveWorld
        from carpal.labs.retrieve.vision.input_files import read_images
        from carpal.labs.retrieve.vision.localisation import localise, read_points

        o = self.options
        points = read_points(o.points) if o.points else None
        world = RetrieveWorld(o.relay, seed, terrain=self.terrain)
        cycle = RetrieveCycle(world, planner=o.planner, seed=seed, place=o.place, points=points)
        if o.images and points is None:
            cycle.images = read_images(o.images)
            cycle.localisation = localise(world.pair, *cycle.images, cycle.setting.relay)
        return cycle

    @property
    def model(self) -> Model:
        """What is drawn and recorded: the scene in its colours, with the rover."""
        from carpal.labs.retrieve.simulation.true_scene import true_model

        return true_model(self.terrain)

    def scene(self) -> Scene:
        """Arm, gripper, ground, wall, and the relay where it stands."""
        from carpal.labs.retrieve.relay.relay import relay_pose
        from carpal.labs.retrieve.simulation.true_scene import true_scene

        return true_scene(relay_pose(*self.options.relay), self.terrain)

    def engine(self) -> Playback:
        """Playback of the pick-up of the last `begin`, by default of seed 0."""
        from carpal.labs.retrieve.simulation.playback import Playback

        cycle = self._cycle if self._cycle is not None else self._done(0)
        rows = [r for r in cycle.reports if len(r)]
        if not rows:  # nothing moved: it stands
            q = self.reset(np.random.default_rng(0)).q
            return Playback(cycle.model, np.array([0.0, 1.0]), np.stack([q, q]))
        return Playback(cycle.model, np.concatenate([r.time for r in rows]), np.concatenate([r.q for r in rows]))

    def reset(self, rng: np.random.Generator) -> State:
        """The arm beside the rover, the gripper open, the relay on the ground."""
        from carpal.labs.retrieve.relay.relay import relay_pose
        from carpal.labs.retrieve.scene import HOME, OPEN
        from carpal.labs.retrieve.simulation.true_scene import true_rows
        from carpal.model import State

        return State(0.0, true_rows(HOME, OPEN, relay_pose(*self.options.relay)), np.zeros(12))

    def policy(self) -> None:
        """None: the rows are played back."""
        return None

    @property
    def duration(self) -> float:
        """Of the last pick-up [s]."""
        return self.engine().duration

    def begin(self, seed: int) -> tuple[Playback, State, None]:
        """Simulate the pick-up and return its playback."""
        self._cycle = self._done(seed)
        return self.engine(), self.reset(np.random.default_rng(seed)), None

    def _done(self, seed: int) -> RetrieveCycle:
        from carpal.labs.retrieve.cycle.recorded_facts import TIMINGS

        cycle = self.cycle(seed)
        numbers = cycle.run().numbers
        self.timings = {name: numbers[name] for name in TIMINGS}
        return cycle

    def record(self, seed: int, parts: Path | None, progress: bool) -> Recording:
        """The pick-up with its stages as events."""
        from carpal.engines import Advance, Event, record_run, recorder_for
        from carpal.labs.retrieve.cycle.recorded_facts import facts_of
        from carpal.labs.retrieve.simulation.playback import ROW

        engine, state, _ = self.begin(seed)
        assert self._cycle is not None
        times = np.append(np.arange(0.0, engine.duration, ROW), engine.duration)
        notes = [Event(float(r.time[0]) if len(r) else 0.0, r.name, r.status) for r in self._cycle.reports]

        def events_at(k: int) -> list[Event]:
            until = times[k + 1] if k + 1 < len(times) else np.inf
            return [e for e in notes if times[k] <= e.time < until]

        options = {"task": self.name, **options_as_dict(self.options)}
        recorder = recorder_for(engine, seed=seed, options=options, out=parts, retrieve=facts_of(self._cycle))
        return record_run(
            engine, state, len(times) - 1, recorder, time_at=lambda k: float(times[k]), events_at=events_at,
            step=lambda k, now, u: Advance(engine.at(float(times[k + 1])), np.zeros(()), np.zeros(())),
        )  # fmt: skip

    def end(self, recording: Recording, engine: Any) -> None:
        """Store the facts of a pick-up that was stepped through."""
        from carpal.labs.retrieve.cycle.recorded_facts import facts_of

        if self._cycle is not None:
            recording.metadata["retrieve"] = facts_of(self._cycle)

    def marks(self, recording: Recording | None = None) -> Sequence[Mark]:
        """Where the relay is put down."""
        x, y = self.options.place
        return (Mark("place", np.array([x, y, 0.0])),)

    def score(self, recording: Recording) -> Score:
        """Whether the relay stands where it was asked for, and what it took."""
        facts = recording.metadata.get("retrieve")
        if not isinstance(facts, dict):
            raise InputError("this recording holds no pick-up.")
        numbers = {name: float("nan") if isinstance(v, str) else v for name, v in facts["numbers"].items()}
        return Score(bool(facts["ok"]), str(facts["status"]), numbers)

    def appendix(self, recording: Recording) -> Sequence[Appendix]:
        """Images, pose, error budget, plans, limits, the set of angles, the gripper."""
        from carpal.labs.retrieve.figures import retrieve_sections

        return retrieve_sections(self, recording)

    def first_curves(self, recording: Recording) -> Sequence[Curves]:
        """The tool's height and reach over the run, the relay's angle in the gripper, the force on its flap."""
        from carpal.labs.retrieve.figures import first_curves

        return first_curves(recording)

    def curves(self, recording: Recording) -> Sequence[Curves]:
        """The relay's angle and its set, and the gripper."""
        from carpal.labs.retrieve.figures import retrieve_curves

        return retrieve_curves(recording)

    def summary(self, score: Score) -> dict[str, Any]:
        """The numbers at the top level."""
        numbers: dict[str, Any] = plain_numbers(score.numbers | self.timings)
        for name in ("reachable", "delivered"):
            numbers[name] = bool(numbers.get(name))
        if numbers.get("collisions") is not None:
            numbers["collisions"] = int(numbers["collisions"])
        return numbers
