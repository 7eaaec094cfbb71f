"""The force map by virtual work: against energies by finite differences, and against the pins' own equilibrium."""

from dataclasses import replace

import numpy as np
import pytest
from linkage_inputs import linkage, loop_driven

from carpal.errors import CarpalError
from carpal.model import LinkageSpring, drive_force, force_map, output_torque, spring_energy, spring_force
from carpal.model.linkage.closure import closure_of


def test_force_map_is_the_transpose_of_the_ratios():
    curve = linkage("six_bar_finger").curve()
    drives = np.linspace(0.026, 0.011, 30)
    F = force_map(curve, drives)
    assert F.shape == (30, 5)
    for i, bar in enumerate(curve.linkage.moving):
        assert (F[:, i] == curve.ratio(bar, drives)).all()


@pytest.mark.parametrize("name", ["crank_slider", "crossed_finger", "six_bar_finger", "loop_driven"])
def test_drive_force_against_virtual_work_by_differences(name, figure):
    """Work of constant loads along the curve, by differences of angles and places, equals the drive's work."""
    curve = (loop_driven() if name == "loop_driven" else linkage(name)).curve()
    rng = np.random.default_rng(3)
    bars = curve.linkage.moving
    torques = {bar: float(rng.normal()) for bar in bars}
    points = [f"{bar}.{next(iter(curve.linkage.bars[curve.linkage.index[bar]].points))}" for bar in bars]
    forces = {point: rng.normal(size=2) * 30 for point in points}
    low, high = sorted((curve.drives[0], curve.drives[-1]))
    h = 1e-4 * (high - low)
    drives = np.linspace(low + 2 * h, high - 2 * h, 40)

    def work(d):
        return (
            sum(torques[bar] * curve.angle(bar, d) for bar in bars)
            + sum(curve.place(point, d) @ forces[point] for point in points)
            - spring_energy(curve, d)
        )

    slope = (work(drives - 2 * h) - 8 * work(drives - h) + 8 * work(drives + h) - work(drives + 2 * h)) / (12 * h)
    ours = drive_force(curve, drives, torques=torques, forces=forces)
    off = np.abs(ours + slope).max() / np.abs(slope).max()
    figure(f"{name}: force map against virtual work by differences [relative]", off, 1e-9)


def test_drive_force_against_the_equilibrium_of_every_bar(figure):
    """Forces in all pins are found from each bar's own equilibrium (Jacobian transposed); the drive's is the last."""
    made = linkage("six_bar_finger")
    curve, closure = made.curve(), closure_of(made)
    rng, worst = np.random.default_rng(4), 0.0
    for drive in np.linspace(0.0265, 0.0105, 15):
        loads = rng.normal(size=(5, 3)) * (10, 10, 0.1)  # force at the bar's origin, torque
        J = closure.jacobian(curve.poses(drive))
        reactions = np.linalg.solve(J.T, -loads.ravel())
        torques = {bar: load[2] for bar, load in zip(made.moving, loads, strict=True)}
        origins = {"proximal": "K", "rod": "R", "middle": "P", "rod2": "R2", "distal": "D"}  # points at (0, 0)
        forces = {f"{bar}.{origins[bar]}": load[:2] for bar, load in zip(made.moving, loads, strict=True)}
        ours = drive_force(curve, drive, torques=torques, forces=forces) - spring_force(curve, drive)
        worst = max(worst, abs(ours - reactions[-1]) / abs(reactions[-1]))
    figure("force map against the equilibrium of every bar [relative]", worst, 1e-10)


def test_springs_by_hand():
    """A rotary spring holds stiffness (angle - rest) times the ratio; a linear one stretches between its points."""
    curve = linkage("crossed_finger").curve()
    d = np.linspace(0.025, 0.012, 9)
    wanted = 0.05 * (curve.angle("proximal", d) - np.radians(5)) * curve.ratio("proximal", d)
    assert np.allclose(spring_force(curve, d), wanted, rtol=1e-14)
    made = linkage("crank_slider")
    curve = replace(made, springs=(LinkageSpring("k", "ground.A", "block.C", 400.0, 0.05),)).curve()
    t = np.linspace(0.5, 2.5, 9)
    length = np.hypot(curve.travel("s", t) + 0.02, 0.006)
    assert np.allclose(spring_energy(curve, t), 200 * (length - 0.05) ** 2, rtol=1e-12)


def test_output_torque_balances_the_drive():
    curve = linkage("six_bar_finger").curve()
    d = np.linspace(0.025, 0.012, 9)
    tau = output_torque(curve, "distal", d, -20.0)
    assert (tau > 0).all()  # a pull of 20 N closes the finger
    for value, torque in zip(d, tau, strict=True):
        assert abs(drive_force(curve, value, torques={"distal": -torque}) + 20.0) < 1e-10


def test_bad_input_is_one_sentence():
    curve = linkage("crossed_finger").curve()
    for loads in ({"torques": {"thumb": 1.0}}, {"forces": {"rod.X": (0, 0)}}, {"forces": {"rod.R": (0, 0, 0)}}):
        with pytest.raises(CarpalError):
            drive_force(curve, 0.02, **loads)
