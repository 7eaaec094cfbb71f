"""What the assumed numbers of the spring finger do at plus and minus 20 % (docs/assumptions.md).

Columns: lowest frequency of the upright finger, its slowest decay, sag of the tip with the finger held level, tension at which
the last joint closes, designed k1 for rest angles of 10, 8, 6 degrees, Cramer-Rao deviation of k1 (250 Hz, 1 s, tension 0 to 4 N
swept 0.5 to 20 Hz, noise 0.1 degrees).
"""

from __future__ import annotations

import numpy as np

from carpal.labs.finger import (
    FingerRecord,
    SpringFinger,
    assumed_finger,
    choose_springs,
    closing_tensions,
    design_springs,
    finger_modes,
    identification_bound,
    read_springs,
    rest_pose,
    simulate_finger,
    tendon_sweep,
)

SHOWN = ("frequency [Hz]", "decay [1/s]", "sag [mm]", "closing [N]", "k1 [N m/rad]", "bound of k1 [%]")
ASSUMED = ("length", "mass", "stiffness", "damping", "tendon_arm", "q_max")


def numbers(finger: SpringFinger) -> np.ndarray:
    modes = finger_modes(finger)
    level = finger.replace(gravity=(9.81, 0.0, 0.0))
    sag = finger.points(rest_pose(level).q)[3, 0]
    time = np.arange(251) / 250
    motion = simulate_finger(finger, (0.2, 0.1, 0.1), time=time, load=tendon_sweep(time, 4.0, 0.5, 20.0))
    bound = identification_bound(
        finger, FingerRecord.of_motion(motion), np.radians(0.1), q0=motion.q[0], v0=motion.v[0]
    )
    design = design_springs(finger, np.radians((10, 8, 6)))
    return np.array(
        [
            modes.frequency_hz[0], -modes.rates[0].real, 1000 * sag, closing_tensions(finger, 60.0).max(),
            design.finger.stiffness[0], 100 * bound[0] / finger.stiffness[0],
        ]
    )  # fmt: skip


def main() -> None:
    finger = assumed_finger()
    base = numbers(finger)
    print("| assumed | " + " | ".join(SHOWN) + " |")
    print("|---" * (1 + len(SHOWN)) + "|")
    print("| all as assumed | " + " | ".join(f"{x:.4g}" for x in base) + " |")
    for name in ASSUMED:
        low, high = (
            numbers(finger.replace(**{name: f * getattr(finger, name), "com": None, "inertia": None}))
            for f in (0.8, 1.2)
        )
        cells = [
            f"{100 * (a / x - 1):+.1f} / {100 * (b / x - 1):+.1f} %" for a, b, x in zip(low, high, base, strict=True)
        ]
        print(f"| {name} | " + " | ".join(cells) + " |")
    shop = read_springs()
    for f in (0.8, 1.0, 1.2):
        springs = tuple(type(s)(s.name, f * s.stiffness, s.largest, s.price) for s in shop.springs)
        other = type(shop)(shop.title, shop.currency, shop.custom_price, springs)
        design = design_springs(finger, np.radians((5, 3, 2)), order=(1, 2, 3), tension=20.0)
        print(f"catalogue stiffness x {f}:", choose_springs(design, other))


if __name__ == "__main__":
    main()
