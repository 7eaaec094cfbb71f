"""From wherever the motors stand to where signing begins: fingers open, the arm follows a collision-free path, all checked.

The fingers open first and the arm moves then, or the other way round. The arm goes straight, or along a path that `carpal.plan`
finds. Nothing is assumed about how the robot came to where it stands; where parts touch there, it is not moved at all.
"""

from __future__ import annotations

import numpy as np

from carpal.labs.sign.hand.moves import HandMover
from carpal.labs.sign.motion.legs import Leg, WordMotion, timed_leg
from carpal.labs.sign.motion.word_plan import Signer
from carpal.spatial import Array

STEP = 0.005
"""[s] between two checks of a motion."""
NEAR = 1e-4
"""[rad, m] from the place where signing begins: nothing needs to move."""
SEEDS = 3
MARGIN, RESOLUTION = 2e-3, 0.01
"""[m] that the arm's way keeps at its samples, and [rad] between them."""


def plan_approach(signer: Signer, start: Array, goal: Array) -> tuple[WordMotion | None, str]:
    """The motion from `start` to `goal` (arm joints + commands), and why there is none; (None, "") where nothing has to move."""
    if np.abs(start - goal).max() <= NEAR:
        return None, ""
    n, rules = signer.mounted.arm.nq, signer.behaviour
    outside = (start[:n] < signer.mounted.arm.q_min - 1e-6) | (start[:n] > signer.mounted.arm.q_max + 1e-6)
    if outside.any():
        return None, f"joint {int(np.flatnonzero(outside)[0]) + 1} of the arm stands outside its limits."
    start = start.copy()
    start[:n] = np.clip(start[:n], signer.mounted.arm.q_min, signer.mounted.arm.q_max)
    start[n:] = np.clip(start[n:], signer.hand.low, signer.hand.high)
    least, pair = clearance(signer, start[None])
    if least < rules.distance:
        return None, f"where the robot stands, {pair} are {1e3 * least:.2f} mm apart; it must be freed by hand."
    problem = ""
    for order in (_fingers_first, _arm_first):
        legs, why = order(signer, start, goal)
        if not why:
            motion = WordMotion(legs, n)
            times = np.append(np.arange(0.0, motion.duration, STEP), motion.duration)
            least, pair = clearance(signer, motion.at(times)[0])
            if least >= rules.distance:
                return motion, ""
            why = f"{pair} come to {1e3 * least:.2f} mm"
        problem = problem or why
    return None, f"no collision-free path was found from where the robot stands: {problem}."


def clearance(signer: Signer, x: Array) -> tuple[float, str]:
    """[m] of the nearest two parts over rows x (m, arm joints + commands), and their names."""
    n = signer.mounted.arm.nq
    found = signer.checker.distance(signer.mounted.configuration(x[:, :n], signer.hand.joints(x[:, n:])))
    at = int(np.argmin(found.distance))
    a, b = signer.checker.tables.pair_names(int(found.pair[at]))
    return float(found.distance[at]), f"'{a}' and '{b}'"


def _fingers_first(signer: Signer, start: Array, goal: Array) -> tuple[list[Leg], str]:
    n = signer.mounted.arm.nq
    fingers, there, why = _fingers(signer, start[:n], start[n:], goal[n:])
    if why:
        return [], why
    arm, why = _arm(signer, start[:n], goal[:n], there, goal[n:])
    return fingers + arm, why


def _arm_first(signer: Signer, start: Array, goal: Array) -> tuple[list[Leg], str]:
    n = signer.mounted.arm.nq
    arm, why = _arm(signer, start[:n], goal[:n], start[n:], start[n:])
    if why:
        return [], why
    fingers, there, why = _fingers(signer, goal[:n], start[n:], goal[n:])
    return arm + fingers + _leg(signer, goal[None, :n], there, goal[n:]), why


def _fingers(signer: Signer, q_arm: Array, start: Array, goal: Array) -> tuple[list[Leg], Array, str]:
    """Legs of the fingers with arm and wrist at rest, the commands at their end, and why there are none."""
    wrist = signer.hand.wrist
    a, b = start.copy(), goal.copy()
    a[wrist] = b[wrist] = 0.0
    move = signer.mover.move(a, b) if np.abs(a - b).max() > NEAR else None
    if move is not None and not move:  # where fingers were left nearer than they ever are in signing
        move = HandMover(signer.hand, signer.mover.checker, signer.behaviour.distance).move(a, b)
        if not move:
            return [], start, move.status.rstrip(".")
    path = np.stack([a, b]) if move is None else move.path.copy()
    path[:, wrist] = start[wrist]
    legs = [leg for k in range(len(path) - 1) for leg in _leg(signer, q_arm[None], path[k], path[k + 1])]
    return legs, path[-1], ""


def _arm(signer: Signer, start: Array, goal: Array, commands: Array, last: Array) -> tuple[list[Leg], str]:
    """Legs of the arm, the wrist with the last of them: straight where that is free, else as a planner finds."""
    if np.abs(start - goal).max(initial=0.0) <= NEAR:
        return _leg(signer, goal[None], commands, last), ""
    share = np.linspace(0.0, 1.0, 2 + int(np.abs(goal - start).max() / RESOLUTION))[:, None]
    straight = np.hstack([start + share * (goal - start), commands + share * (last - commands)])
    if clearance(signer, straight)[0] >= MARGIN:
        return _leg(signer, np.stack([start, goal]), commands, last), ""
    from carpal.planning import plan

    mounted = signer.mounted
    here = mounted.configuration(start, signer.hand.joints(commands))
    arm = [name for name in mounted.model.joint_names if name.startswith("arm/")]
    frozen = mounted.model.replace(q_home=here)
    margin = min(MARGIN, 0.9 * clearance(signer, straight[[0, -1]])[0])
    for seed in range(SEEDS):
        found = plan(frozen, start, goal, joints=arm, margin=margin, resolution=RESOLUTION, seed=seed)
        if found:
            path = found.path
            legs = [leg for k in range(len(path) - 1) for leg in _leg(signer, path[k : k + 2], commands, commands)]
            return legs + _leg(signer, goal[None], commands, last), ""
    return [], found.status.rstrip(".")


def _leg(signer: Signer, arm: Array, start: Array, end: Array) -> list[Leg]:
    leg = timed_leg(signer.mounted, signer.behaviour, arm, start, end, 0)
    return [] if leg is None else [leg]
