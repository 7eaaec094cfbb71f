"""dexterity: a five-fingered hand with PD and gravity compensation, and a free object, every contact's mode known (Chan 1998)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from carpal.errors import InputError
from carpal.labs.dexterity.options import DexterityOptions
from carpal.labs.dexterity.robot import FINGERS
from carpal.tasks import Score, Task, plain_numbers

if TYPE_CHECKING:
    from carpal.engines import Engine, Recording
    from carpal.labs.dexterity.controller import Overrides
    from carpal.labs.dexterity.example_file import Example
    from carpal.labs.dexterity.glove_input import GloveInput
    from carpal.labs.dexterity.observations import Observation
    from carpal.labs.dexterity.outcome import Outcome
    from carpal.labs.dexterity.scene import Setting
    from carpal.model import Model, Scene, State
    from carpal.spatial import Array
    from carpal.tasks import Appendix, Curves


class Dexterity(Task):
    """Does the object move in the hand as Chan (1998) observed?"""

    option_groups = {  # noqa: RUF012
        "Object and contact": ("friction", "restitution", "mass", "shape", "size", "gravity"),
        "Hand": ("joints", "glove", "glove_map"),
        "Sensed forces": ("feedback", "feedback_rate", "wrench_noise"),
        "Numerics": ("length", "dt", "scene"),
    }  # fmt: skip
    name = "dexterity"
    about = "A five-fingered hand holds, rolls, slides, hits and turns an object; contacts have modes (Chan 1998)."
    example = "carpal dexterity --example 2 --engine modal --out out/dexterity"
    number_groups: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "Contacts": {
            "hit_count": "collisions", "mode_change_count": "changes of mode", "creep_m": "creep of a sticking contact",
            "max_penetration_m": "deepest overlap",
        },
        "Certificates": {
            "max_residual": "largest residual of the contact conditions", "energy_residual_J": "largest energy residual",
        },
    }  # fmt: skip
    view = ((0.42, -0.34, 0.36), (0.07, 0.0, 0.17))
    fingers = FINGERS
    """What makes the studio's page a hand's: sliders of their joints, contacts, a timeline."""
    live_curves = True
    """Its curves are drawn while it runs."""
    Options = DexterityOptions  # type: ignore[assignment]  # a class of its own file: there are many

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._seed = 0
        self._glove: GloveInput | None = None
        self._seen: Outcome | None = None
        self._observed: tuple[Outcome, list[Observation]] | None = None

    def check(self) -> None:
        """Refuse what cannot work, in one sentence."""
        _ = self.setting
        if self.options.glove or self.options.feedback:
            from carpal.labs.dexterity.glove_input import check_links

            check_links(self.options)
        if self.options.engine == "penalty" and (self.options.glove or self.options.feedback):
            raise InputError("the glove link goes with the engines 'modal' and 'mujoco'; the engine is 'penalty'.")

    @functools.cached_property
    def chosen_example(self) -> Example:
        """The example with what was chosen."""
        example: Example = self.options.changed_example()
        return example

    @functools.cached_property
    def setting(self) -> Setting:
        """Scene, start and targets."""
        from carpal.labs.dexterity.scene import make_setting

        return make_setting(self.chosen_example)

    @functools.cached_property
    def overrides(self) -> Overrides:
        """Values that replace the example's during a run."""
        from carpal.labs.dexterity.controller import Overrides

        return Overrides()

    @property
    def duration(self) -> float:
        """[s]."""
        return self.chosen_example.duration

    def scene(self) -> Scene:
        """Hand, object, and the table where there is one."""
        return self.setting.scene

    @property
    def model(self) -> Model:
        """What `reset` gives the state of."""
        return self.scene().build()

    def engine(self) -> Engine:
        """The chosen engine with the servo inside."""
        if self.options.engine == "penalty":
            from carpal.labs.dexterity.penalty_hand import PenaltyHand

            return PenaltyHand(self.setting, dt=self.options.dt if self.options.dt > 0 else None)
        from carpal.labs.dexterity.hand_engine import HandEngine

        aim = None if self._glove is None else self._glove.aim
        return HandEngine(self.setting, self.options.engine, overrides=self.overrides, aim=aim)

    def reset(self, rng: np.random.Generator) -> State:
        """Where the example begins; nothing is random."""
        return self.setting.start()

    def policy(self) -> Callable[[float, State], Array] | None:
        """None but for a glove's link: the servo runs inside the engine."""
        return None

    def begin(self, seed: int) -> tuple[Engine, State, Callable[[float, State], Array] | None]:
        """Engine, state and, with a glove, the link that listens and answers; the seed draws the sensors' noise."""
        self._seed, self._observed = seed, None
        if not (self.options.glove or self.options.feedback):
            self._glove = None
            return self.engine(), self.reset(np.random.default_rng(seed)), None
        from carpal.labs.dexterity.glove_input import GloveInput

        self._glove = GloveInput(self.options, self.setting, seed)
        engine: Any = self.engine()
        return engine, self.reset(np.random.default_rng(seed)), self._glove.policy(engine)

    def end(self, recording: Recording, engine: Engine) -> None:
        """Close the glove's link; its report, and the overrides that were set, go into the recording."""
        if getattr(engine, "changes", None):
            recording.metadata["overrides"] = engine.changes  # type: ignore[attr-defined]  # a HandEngine's own
        if self._glove is not None:
            recording.metadata["glove"] = self._glove.close()

    def outcome(self, recording: Recording) -> Outcome:
        """A run of this task, ready to be measured."""
        from carpal.labs.dexterity.outcome import Outcome

        if self._seen is None or self._seen.recording is not recording:  # plots and timeline use the same rows
            self._seen = Outcome(self.setting, recording)
        return self._seen

    def observe(self, recording: Recording) -> tuple[Outcome, list[Observation]]:
        """The outcome of a run, and what was observed."""
        if self._observed is None or self._observed[0].recording is not recording:
            from carpal.labs.dexterity.observations import observed

            outcome = self.outcome(recording)
            # a glove moves the fingers in its own way: what the example should show does not apply
            found = [] if self.options.glove else observed(outcome, self._rerun)
            self._observed = (outcome, found)
        return self._observed

    def _rerun(self, example: Example) -> Outcome:
        """The same engine on a changed example."""
        from carpal.engines import simulate
        from carpal.labs.dexterity.outcome import Outcome
        from carpal.labs.dexterity.scene import make_setting

        other = Dexterity(engine=self.options.engine, dt=self.options.dt)
        other.chosen_example, other.setting = example, make_setting(example)
        return Outcome(other.setting, simulate(other.engine(), other.setting.start(), duration=example.duration))

    def resolved(self) -> dict[str, Any]:
        """What the example says of everything that is left to it."""
        return self.options.resolved()

    def score(self, recording: Recording) -> Score:
        """Which observations hold."""
        from carpal.labs.dexterity.score import score_outcome

        return score_outcome(*self.observe(recording))

    def summary(self, score: Score) -> dict[str, Any]:
        """First entries of the JSON."""
        summary: dict[str, Any] = {"example": self.options.example if not self.options.scene else self.options.scene}
        summary |= {"engine": self.options.engine, "duration_s": self.duration, "events": [], "observations": []}
        if self._observed is not None:
            from carpal.labs.dexterity.events import mode_events

            outcome, observations = self._observed
            summary["events"] = [event.to_dict() for event in mode_events(outcome)]
            summary["observations"] = [each.to_dict() for each in observations]
            if "glove" in outcome.recording.metadata:
                summary["glove"] = {k: v for k, v in outcome.recording.metadata["glove"].items() if k != "rows"}
        names = ("max_residual", "max_penetration_m", "energy_residual_J", "creep_m")
        return summary | plain_numbers({name: score.numbers.get(name, np.nan) for name in names})

    def first_curves(self, recording: Recording) -> Sequence[Curves]:
        """Contact modes, contact forces, the object's motion."""
        from carpal.labs.dexterity.figures import first_curves

        return first_curves(self.outcome(recording))

    def curves(self, recording: Recording) -> Sequence[Curves]:
        """Object pose with ZYZ angles, contact forces and coordinates."""
        from carpal.labs.dexterity.figures import run_curves

        return run_curves(self.outcome(recording))

    def appendix(self, recording: Recording) -> Sequence[Appendix]:
        """Observations beside the published ones, the published figures' quantities, and the grasp over time."""
        from carpal.labs.dexterity.figures import report_sections

        return report_sections(*self.observe(recording))
