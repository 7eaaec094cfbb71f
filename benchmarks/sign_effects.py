"""What the assumed numbers of `parloma_hand` and its driver do at 20 percent less and more; prints docs/assumptions.md's table.

Run: python benchmarks/sign_effects.py
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np

from carpal.labs.sign import letters_of, mount_hand, read_alphabet, read_driver, sign_hand, tendon_angles
from carpal.labs.sign.motion.payload import payload_share
from carpal.model.catalogue import parloma_hand as numbers

TOUCH = [[2.0, 0.02, 0.0, -0.5]]


def measured(driver=None) -> tuple[int, float, float, float, float, float]:
    """Letters shown, least distance [mm], largest misfit [deg], travel [mm], yield to 0.5 N [deg], payload share [%]."""
    hand = sign_hand(driver or read_driver("parloma"))
    shown, _ = letters_of(hand, read_alphabet())
    finger = hand.fingers["index"]
    half = 0.5 * finger.travel
    given = np.degrees(np.abs(tendon_angles(finger, half, TOUCH).angles - tendon_angles(finger, half).angles).max())
    mounted = mount_hand(hand)
    share = payload_share(mounted, np.zeros((1, mounted.model.nq)), 2.0)
    least = min((one.distance for one in shown.values()), default=np.nan)
    misfit = max((one.misfit for one in shown.values()), default=np.nan)
    return len(shown), 1e3 * least, np.degrees(misfit), 1e3 * finger.travel, float(given), 100 * share


def scaled(value, factor):
    """A number, a tuple or a table of tuples, times a factor."""
    if isinstance(value, dict):
        return {key: scaled(item, factor) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(scaled(item, factor) for item in value)
    return value * factor


def of_model(name: str) -> Callable[[float], tuple]:
    """A constant of the catalogue file, scaled."""

    def run(factor: float) -> tuple:
        before = getattr(numbers, name)
        setattr(numbers, name, scaled(before, factor))
        try:
            return measured()
        finally:
            setattr(numbers, name, before)

    return run


def of_tendons(key: str) -> Callable[[float], tuple]:
    """A number of every tendon in the driver file, scaled."""

    def run(factor: float) -> tuple:
        driver = read_driver("parloma")
        tendons = {finger: {**row, key: row[key] * factor} for finger, row in driver.tendons.items()}
        return measured(dataclasses.replace(driver, tendons=tendons))

    return run


def of_driver(name: str) -> Callable[[float], tuple]:
    """A number of the driver file, scaled."""
    driver = read_driver("parloma")
    return lambda factor: measured(dataclasses.replace(driver, **{name: getattr(driver, name) * factor}))


CASES = {
    "lengths of the phalanges": of_model("LENGTHS"),
    "radii of fingers": of_model("RADII"),
    "radii of the thumb": of_model("THUMB_RADII"),
    "places of the knuckles": of_model("KNUCKLES"),
    "place of the thumb": of_model("THUMB_BASE"),
    "tilt of the thumb 60 deg": of_model("THUMB_TILT"),
    "palm's box": of_model("PALM_SIZE"),
    "largest bends of fingers": of_model("BEND_DEG"),
    "largest bends of the thumb": of_model("THUMB_BEND_DEG"),
    "opposition 100 deg": of_model("OPPOSITION_DEG"),
    "masses of phalanges": of_model("MASSES"),
    "masses of palm": of_model("PALM_MASS"),
    "mass of forearm and motors": of_model("FOREARM_MASS"),
    "height of the wrist": of_model("WRIST_HEIGHT"),
    "tensions at which joints start": of_tendons("starts"),
    "tension of the closed finger": of_tendons("closed"),
    "radii of pulleys": of_tendons("pulleys"),
    "stiffness of tendons": of_tendons("stiffness"),
    "lever of the payload 0.15 m": of_driver("payload_lever"),
}


def main() -> None:
    """Print the table."""
    base = measured()
    print(
        "| assumed | letters shown | least distance | largest misfit | tendon travel | yields to 0.5 N | payload share |"
    )
    print("|---|---|---|---|---|---|---|")
    print(
        f"| as it is | {base[0]} | {base[1]:.1f} mm | {base[2]:.0f} deg | {base[3]:.1f} mm | {base[4]:.1f} deg | "
        f"{base[5]:.1f} % |"
    )
    for name, run in CASES.items():
        cells = []
        both = []
        for factor in (0.8, 1.2):
            try:
                both.append(run(factor))
            except ValueError as problem:
                both.append(str(problem))
        for k, form in enumerate(("{:.0f}", "{:.1f}", "{:.0f}", "{:.1f}", "{:.1f}", "{:.1f}")):
            cells.append(" / ".join("refused" if isinstance(one, str) else form.format(one[k]) for one in both))
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
