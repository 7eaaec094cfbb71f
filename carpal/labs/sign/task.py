"""sign: a robot arm with a tendon-driven hand spells a text in a manual alphabet, to be felt by a receiver."""

from __future__ import annotations

import functools
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from carpal.errors import InputError
from carpal.labs.sign.options import SignOptions
from carpal.tasks import Score, Task, plain_numbers

if TYPE_CHECKING:
    from carpal.engines import Engine, Recording
    from carpal.labs.sign.controller import SignPolicy
    from carpal.labs.sign.motion.word_plan import Signer, WordPlan
    from carpal.model import Model, Scene, State
    from carpal.tasks import Appendix, Curves, MovingMark


@functools.lru_cache(maxsize=4)
def _signer(robot: str, arm: str, alphabet: str, behaviour: str) -> Signer:
    from carpal.labs.sign.motion.word_plan import Signer

    return Signer(robot, arm=arm, alphabet=alphabet, behaviour=behaviour)


class Sign(Task):
    """Is every letter of a text shown, and safely?"""

    name = "sign"
    about = "An arm with a tendon-driven hand spells a text in a manual alphabet, felt by a receiver (Prabhu's PARLOMA arm)."
    example = 'carpal sign play "CIAO" --robot parloma --out out/sign'
    number_groups: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "Letters": {
            "letters_per_minute": "letters", "letter_error_rad": "farthest joint from a letter's shape",
            "touch_yield_rad": "largest yield to the touch",
        },
        "Motion": {
            "duration_s": "duration", "tracking_error_rad": "largest error of a motor's joint",
            "peak_joint_speed": "largest joint speed in rad/s", "speed_share": "largest joint speed over its limit",
        },
        "Room": {
            "min_distance_mm": "least distance between parts", "elbow_clearance_m": "elbow to the receiver's trunk",
            "joint_margin_rad": "least distance to a joint limit", "payload_share": "payload over the rated one",
        },
    }  # fmt: skip
    view = ((1.35, -0.75, 1.05), (0.25, 0.0, 0.55))

    Options = SignOptions  # type: ignore[assignment]  # a class of its own file

    @functools.cached_property
    def signer(self) -> Signer:
        """The robot, made ready; kept for other texts."""
        o = self.options
        files = any(name.endswith(".toml") for name in (o.robot, o.alphabet, o.behaviour))
        make = _signer.__wrapped__ if files else _signer
        return make(o.robot, o.arm, o.alphabet, o.behaviour)

    @functools.cached_property
    def plan(self) -> WordPlan:
        """The motion; refused where it breaks a rule as a whole or nothing is left of the text."""
        plan = self.signer.plan(self.options.text)
        if plan.problem:
            raise InputError(plan.status)
        return plan

    def check(self) -> None:
        """Refuse what cannot work, in one sentence."""
        if self.options.dt > 2e-3:
            raise InputError(f"dt must be 0.002 s or less for fingers on springs; got {self.options.dt:g}.")
        _ = self.plan

    @property
    def model(self) -> Model:
        """Arm, hand and receiver."""
        return self.signer.mounted.model

    def scene(self) -> Scene:
        """The robot with the receiver in front of it."""
        from carpal.model import Scene

        return Scene(self.name).add_robot(self.model, name="signer")

    def engine(self) -> Engine:
        """Joint space without contact, or with contacts by the modal engine or MuJoCo."""
        from carpal.engines import ModalEngine, MuJoCoEngine, RigidEngine

        if self.options.engine == "mujoco":
            return MuJoCoEngine(self.model, dt=self.options.dt)
        if self.options.engine == "modal":
            return ModalEngine(self.model, dt=self.options.dt, limits=False)  # the policy has the stops
        return RigidEngine(self.model, dt=self.options.dt)

    def reset(self, rng: np.random.Generator) -> State:
        """At rest in the first posture; nothing is random."""
        from carpal.model import State

        return State.home(self.model).replace(q=self.plan.q[0])

    @property
    def duration(self) -> float:
        """[s]."""
        return float(np.ceil(self.plan.duration / self.options.dt) * self.options.dt)

    def policy(self) -> SignPolicy:
        """Computed torque and tendons along the plan."""
        from carpal.labs.sign.controller import SignPolicy

        return SignPolicy(self.plan, self.options.dt, self.options.touch)

    def score(self, recording: Recording) -> Score:
        """Whether every letter came out, and what the robot did meanwhile."""
        from carpal.labs.sign.score import score_run

        return score_run(self.plan, self.signer, recording, self.options.touch)

    def appendix(self, recording: Recording) -> Sequence[Appendix]:
        """Each letter's handshape, the tendons, and what was discarded."""
        from carpal.labs.sign.figures import letter_sections

        return letter_sections(self.plan, self.signer, recording)

    def first_curves(self, recording: Recording) -> Sequence[Curves]:
        """How far the motors' joints are from their plan, travel and tension of the tendons."""
        from carpal.labs.sign.figures import first_curves

        return first_curves(self.plan, recording)

    def curves(self, recording: Recording) -> Sequence[Curves]:
        """Tendon travel and tension."""
        from carpal.labs.sign.figures import tendon_curves

        return tendon_curves(self.plan, recording)

    def moving_marks(self, recording: Recording) -> Sequence[MovingMark]:
        """Each letter over the hand while it is held."""
        from carpal.labs.sign.figures import shown_letters

        return shown_letters(self.plan, recording)

    def summary(self, score: Score) -> dict[str, Any]:
        """Fields of the JSON output."""
        plan = self.plan
        return {
            "text": plan.text,
            "letters": [name for name in plan.letters if name != " "],
            "played": list(plan.played),
            "discarded": [{"letter": d.letter, "index": d.index, "reason": d.reason} for d in plan.discarded],
            "engine": self.options.engine,
        } | plain_numbers(score.numbers)

    def command(self, seed: int | None = None) -> str:
        """The command line that does the same."""
        text = self.options.text
        rest = super().command(seed).removeprefix("carpal sign").replace(f" --text {text}", "", 1)
        return f"carpal sign play {shlex.quote(text)}{rest}"
