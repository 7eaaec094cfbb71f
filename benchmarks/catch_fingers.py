"""Bar lengths of the catching hand's fingers: a least-squares fit of two crossed four-bars and an actuator to wanted couplings.

    python benchmarks/catch_fingers.py

Wanted (a trial hand that catches): th1 from 15 to 86 deg while the actuator goes linearly from 27 to 10 mm,
th2 = 10 + 1.2 (th1 - 15), th3 = 5 + 0.8 (th1 - 15) deg. A rod's length must stay the same while its two pins move as
wanted: the rod's change of length, divided by its lever on the phalanx, is the error of the angle. Beyond the stroke, where
fingers overshoot, only the transmission counts: a toggle must be far. Cranks are as long as the phalanges' thickness
allows: the longer, the stiffer a finger on its rods. Prints the fit beside the data files of carpal/labs/catch/data,
which hold it rounded to 0.01 mm.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import least_squares

from carpal.labs.catch.hand_geometry import finger_linkage

OPEN, CLOSED = np.radians(15), np.radians(86)
LONG, SHORT = 0.027, 0.010
TH1 = np.radians(np.linspace(-14, 104, 119))  # stroke and overshoot
TH2 = np.radians(10) + 1.2 * (TH1 - OPEN)
TH3 = np.radians(5) + 0.8 * (TH1 - OPEN)
STROKE = (TH1 >= OPEN - 1e-9) & (TH1 <= CLOSED + 1e-9)
LEAST_SINE = 0.42  # of the transmission angle


def turned(angle, p):
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * p[0] - s * p[1], s * p[0] + c * p[1]], -1)


def four_bar(length, before, bent, cranks, highest_root):
    """Root R (x, y) on the bar before, pin Q (x, y) on the bent bar, rod length [m]; errors [rad], sines of transmission."""

    def parts(x):
        joint = turned(before, (length, 0.0))
        pin = joint + turned(before + bent, x[2:4])
        rod = pin - x[:2]
        size = np.linalg.norm(rod, axis=-1)
        arm = pin - joint
        lever = (rod[:, 1] * arm[:, 0] - rod[:, 0] * arm[:, 1]) / size
        return (size - x[4]) / lever, np.abs(lever) / np.hypot(x[2], x[3])

    def residuals(x):
        error, sine = parts(x)
        crank = np.hypot(x[2], x[3])
        room = np.maximum(0, [crank - cranks[1], cranks[0] - crank, x[1] - highest_root, x[0]])
        return np.r_[np.where(STROKE, 1.0, 0.15) * error, 0.6 * np.maximum(0, LEAST_SINE - sine), 200 * room]

    starts = [
        [a, h, -3e-3, -g, length - 2e-3] for h in (4e-3, 6e-3, 8e-3) for g in (4e-3, 6e-3) for a in (-6e-3, -3e-3)
    ]
    best = min((least_squares(residuals, start, x_scale=1e-3) for start in starts), key=lambda fit: fit.cost)
    return best.x, *parts(best.x)


def actuator(depth=0.018, highest=0.0042, least_lever=4e-3):
    """Lug L (x, y) on the proximal phalanx and M's x, M lying `depth` below the knuckle; angle errors [rad], levers [m]."""
    wanted = LONG + (SHORT - LONG) * (TH1 - OPEN) / (CLOSED - OPEN)

    def parts(x):
        lug = x[0] * np.stack([np.cos(x[1] + TH1), np.sin(x[1] + TH1)], -1)
        line = lug - [x[2], -depth]
        size = np.linalg.norm(line, axis=-1)
        return size, (line[:, 0] * lug[:, 1] - line[:, 1] * lug[:, 0]) / size

    def residuals(x):
        size, lever = parts(x)
        error = (size - wanted) / (LONG - SHORT) * (CLOSED - OPEN)
        ends = 3e4 * (size - wanted)[STROKE][[0, -1]]
        room = [300 * max(0.0, x[0] * np.sin(x[1] + OPEN) - highest), 300 * max(0.0, x[2])]  # inside the palm
        return np.r_[error * STROKE, ends, room, 300 * np.maximum(0, least_lever - lever)]

    starts = [[0.0143, angle, -0.01] for angle in np.radians(range(100, 180, 20))]
    best = min((least_squares(residuals, x, x_scale=[1e-3, 0.1, 1e-3]) for x in starts), key=lambda fit: fit.cost)
    _, lever = parts(best.x)
    radius, angle, x = best.x
    return (radius * np.cos(angle), radius * np.sin(angle)), (x, -depth), best.fun[: len(TH1)], lever


def main() -> None:
    mm = lambda *values: ", ".join(f"{1000 * v:.2f}" for v in values)  # noqa: E731 - prints millimetres
    L, M, error, lever = actuator()
    print(
        f"actuator: L ({mm(*L)}), M ({mm(*M)}) mm; th1 within {np.degrees(np.abs(error[STROKE])).max():.2f} deg of linear, ",
        end="",
    )
    print(f"lever {mm(lever[STROKE].min(), lever[STROKE].max())} mm")
    for finger, first, second in (("index", 0.042, 0.028), ("little", 0.038, 0.026)):
        linkage = finger_linkage(finger)
        print(f"{finger}: in the data file { ({bar.name: bar.points for bar in linkage.bars}) }")
        for name, fit in (
            ("palm to middle", four_bar(first, TH1, TH2, (6.2e-3, 7e-3), 7e-3)),
            ("proximal to distal", four_bar(second, TH2, TH3, (6.5e-3, 7e-3), 8e-3)),
        ):
            x, error, sine = fit
            angle = np.degrees(np.arcsin(sine))
            print(
                f"  {name}: R ({mm(*x[:2])}), Q ({mm(*x[2:4])}), rod {mm(x[4])} mm; coupling within "
                f"{np.degrees(np.abs(error[STROKE])).max():.2f} deg; transmission angle {angle[STROKE].min():.0f} deg or more "
                f"in the stroke, {angle.min():.0f} from {np.degrees(TH1[0]):.0f} to {np.degrees(TH1[-1]):.0f} deg"
            )
        curve = linkage.curve()
        drives = np.linspace(LONG, SHORT, 200)
        a = np.degrees(np.diff([curve.angle(bar, drives) for bar in linkage.phalanges], axis=0, prepend=0.0))
        off = np.abs([a[1] - 10 - 1.2 * (a[0] - 15), a[2] - 5 - 0.8 * (a[0] - 15)]).max(1)
        print(
            f"  data file: th1 {a[0][0]:.1f} to {a[0][-1]:.1f} deg, th2 and th3 within {off[0]:.2f} and {off[1]:.2f} deg; {curve}"
        )


if __name__ == "__main__":
    main()
