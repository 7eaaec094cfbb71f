"""The exact curve: against an independent solve by scipy, derivatives against finite differences, branches, margins."""

import numpy as np
import pytest
from linkage_independent import Independent
from linkage_inputs import FOLDER, NAMES, linkage, loop_driven

from carpal.errors import CarpalError
from carpal.model import Bar, Drive, Linkage, Pin


@pytest.mark.parametrize("name", NAMES)
def test_the_curve_equals_an_independent_solve(name, figure):
    made = linkage(name)
    curve = made.curve()
    assert curve.closed_form
    drives = np.linspace(made.drive.start, made.drive.stop, 40)
    check = Independent((FOLDER / f"{name}.toml").read_text())
    theirs = check.follow(drives)
    ours = curve.poses(drives)[:, [made.index[bar] for bar in check.bars]].reshape(len(drives), -1)
    off = ours - theirs
    off[:, 2::3] = np.angle(np.exp(1j * off[:, 2::3]))
    figure(f"{name}: curve against scipy's fsolve [m, rad]", np.abs(off).max(), 1e-11)
    figure(f"{name}: closure error of the curve [m, rad]", curve.gap(drives).max(), 1e-14)


def test_newton_and_closed_forms_give_one_curve(figure):
    """The same six bars driven at another pin have no closed form; at the same poses both curves must agree."""
    known, other = linkage("six_bar_finger").curve(), loop_driven().curve()
    assert known.closed_form and not other.closed_form
    drives = np.linspace(0.0269, 0.0101, 60)
    there = known.angle("middle", drives) - known.angle("rod", drives)
    off = np.abs(other.poses(there) - known.poses(drives)).max()
    figure("six-bar by Newton on its loop against closed forms [m, rad]", off, 1e-12)


@pytest.mark.parametrize("name", [*NAMES, "loop_driven"])
def test_rates_are_the_derivative_of_the_poses(name, figure):
    made = loop_driven() if name == "loop_driven" else linkage(name)
    curve = made.curve()
    low, high = sorted((made.drive.start, made.drive.stop))
    h = 1e-4 * (high - low)
    drives = np.linspace(low + 2 * h, high - 2 * h, 50)
    p = [curve.poses(drives + k * h) for k in (-2, -1, 1, 2)]
    differences = (p[0] - 8 * p[1] + 8 * p[2] - p[3]) / (12 * h)
    rates = curve.rates(drives)
    off = np.abs(differences - rates).max() / np.abs(rates).max()
    figure(f"{name}: ratios against central differences [relative]", off, 1e-9)
    q = [curve.q(drives + k * h) for k in (-2, -1, 1, 2)]
    dq = curve.dq(drives)
    assert np.abs((q[0] - 8 * q[1] + 8 * q[2] - q[3]) / (12 * h) - dq).max() < 1e-9 * np.abs(dq).max()


def test_crank_slider_has_its_textbook_form():
    """x = r cos(t) + sqrt(l^2 - (r sin(t) - e)^2), from the guide's first point."""
    curve = linkage("crank_slider").curve()
    t = np.linspace(curve.drives[0], curve.drives[-1], 200)
    x = 0.03 * np.cos(t) + np.sqrt(0.08**2 - (0.03 * np.sin(t) - 0.006) ** 2) - 0.02
    assert np.abs(curve.travel("s", t) - x).max() < 1e-15
    assert np.abs(curve.place("block.C", t) - np.stack([x + 0.02, np.full_like(t, 0.006)], -1)).max() < 1e-15


def four_bar(r=(0.1, 0.03, 0.11, 0.06), start=0.5, stop=2.5, **angles):
    ground, crank, coupler, rocker = r
    bars = (
        Bar("ground", {"A": (0, 0), "D": (ground, 0)}),
        Bar("crank", {"A": (0, 0), "B": (crank, 0)}, angle=start, mass=0.01),
        Bar("coupler", {"B": (0, 0), "C": (coupler, 0)}, angle=angles.get("coupler", 0.0), mass=0.01),
        Bar("rocker", {"D": (0, 0), "C": (rocker, 0)}, angle=angles.get("rocker", 1.5), mass=0.01, phalanx=True),
    )
    pins = (
        Pin("a", "ground.A", "crank.A"), Pin("b", "crank.B", "coupler.B"), Pin("c", "coupler.C", "rocker.C"),
        Pin("d", "ground.D", "rocker.D"),
    )  # fmt: skip
    return Linkage("four_bar", bars, pins, Drive("turn", "a", start, stop))


def test_four_bar_obeys_freudensteins_equation():
    """K1 cos(b) - K2 cos(a) + K3 = cos(a - b) (Freudenstein 1955), for both assembly modes, all round."""
    g, a, c, b = 0.1, 0.03, 0.11, 0.06
    for rocker, up in ((1.5, 1), (-1.5, -1)):
        curve = four_bar((g, a, c, b), 0.0, 2 * np.pi, rocker=rocker).curve()
        t = np.linspace(0.0, 2 * np.pi, 300)
        out = curve.angle("rocker", t)
        off = g / a * np.cos(out) - g / b * np.cos(t) + (g**2 + a**2 + b**2 - c**2) / (2 * a * b) - np.cos(t - out)
        assert np.abs(off).max() < 1e-13
        assert (np.sin(out) * up > 0).all()
        assert abs(out[-1] - out[0]) < 1e-12 and np.abs(np.diff(out)).max() < 0.1
        assert curve.margins == (np.inf, np.inf)


@pytest.mark.parametrize("r", [(0.1, 0.08, 0.05, 0.06), (0.1, 0.08, 0.03, 0.09)])
def test_margins_are_the_distances_to_the_stretched_and_folded_poses(r, figure):
    """A crank that cannot turn round stops where coupler and rocker are in line: the law of cosines gives the angle."""
    g, a, c, b = r
    curve = four_bar(r, 0.9, 1.0, rocker=2.0).curve()
    at = lambda reach: np.arccos((g**2 + a**2 - reach**2) / (2 * g * a))  # noqa: E731 - one formula, used twice
    before = at(b - c) if abs(b - c) > g - a else -at(b + c)  # folds, or swings through to the other stretched pose
    off = max(abs(curve.margins[0] - (0.9 - before)), abs(curve.margins[1] - (at(b + c) - 1.0)))
    figure(f"toggle of a four-bar {r} against the law of cosines [rad]", off, 1e-9)
    assert [toggle.kind for toggle in curve.toggles] == ["turning", "turning"]


def test_a_parallelogram_is_refused_where_its_bars_are_in_line():
    with pytest.raises(CarpalError, match=r"reaches a toggle at drive 3\.1415\d* rad \(180 deg\)"):
        four_bar((0.1, 0.05, 0.1, 0.05), 0.5, 4.0, rocker=0.5).curve()


def test_dead_points_are_where_crank_and_coupler_are_in_line():
    g, a, c, b = 0.1, 0.03, 0.11, 0.06
    found = four_bar((g, a, c, b), 0.0, 2 * np.pi).curve().dead_points("rocker")
    wanted = [np.arccos((g**2 + (c + s * a) ** 2 - b**2) / (2 * g * (c + s * a))) for s in (1, -1)]
    assert np.allclose(found, [wanted[0], wanted[1] + np.pi], atol=1e-9)


def test_transmission_angle_follows_the_law_of_cosines():
    g, a, c, b = 0.1, 0.03, 0.11, 0.06
    curve = four_bar((g, a, c, b)).curve()
    t = np.linspace(0.5, 2.5, 50)
    mu = np.arccos((c**2 + b**2 - (g**2 + a**2 - 2 * g * a * np.cos(t))) / (2 * c * b))
    assert np.abs(curve.transmission_angle(t) - np.minimum(mu, np.pi - mu)).max() < 1e-12


def test_batches_equal_singles_bit_for_bit():
    for made in (linkage("six_bar_finger"), loop_driven()):
        curve = made.curve()
        low, high = sorted((made.drive.start, made.drive.stop))
        drives = np.random.default_rng(1).uniform(low, high, (3, 4))
        many = curve.poses(drives)
        assert many.shape == (3, 4, 6, 3)
        assert all((curve.poses(drives[i, j]) == many[i, j]).all() for i in range(3) for j in range(4))


def test_a_stroke_may_run_either_way():
    one, other = four_bar(start=0.5, stop=2.5).curve(), four_bar(start=2.5, stop=0.5, rocker=1.9).curve()
    t = np.linspace(0.5, 2.5, 20)
    assert np.abs(one.poses(t) - other.poses(t)).max() < 1e-14


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda c: c.poses(3.0), "drive must be inside the stroke, 0.5 to 2.5 rad"),
        (lambda c: c.poses(np.nan), "inside the stroke"),
        (lambda c: c.poses("x"), "real numbers"),
        (lambda c: c.angle("roker", 1.0), "did you mean 'rocker'"),
        (lambda c: c.travel("s", 1.0), "unknown slide"),
        (lambda c: c.place("rocker.X", 1.0), "unknown point of bar 'rocker'"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(ask, sentence):
    with pytest.raises(CarpalError) as caught:
        ask(four_bar().curve())
    assert sentence in str(caught.value)


def test_printing_is_one_true_sentence():
    assert str(four_bar().curve()) == (
        "linkage 'four_bar' closes from 0.5 rad (28.65 deg) to 2.5 rad (143.2 deg) (closed form)."
    )
