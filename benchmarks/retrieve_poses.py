"""100 relays over the reachable ground, 20 draws each: how many are delivered, by each planner, and why others are not.

`python benchmarks/retrieve_poses.py [--poses 100] [--draws 20] [--planner sbl] [--only 3 7] [--out FILE]` prints a line for each
relay and writes them as JSON, from which docs/evidence/13_retrieve.md has its rows.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
from pathlib import Path

import numpy as np

from carpal.labs.retrieve.studies.pose_study import PoseOutcome, counted, reachable_poses, study_pose


def summary(outcomes: list[PoseOutcome], draws: int) -> str:
    """The table."""
    n = len(outcomes)
    planned, arrived = [o for o in outcomes if o.planned], sum(o.delivered for o in outcomes)
    carry = np.array([o.seconds for o in planned]).reshape(-1, 2)
    turned = np.degrees([s for o in planned for s in o.swings])
    lines = [
        f"{arrived} of {n * draws} delivered ({100 * arrived / (n * draws):.2f} %), {len(planned)} of {n} planned",
        f"touched {sum(o.collisions for o in outcomes)}, left their set {sum(o.outside for o in outcomes)}",
    ]
    if len(carry):
        p = np.percentile(1e3 * carry, [50, 90, 100], axis=0)
        lines.append(f"planning [ms], median, 90 %, most: to the relay {p[:, 0].round()}, carrying {p[:, 1].round()}")
        lines.append(f"relay turned in the gripper by {np.median(turned):.0f} degrees, {turned.max():.0f} at most")
        lines.append(
            f"motions take {np.median([o.duration for o in planned]):.0f} s, {max(o.duration for o in planned):.0f} at most"
        )
        lines.append(f"grip point localised to {1e3 * np.median([o.error for o in planned]):.2f} mm")
    lines += [f"  {count:5d}  {cause}" for cause, count in counted(outcomes)]
    return "\n".join(lines)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--poses", type=int, default=100)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--only", type=int, nargs="*", help="numbers of relays; all by default")
    parser.add_argument("--planner", default="sbl")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    outcomes = []
    for i, relay_at in enumerate(reachable_poses(given.poses)):
        if given.only is not None and i not in given.only:
            continue
        outcome = study_pose(relay_at, i, given.draws, given.planner)
        outcomes.append(outcome)
        place = ", ".join(f"{v:.3f}" for v in relay_at)
        print(
            f"{i} ({place}): {outcome.delivered} of {given.draws}; {outcome.status} {sorted(set(outcome.causes) - {''})}",
            flush=True,
        )
        if given.out is not None:
            given.out.write_text(json.dumps([dataclasses.asdict(o) for o in outcomes]) + "\n")
    print(summary(outcomes, given.draws))


if __name__ == "__main__":
    main()
