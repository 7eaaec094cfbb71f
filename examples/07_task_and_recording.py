"""A custom task, its recording, and a campaign over many seeds."""

from dataclasses import dataclass

import numpy as np

import carpal
from carpal.engines import Recording, RigidEngine
from carpal.model import Scene, State
from carpal.tasks import Score, Task, campaign, make_task, option, spread


class Drop(Task):
    """How fast does the tool fall when the motors are switched off?"""

    name = "drop"

    @dataclass(frozen=True)
    class Options:
        robot: str = option("so101", "Which robot.")
        duration: float = option(0.3, "How long.", unit="s", above=0.0)

    def scene(self):
        return Scene("drop").add_robot(carpal.load(self.options.robot), name="arm")

    def engine(self):
        return RigidEngine(self.scene().build(), dt=1e-3)

    def reset(self, rng):
        model = self.scene().build()
        return State(0.0, model.q_home + 0.1 * rng.normal(size=model.nq), np.zeros(model.nv))

    def policy(self):
        return None

    @property
    def duration(self):
        return self.options.duration

    def score(self, recording):
        fell = carpal.fk(recording.model, recording.q[0])[2, 3] - carpal.fk(recording.model, recording.q[-1])[2, 3]
        return Score(fell > 0, f"the tool fell {1e3 * fell:.0f} mm.", {"fell_m": fell})


result = Drop().run(seed=1)
print(result, "Energy unaccounted for:", np.abs(result.recording.energy["residual"]).max(), "J")
path = result.recording.save("out/drop.parquet")  # pandas.read_parquet, polars and DuckDB read it too
assert np.array_equal(Recording.load(path).q, result.recording.q)

reach = make_task("reach", target=(0.6, -0.1, 0.3))
one = reach.run(seed=0)
print(one)
many = campaign(reach, seeds=8, out="out/study")  # all cores; resumes after a crash
print(many, spread(many)["position_error_m"])
assert result and many and many.rows[0]["numbers"] == one.score.numbers
