"""Many draws of one plan: the same as the cycle one by one; in full the 100 relays with 20 draws each, by planner and without."""

import numpy as np
import pytest
from retrieve_inputs import RELAY_AT, new_cycle, stored

from carpal.labs.retrieve import RetrieveWorld, check_reach, relay_pose
from carpal.labs.retrieve.studies.pose_study import (
    AREA,
    PoseOutcome,
    counted,
    execute_draws,
    reachable_poses,
    study_pose,
)

POSES, DRAWS = 100, 20


def test_draws_together_are_what_the_cycle_does_one_by_one():
    worlds = [RetrieveWorld(RELAY_AT, 0, draw) for draw in (0, 3)]
    causes, touched, outside, swings = execute_draws(stored(), worlds)
    assert causes == ["", ""] and touched == outside == 0
    cycle = new_cycle(3)
    result = cycle.run()
    angles = np.concatenate([r.angles for r in cycle.reports if r.angles.size])
    assert result.ok and np.ptp(angles) == pytest.approx(swings[1], abs=1e-9)


def test_a_relay_in_the_way_is_a_cause():
    worlds = [RetrieveWorld(RELAY_AT, 0, misplaced=tuple(0.12 * relay_pose(*RELAY_AT)[:2, 0]))]
    causes, touched, _, _ = execute_draws(stored(), worlds)
    assert touched == 1 and causes[0].startswith("grasp: ") and "relay's" in causes[0]


def test_poses_are_reachable_and_the_same_again():
    poses = reachable_poses(2, seed=5)
    assert poses == reachable_poses(2, seed=5) and all(check_reach(relay_pose(*p)) for p in poses)
    assert all(AREA[0][0] <= x <= AREA[0][1] for x, _, _ in poses)


def test_causes_are_counted():
    outcomes = [PoseOutcome((0, 0, 0), 0, True, "", ("", "a", "a")), PoseOutcome((0, 0, 0), 0, False, "", ("b",) * 3)]
    assert counted(outcomes) == [("b", 3), ("a", 2)] and outcomes[0].delivered == 1


@pytest.mark.full
def test_relays_are_delivered_over_the_reachable_ground(figure):
    outcomes = [study_pose(place, i, DRAWS) for i, place in enumerate(reachable_poses(POSES))]
    all_of = POSES * DRAWS
    said = "; ".join(f"{cause} {count}" for cause, count in counted(outcomes)) or "no failure"
    figure(
        "100 relays x 20 draws: delivered", sum(o.delivered for o in outcomes) / all_of, 0.97, at_least=True, note=said
    )
    figure("the same: draws in which anything touched", sum(o.collisions for o in outcomes), 0)
    figure("the same: relays whose angle left its set", sum(o.outside for o in outcomes), 0)
    turned = np.degrees(np.median([s for o in outcomes for s in o.swings]))
    figure("the same: the relay turned in the gripper, median [deg]", turned, 30, at_least=True)
    worst = max(sum(o.seconds) for o in outcomes)
    figure("the same: longest planning of a pick-up [s] (Leutenegger: up to 1 to 2 min)", worst, 120)
    assert all(o.status for o in outcomes)


@pytest.mark.full
def test_without_a_planner_the_same_relays_fail_by_cause(figure):
    outcomes = [study_pose(place, i, DRAWS, "none") for i, place in enumerate(reachable_poses(POSES))]
    share = sum(o.delivered for o in outcomes) / (POSES * DRAWS)
    said = "; ".join(f"{cause} {count}" for cause, count in counted(outcomes))
    figure("the same without planning: delivered", share, 0.9, note=said)
    assert all(cause for o in outcomes for cause in o.causes if cause) and counted(outcomes)
