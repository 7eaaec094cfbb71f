"""Random linkages that cannot work are refused, each with its true reason: checked by inequalities and closed forms."""

import re
from dataclasses import replace

import numpy as np
import pytest
from linkage_inputs import linkage, loop_driven

from carpal.errors import ModelError
from carpal.model import Bar, Drive, Linkage, Pin

PINS = (
    Pin("a", "ground.A", "crank.A"), Pin("b", "crank.B", "coupler.B"), Pin("c", "coupler.C", "rocker.C"),
    Pin("d", "ground.D", "rocker.D"),
)  # fmt: skip


def four_bar(r, start, stop, rocker=1.5):
    bars = (
        Bar("ground", {"A": (0, 0), "D": (r[0], 0)}),
        Bar("crank", {"A": (0, 0), "B": (r[1], 0)}, angle=start),
        Bar("coupler", {"B": (0, 0), "C": (r[2], 0)}),
        Bar("rocker", {"D": (0, 0), "C": (r[3], 0)}, angle=rocker),
    )
    return Linkage("random", bars, PINS, Drive("turn", "a", start, stop))


def number(text, pattern):
    found = re.search(pattern, text)
    assert found, text
    return float(found.group(1))


def open_loop(rng):
    """A dyad that misses: by how much follows from the two circles."""
    while True:
        r, start = rng.uniform(0.02, 0.12, 4), rng.uniform(-np.pi, np.pi)
        reach = abs(r[0] - r[1] * np.exp(1j * start))
        gap = max(reach - r[2] - r[3], abs(r[2] - r[3]) - reach)
        if gap > 1e-6:
            break
    with pytest.raises(ModelError, match="cannot close at drive") as caught:
        four_bar(r, start, start + 0.1).curve()
    return abs(number(str(caught.value), r"miss by ([-\d.e]+) mm") / 1000 / gap - 1) < 1e-3


def toggle_inside(rng):
    """A crank driven past the pose where coupler and rocker are in line: the law of cosines says where."""
    while True:
        g, a, c, b = rng.uniform(0.03, 0.12, 4)
        cosine = (g**2 + a**2 - (b + c) ** 2) / (2 * g * a)
        if abs(cosine) < 0.95 and abs(g - a) > abs(b - c) + 1e-3:
            break
    limit = np.arccos(cosine)
    start, stop = rng.uniform(-0.8, 0.8) * limit, limit + rng.uniform(0.05, 1.0)
    if rng.random() < 0.5:
        start, stop, limit = -start, -stop, -limit
    with pytest.raises(ModelError, match="reaches a toggle at drive") as caught:
        four_bar((g, a, c, b), start, stop, rocker=2.0).curve()
    return abs(number(str(caught.value), r"at drive ([-\d.e]+) rad") - limit) < 1e-5 * max(1, abs(limit))


def wrong_count(rng):
    """Bars in a chain with random pins more or less: Grübler's count, done here again."""
    bars = int(rng.integers(2, 7))
    made = [Bar("ground", {"A": (0, 0), "B": (0.1, 0)})]
    made += [Bar(f"bar{i}", {"A": (0, 0), "B": (0.05, 0), "C": (0.02, 0.03)}) for i in range(bars)]
    names = [bar.name for bar in made]
    pins = [Pin(f"p{i}", f"{names[i]}.B", f"{names[i + 1]}.A") for i in range(bars)]
    for k in range(int(rng.integers(0, 4))):
        i, j = rng.choice(bars + 1, 2, replace=False)
        pins.append(Pin(f"x{k}", f"{names[i]}.{'BA'[k % 2]}", f"{names[j]}.A"))
    count = 3 * bars - 2 * len(pins)  # never 1 by parity when bars is even; skip the rest
    if count == 1:
        return wrong_count(rng)
    with pytest.raises(ModelError, match="Grübler") as caught:
        Linkage("random", tuple(made), tuple(pins), Drive("turn", "p0", 0.0, 1.0))
    return number(str(caught.value), r"has (-?\d+) degrees of freedom") == count


def loose_bar(rng):
    """Bars that nothing joins to ground, however many pins they have among themselves."""
    r = rng.uniform(0.05, 0.06, 4)
    made = four_bar(r, 0.5, 0.6)
    lost = (Bar("lost", {"A": (0, 0), "B": (0.1, 0)}), Bar("stray", {"A": (0, 0), "B": (0.1, 0)}))
    with pytest.raises(ModelError, match="hangs on nothing") as caught:
        replace(made, bars=(*made.bars, *lost), pins=(*PINS, Pin("e", "lost.A", "stray.B")))
    return "'lost'" in str(caught.value)


def short_rod(rng):
    """A connecting rod that does not reach its guide at the start of the stroke: r sin(t) - e is more than its length."""
    made = linkage("crank_slider")
    start = np.radians(rng.uniform(60, 120))
    need = 0.03 * np.sin(start) - 0.006
    length = need * rng.uniform(0.2, 0.95)
    bars = [replace(bar, points={"B": (0, 0), "C": (length, 0)}) if bar.name == "rod" else bar for bar in made.bars]
    with pytest.raises(ModelError, match="cannot close at drive") as caught:
        replace(made, bars=bars, drive=Drive("turn", "a", start, start + 0.2)).curve()
    return abs(number(str(caught.value), r"miss by ([-\d.e]+) mm") / 1000 / (need - length) - 1) < 1e-3


LOOP = loop_driven()


def hopeless_loop(rng):
    """Six bars without closed form, one rod longer than the three other sides of its loop together: no pose closes it."""
    others = np.hypot(0.003, 0.0077) + 0.042 + np.hypot(0.0062, 0.0033)
    length = others + rng.uniform(0.002, 0.03)
    bars = [replace(bar, points={"R": (0, 0), "Q": (length, 0)}) if bar.name == "rod" else bar for bar in LOOP.bars]
    with pytest.raises(ModelError, match="cannot close at drive") as caught:
        replace(LOOP, bars=bars).curve()
    # four sides share the gap of the quadrilateral's inequality between four pins at best
    return number(str(caught.value), r"misses by ([-\d.e]+) mm") / 1000 > (length - others) / 8


def repeated_pins(rng):
    """A truss held twice beside a chain held once too little: the count is 1, the motion is not."""
    x, y = rng.uniform(0.03, 0.06, 2)
    bars = (
        Bar("ground", {"A": (0, 0), "D": (x, 0), "E": (-0.1, 0)}),
        Bar("left", {"A": (0, 0), "T": (0, y), "M": (0, y / 2)}),
        Bar("right", {"D": (0, 0), "T": (-x, y)}),
        Bar("brace", {"D": (0, 0), "M": (-x, y / 2)}),
        Bar("arm", {"E": (0, 0), "F": (0.05, 0)}, angle=2.0),
        Bar("hand", {"F": (0, 0), "G": (0.05, 0)}),
    )
    pairs = ("ground.A left.A", "ground.D right.D", "left.T right.T", "ground.D brace.D", "left.M brace.M")
    pins = [Pin(f"p{i}", *pair.split()) for i, pair in enumerate((*pairs, "ground.E arm.E", "arm.F hand.F"))]
    made = Linkage("random", bars, tuple(pins), Drive("turn", "p5", 2.0, 2.5))
    assert made.freedoms == 1
    with pytest.raises(ModelError, match="though Grübler's count gives 1") as caught:
        made.curve()
    return number(str(caught.value), r"has (\d+) degrees") == 2


KINDS = {
    open_loop: 60, toggle_inside: 40, wrong_count: 35, loose_bar: 10, short_rod: 25, hopeless_loop: 15, repeated_pins: 15,
}  # fmt: skip


def refused(counts):
    rng = np.random.default_rng(8)
    return sum(bool(kind(rng)) for kind, count in counts.items() for _ in range(count))


def test_random_impossible_linkages_are_refused_with_a_true_reason(figure):
    counts = {kind: max(2, count // 6) for kind, count in KINDS.items()}
    counts[hopeless_loop] = 2
    figure(
        "share of random impossible linkages refused with their true reason",
        refused(counts) / sum(counts.values()),
        1,
        at_least=True,
    )


@pytest.mark.full
def test_200_random_impossible_linkages_are_refused_with_a_true_reason(figure):
    assert sum(KINDS.values()) == 200
    figure("of 200 random impossible linkages, refused with their true reason", refused(KINDS), 200, at_least=True)


def accepted(count):
    """Random four-bars inside their limits, both ways of assembly; returns the worst error of Freudenstein's equation."""
    rng, worst = np.random.default_rng(9), 0.0
    for _ in range(count):
        while True:
            g, a, c, b = rng.uniform(0.03, 0.12, 4)
            far, near = ((g**2 + a**2 - reach**2) / (2 * g * a) for reach in (b + c, b - c))
            high = np.pi - 0.01 if far < -1 else np.arccos(min(far, 1.0)) - 0.01
            low = 0.01 - np.pi if near > 1 and far < -1 else 0.01 if near > 1 else np.arccos(max(near, -1.0)) + 0.01
            if high > low + 0.05 and abs(abs(near) - 1) > 0.02 and abs(far + 1) > 0.02:
                break
        start, stop = rng.uniform(low, high, 2)
        curve = four_bar((g, a, c, b), start, stop, rocker=rng.choice([-1.5, 1.5])).curve()
        t = np.linspace(start, stop, 50)
        out = curve.angle("rocker", t)
        off = g / a * np.cos(out) - g / b * np.cos(t) + (g**2 + a**2 + b**2 - c**2) / (2 * a * b) - np.cos(t - out)
        worst = max(worst, np.abs(off).max())
        assert np.abs(np.diff(out)).max() < 1.5
    return worst


def test_random_possible_linkages_are_accepted(figure):
    figure("random four-bars against Freudenstein's equation", accepted(15), 1e-11)


@pytest.mark.full
def test_200_random_possible_linkages_are_accepted(figure):
    figure("200 random four-bars, none refused, against Freudenstein's equation", accepted(200), 1e-11)
