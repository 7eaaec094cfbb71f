"""What the assumed numbers of `dexterity` do at 20 percent less and more, and how three engines compare on the ten examples.

python benchmarks/dexterity_effects.py            # prints both tables as Markdown
"""

from __future__ import annotations

import numpy as np

from carpal.engines import simulate
from carpal.labs.dexterity import HandEngine, changed, make_setting, read_example
from carpal.labs.dexterity.observations import observed
from carpal.labs.dexterity.outcome import Outcome
from carpal.labs.dexterity.penalty_hand import PenaltyHand
from carpal.labs.dexterity.score import numbers_of


def run(example, engine="modal"):
    setting = make_setting(example)
    made = PenaltyHand(setting) if engine == "penalty" else HandEngine(setting, engine)
    return Outcome(setting, simulate(made, setting.start(), duration=example.duration))


def scaled(example, factor):
    """Every press and every move's angles and every start's target times a factor."""
    changes = {}
    for name, finger in example.data.get("fingers", {}).items():
        if "press" in finger:
            changes[f"fingers.{name}.press"] = factor * finger["press"]
        if "target" in finger:
            start = np.array(finger["start"], float)
            changes[f"fingers.{name}.target"] = (start + factor * (np.array(finger["target"]) - start)).tolist()
    for k, move in enumerate(example.data.get("move", [])):
        if "by" in move:
            changes[f"move.{k}.by"] = [factor * x for x in move["by"]]
    return changed(example, changes)


def effects():
    print("| example | observation | value | presses and moves -20 / +20 % | holds at both |\n|---|---|---|---|---|")
    for number in range(1, 11):
        example = read_example(number)
        rows = [observed(run(e), run) for e in (example, scaled(example, 0.8), scaled(example, 1.2))]
        for at, low, high in zip(*rows, strict=True):
            ok = "yes" if low.ok and high.ok else "no"
            print(f"| {number} | `{at.wanted.name}` | {at.value:.4g} | {low.value:.4g} / {high.value:.4g} | {ok} |")


def engines():
    print("\n| example | engine | observations that hold | not | deepest | creep |\n|---|---|---|---|---|---|")
    for number in range(1, 11):
        for engine in ("modal", "penalty", "mujoco"):
            try:
                outcome = run(read_example(number), engine)
                seen = observed(outcome, lambda e, engine=engine: run(e, engine))
            except ValueError as problem:
                print(f"| {number} | {engine} | {problem} | | | |")
                continue
            missed = ", ".join(f"`{s.wanted.name}` {s.value:.3g}" for s in seen if not s.ok)
            n = numbers_of(outcome)
            good = sum(s.ok for s in seen)
            numbers = f"{n['max_penetration_m']:.1e} m | {n['creep_m']:.1e} m"
            print(f"| {number} | {engine} | {good} of {len(seen)} | {missed} | {numbers} |")


if __name__ == "__main__":
    effects()
    engines()
