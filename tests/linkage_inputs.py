"""Linkages that several tests share: the three of examples/linkages, and the six-bar driven where no closed form helps."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from carpal.model import Bar, Drive, Linkage, Pin, Slide

FOLDER = Path(__file__).parent.parent / "examples" / "linkages"
NAMES = ("crank_slider", "crossed_finger", "six_bar_finger")


def linkage(name):
    return Linkage.from_toml(FOLDER / f"{name}.toml")


def loop_driven():
    """The six-bar finger, driven by the angle between rod and middle phalanx: no bar is known before all are."""
    made = linkage("six_bar_finger")
    curve = made.curve()
    start, stop = (curve.angle("middle", d) - curve.angle("rod", d) for d in (made.drive.start, made.drive.stop))
    return replace(made, drive=Drive("turn", "tail", float(start), float(stop)))


def cylinder(guide_on_rod=False):
    """An arm lifted by a cylinder whose rod slides in it; the drive turns the arm, or pushes the rod."""
    bars = (
        Bar("ground", {"A": (0, 0), "C": (0.05, -0.08)}),
        Bar("arm", {"A": (0, 0), "B": (0.1, 0)}, angle=0.3, mass=0.1),
        Bar("barrel", {"C": (0, 0), "E": (0.06, 0.0)}, angle=1.2, mass=0.05),
        Bar("rod", {"B": (0, 0), "F": (-0.06, 0)}, angle=1.2, mass=0.05),
    )
    pins = (Pin("a", "ground.A", "arm.A"), Pin("b", "arm.B", "rod.B"), Pin("c", "ground.C", "barrel.C"))
    slide = Slide("s", "rod.B", ("barrel.C", "barrel.E"), travel=0.1)
    if guide_on_rod:
        slide = Slide("s", "barrel.C", ("rod.B", "rod.F"), angle=np.pi, travel=0.1)
    return Linkage("cylinder", bars, pins, Drive("turn", "a", 0.3, 1.3), (slide,))
