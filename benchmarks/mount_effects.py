"""What the assumed numbers of `mount` do at plus and minus 20 %: case 3, closed loop with pulses (docs/assumptions.md)."""

from __future__ import annotations

from carpal.labs.mount import controller
from carpal.tasks import make_task

ASSUMED = {
    "acceleration": 10.0, "bandwidth": 25.0, "pulley_radius": 0.02, "pretension": 100.0, "damping": 0.1,
}  # fmt: skip
SHOWN = ("arrival_s", "peak_force_N", "peak_displacement_m", "settling_s", "peak_torque_Nm", "least_tension_N")


def numbers(**options: float) -> dict[str, float]:
    return make_task("mount", case=3, control="closed", pulse="default", **options).score_seeds([0])[0].numbers


def main() -> None:
    base = numbers()
    print("| assumed | value | " + " | ".join(SHOWN) + " |")
    print("|---" * (2 + len(SHOWN)) + "|")
    print("| all as assumed | | " + " | ".join(f"{base[name]:.4g}" for name in SHOWN) + " |")
    for name, value in ASSUMED.items():
        low, high = numbers(**{name: 0.8 * value}), numbers(**{name: 1.2 * value})
        cells = [f"{100 * (low[k] / base[k] - 1):+.1f} / {100 * (high[k] / base[k] - 1):+.1f} %" for k in SHOWN]
        print(f"| {name} | {value:g} | " + " | ".join(cells) + " |")
    share = controller.FILTER_SHARE
    both = []
    for factor in (0.8, 1.2):
        controller.FILTER_SHARE = factor * share
        both.append(numbers())
    controller.FILTER_SHARE = share
    cells = [f"{100 * (both[0][k] / base[k] - 1):+.1f} / {100 * (both[1][k] / base[k] - 1):+.1f} %" for k in SHOWN]
    print(f"| derivative filter, share of 1 / bandwidth | {share:g} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
