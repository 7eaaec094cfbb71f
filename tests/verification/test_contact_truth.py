"""Scenes that once hung or gained energy: their steps are certified, and the equation of motion closes from the recording."""

import hard_contact_scenes as hard
import numpy as np
import pytest
from equation_of_motion import residuals

from carpal.engines import ModalEngine, simulate
from carpal.engines.checking import BOUNDS

QUICK = ("3 x 3 wall", "5 dominoes", "plate on 9 boxes", "pushed row of 5", "rolling ellipsoid", "wobbling cylinder",
         "hit stack", "3 balls")  # fmt: skip


def _certified(recording):
    return np.all([rows <= BOUNDS[name] for name, rows in recording.certificates.items()], axis=0)


@pytest.mark.parametrize("name", [*QUICK, pytest.param("4 x 4 wall", marks=pytest.mark.full)])
def test_no_scene_hangs_and_its_steps_are_certified(name, figure):
    scene, surface, seconds = hard.HARD[name]()
    recording = simulate(
        ModalEngine(scene.build(), surface=surface),
        scene.start(),
        duration=seconds if name == "4 x 4 wall" else min(seconds, 0.2),
    )
    share = _certified(recording)[1:].mean()
    figure(f"{name}: share of steps certified", share, 0.95, at_least=True)
    assert recording.ok == bool(recording.check())
    lost, _ = residuals(recording)
    figure(f"{name}: impulse missing in the recorded equation of motion [N s]", lost.max(), 1e-12)


def test_a_top_moves_the_same_with_both_frames_and_loses_little(figure):
    ends, start = [], 0.0
    for centred in (False, True):
        scene, surface, _ = hard.top(centred)
        engine, state = ModalEngine(scene.build(), surface=surface), scene.start()
        start = sum(engine.energies(state))
        ahead = engine.run(state, None, 300)
        ends.append([*ahead.state.v[3:], *ahead.state.q[3:], sum(engine.energies(ahead.state)) + ahead.dissipated])
    figure("top for 0.3 s: motion with two frames apart", np.abs(np.subtract(*ends)).max(), 1e-6)
    figure("top for 0.3 s: energy gained [of it]", (ends[0][-1] - start) / start, 1e-4)


def test_a_run_that_reaches_a_limit_of_work_is_not_ok():
    scene, surface, _ = hard.balls()
    recording = simulate(ModalEngine(scene.build(), surface=surface), scene.start(), duration=0.01)
    assert recording.ok
    recording.certificates["limit"][-1] = 2.0
    assert "limit of a step's work" in recording.check().status
