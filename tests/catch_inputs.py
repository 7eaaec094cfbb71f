"""The catcher held, closed and opened, for the tests of its plant."""

from __future__ import annotations

import functools

import numpy as np

from carpal.labs.catch import CatcherNumbers, catcher, catcher_engine, hand_command
from carpal.model import load

Q_START = np.radians([0.0, 180.0, -90.0, -90.0, 0.0, 90.0])
Q_DROP = np.radians([46.8, 133.7, 166.8, -102.2, -49.7, 10.1])


@functools.cache
def engine():
    numbers = CatcherNumbers()
    return catcher_engine(catcher(numbers=numbers), numbers)


def wanted(closed=False, q=Q_START):
    return np.r_[q, hand_command(closed)]


@functools.cache
def held(seconds=0.4):
    """States every 20 ms of the catcher that is commanded to stay at its start."""
    states = [engine().start()]
    for _ in range(round(seconds / 0.02)):
        states.append(engine().run(states[-1], steps=1000, command=wanted()).state)
    return states


def moved_digits(made, state, first, last, kind, *, milliseconds=90):
    """q (n, nq) every millisecond while the digits go from one command to another by a step, a 20 ms ramp or the kick."""
    rows = []
    for ms in range(milliseconds):
        if kind == "kick" and ms == 0:  # the script's rate over one step (E24)
            state = made.run(state, steps=1, command=first, rate=(last - first) / made.dt).state
            state = made.run(state, steps=49, command=last).state
        elif kind == "ramp" and ms < 20:
            now = first + (last - first) * ms / 20
            state = made.run(state, steps=50, command=now, rate=(last - first) / 0.02).state
        else:
            state = made.run(state, steps=50, command=last).state
        rows.append(state.q)
    return np.array(rows)


def random_arm(count, seed=0):
    arm = load("catcher_arm")
    return np.random.default_rng(seed).uniform(arm.q_min, arm.q_max, (count, 6))


@functools.cache
def recorded_catch():
    """One catch with the default options: TaskResult."""
    from carpal.tasks import make_task

    return make_task("catch").run(seed=0)


def grid_rows(count=30):
    """Made-up scores of the grid: point 7 misses the bin, one more is out of reach."""
    from carpal.labs.catch.score import CAUSES

    made = []
    for seed in range(count):
        good = seed != 7
        numbers = {
            "caught": True, "in_bin": good, "max_position_error_mm": 3.0 + 0.1 * seed, "max_position_error_before_mm": 1.0,
            "max_angle_error_deg": 0.5, "max_angle_error_before_deg": 0.4, "mean_position_error_mm": 0.2 * seed,
            "mean_angle_error_deg": 0.01 * seed, "peak_torque_Nm": [1.0, 2.0 + seed, 0.0], "peak_torque_before_Nm": [1.0, 0.5],
            "cause_code": float(CAUSES.index("none" if good else "missed the bin")),
        }  # fmt: skip
        made.append({"seed": seed, "ok": good, "status": "x", "numbers": numbers})
    made.append({"seed": count, "ok": False, "status": "out of reach: far.", "numbers": {"caught": False}})
    return made


@functools.cache
def caught_recording():
    """The task with thesis gains and the recording of its catch, from throw to bin."""
    from carpal.labs.catch.task import Catch

    task = Catch(gains="thesis")
    return task, task.run(0).recording


def grid_case(catcher, seed):
    """Start and plan of a point of the grid, for a compiled catcher."""
    from carpal.labs.catch.task import Catch

    task = Catch(grid=True, gains="thesis")
    throw = task.draw(seed)
    return catcher.start(throw.position, throw.velocity), task.plan_of(throw)


def commands_at(plan, time):
    """Command and rate (11) of a plan with the hand open, as the controller gives them every 0.2 ms."""
    from carpal.labs.catch.arm_tables import follow_plans

    wanted, rates, _ = follow_plans([plan], 0.01, 2e-4)
    row = round(time / 2e-4)
    return np.r_[wanted[0, row], hand_command(False)], np.r_[rates[0, row], np.zeros(5)]


def laboratory(seed, **options):
    """A throw of the catch laboratory, with drag, at its window of 0.5 x 0.5 m: the task and the throw."""
    from carpal.labs.catch.task import Catch

    task = Catch(**{"controller": "best", "drag": 0.47, "vary": 1.0, "window": (-0.05, 0.45, -0.2, 0.3)} | options)
    return task, task.draw(seed)


@functools.cache
def panda_pair():
    """Panda with its own gripper, its palm found: a `ReadyPair`."""
    from carpal.labs.catch.pair.pair_catch import ready_pair
    from carpal.labs.catch.pair.pair_setup import PairSetup

    return ready_pair(PairSetup(arm="panda").key)


@functools.cache
def panda_catch(engine):
    """One throw at it, by an engine: the task and its TaskResult."""
    from carpal.labs.catch.task import Catch

    task = Catch(arm="panda", engine=engine)
    return task, task.run(0)


def toy_hand():
    """A palm plate with two sliding fingers that hold nothing unless they close."""
    from carpal.model import Body, Box, Joint, Model, PlacedShape
    from carpal.spatial import pose

    bodies = [Body("plate", None, Joint("bolts"), Box((0.1, 0.06, 0.02)).inertia(0.3))]
    shapes = [PlacedShape("plate", "plate", Box((0.1, 0.06, 0.02)), pose(p=(0.0, 0.0, 0.01)))]
    for name, side in (("left", 1.0), ("right", -1.0)):
        slide = Joint(
            f"{name}_slide", "prismatic", axis=np.array([side, 0.0, 0.0]), q_min=0.01, q_max=0.05, tau_max=20.0
        )
        bodies.append(Body(name, "plate", slide, Box((0.01, 0.04, 0.08)).inertia(0.05)))
        shapes.append(PlacedShape(name, name, Box((0.01, 0.04, 0.08)), pose(p=(0.0, 0.0, 0.065))))
    return Model("toy_hand", tuple(bodies), shapes=tuple(shapes), q_home=np.array([0.05, 0.05]))
