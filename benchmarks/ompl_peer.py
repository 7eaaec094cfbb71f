"""OMPL 1.7 with MuJoCo's collision checker, in a process of its own: questions in and answers out as JSON lines.

benchmarks/planners.py starts it. The file is shown verbatim in the evidence.
"""

import json
import os
import pickle
import sys
import time

import mujoco
import numpy as np
from ompl import base as ob
from ompl import geometric as og
from ompl import util as ou


def by_mujoco(scene, n):
    model = mujoco.MjModel.from_xml_string(scene["mjcf"])
    data = mujoco.MjData(model)
    qpos, kinematics, collision = data.qpos, mujoco.mj_kinematics, mujoco.mj_collision

    def is_valid(state):
        for i in range(n):
            qpos[i] = state[i]
        kinematics(model, data)
        collision(model, data)
        return data.ncon == 0

    return is_valid


def by_checker(scene, n):
    """Carpal's own checker, pickled, one configuration at a time."""
    with open(scene["checker"], "rb") as file:
        checker = pickle.load(file)
    q = np.zeros(n)

    def is_valid(state):
        for i in range(n):
            q[i] = state[i]
        return not checker(q)

    return is_valid


def main():
    ou.setLogLevel(ou.LOG_ERROR)
    scene = json.loads(sys.stdin.readline())
    n = len(scene["low"])
    is_valid = by_mujoco(scene, n) if "mjcf" in scene else by_checker(scene, n)

    space = ob.RealVectorStateSpace(n)
    bounds = ob.RealVectorBounds(n)
    for i in range(n):
        bounds.setLow(i, scene["low"][i])
        bounds.setHigh(i, scene["high"][i])
    space.setBounds(bounds)
    setup = og.SimpleSetup(space)
    setup.setStateValidityChecker(ob.StateValidityCheckerFn(is_valid))
    setup.getSpaceInformation().setStateValidityCheckingResolution(scene["resolution"] / space.getMaximumExtent())
    for line in sys.stdin:
        question = json.loads(line)
        setup.clear()
        setup.setPlanner(getattr(og, question["planner"])(setup.getSpaceInformation()))
        start, goal = ob.State(space), ob.State(space)
        for i in range(n):
            start[i], goal[i] = question["start"][i], question["goal"][i]
        setup.setStartAndGoalStates(start, goal)
        begun = time.perf_counter()
        solved = setup.solve(10.0)
        seconds = time.perf_counter() - begun
        exact = bool(solved) and setup.haveExactSolutionPath()
        length = setup.getSolutionPath().length() if exact else float("nan")
        simplified, shorter = float("nan"), float("nan")
        if exact:
            begun = time.perf_counter()
            setup.simplifySolution()
            simplified = time.perf_counter() - begun
            shorter = setup.getSolutionPath().length()
        answer = {"ok": exact, "seconds": seconds, "length": length, "simplify": simplified, "shorter": shorter}
        print(json.dumps(answer), flush=True)
    os._exit(0)  # its destructors may crash at exit


if __name__ == "__main__":
    main()
