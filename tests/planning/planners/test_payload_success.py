"""200 seeded questions to the K10 with the stand-in relay beside an exhaustive search, and every answer looked at by MuJoCo."""

import numpy as np
import pytest
from exhaustive_roadmap import Roadmap
from payload_recheck import Recheck
from payload_scenes import questions, relay_scene

from carpal.planning import plan

pytestmark = [pytest.mark.xdist_group("planners"), pytest.mark.full]
COUNT, EDGES = 200, 100_000
RECHECKED = 20  # at 1 mm and 0.2 degrees; the others at 10 mm and 1 degree


def test_what_an_exhaustive_search_solves_is_solved_and_nothing_touches(figure):
    scene = relay_scene()
    starts, goals, angles = questions(scene, COUNT)
    found = [plan(scene, starts[i], goals[i], angle=angles[i], seed=i) for i in range(COUNT)]
    roadmap = Roadmap(scene)
    lost = [i for i in range(COUNT) if not found[i].ok]
    missed = sum(roadmap.solve(starts[i], goals[i], angles[i], most=EDGES)[0] == 1 for i in lost)
    solved = COUNT - len(lost)
    figure(
        "plans with a payload: solved, as a share of what they or the exhaustive search solve", solved / (solved + missed), 0.99,
        at_least=True, note=f"{solved} of {COUNT} solved, {missed} more by the roadmap of 100,000 nodes",
    )  # fmt: skip
    recheck, worst, looks = Recheck(scene), 0.0, 0
    for k, result in enumerate(result for result in found if result.ok):
        step, turn = (1e-3, np.radians(0.2)) if k < RECHECKED else (1e-2, np.radians(1.0))
        deep, seen = recheck.along(result.angles, step, turn)
        worst, looks = max(worst, deep), looks + seen
    figure("the same: overlap by MuJoCo for every angle of the sets [m]", worst, 0.0, note=f"{looks:,} looks")
