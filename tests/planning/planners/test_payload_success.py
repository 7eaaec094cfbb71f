"""200 seeded questions to the K10 with the stand-in relay beside an exhaustive search, and every answer checked again."""

import pytest
from exhaustive_roadmap import Roadmap
from payload_recheck import Tally
from payload_scenes import questions, recheck, relay_scene

from carpal.planning import plan

pytestmark = [pytest.mark.xdist_group("planners"), pytest.mark.full]
COUNT, EDGES = 200, 100_000
FEWER = 10_000  # edges for questions that were solved: the more of them the roadmap solves too, the better the share


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
    both = sum(roadmap.solve(starts[i], goals[i], angles[i], most=FEWER)[0] == 1 for i in range(COUNT) if found[i].ok)
    figure(
        "the same, as a share of what the exhaustive search solves", both / (both + missed), 0.99, at_least=True,
        note=f"{both} within {FEWER:,} edges, and {missed} that was not solved, within {EDGES:,}",
    )  # fmt: skip
    tally = Tally()
    for result in found:
        if result.ok:
            tally.add(recheck(scene, result.angles))
    figure(
        "the same: overlapping samples by MuJoCo and Coal, every plan at 1 mm and 0.2 degrees for every angle of its sets",
        tally.overlaps, 0,
        note=f"{solved} plans, {tally.samples:,} samples, {tally.checks:,} checks, {tally.proven:,} proven free without one",
    )  # fmt: skip
    figure("the same: deepest overlap by MuJoCo [m]", tally.deepest, 0.0)
