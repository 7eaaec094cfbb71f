"""The answer of a search: its sentence is true, its numbers belong together."""

import dataclasses

import numpy as np
import pytest
from move_inputs import case_3

from carpal.planning.reaction.mount_reaction import MountReaction


def test_the_sentence_holds_the_numbers():
    move = case_3()
    assert str(move) == move.status and "\n" not in move.status
    for value in (f"{move.peak:.4g} N", f"{move.baseline_peak:.4g} N", f"{100 * move.reduction():.1f} %"):
        assert value in move.status
    assert f"timing alone {100 * move.reduction(move.timing_only):.1f} %" in move.status


def test_peaks_are_the_samples_largest():
    move = case_3()
    for other in move.variants:
        for kind, peak in (("force", other.peak_force), ("displacement", other.peak_displacement)):
            again = MountReaction(move.model, kind, move.model.q_home).peak(*other.sample(1e-3))
            assert again == peak
        times, force = move.force(other)
        assert times[-1] == pytest.approx(move.duration) and np.linalg.norm(force, axis=1).max() == other.peak_force
    assert move.peak_force == move.peak == move.best.peak
    assert move.peak_displacement == move.best.peak_displacement


def test_reductions_refer_to_the_baseline():
    move = case_3()
    assert move.reduction(move.baseline) == 0.0
    assert move.reduction() == 1 - move.best.peak / move.baseline.peak
    nothing = dataclasses.replace(move, baseline=dataclasses.replace(move.baseline, peak=0.0))
    assert nothing.reduction() == 0.0


def test_what_failed_says_so():
    move = case_3()
    missed = dataclasses.replace(move, best=dataclasses.replace(move.best, reached=0.01))
    assert not missed and "no motion was found" in missed.status and "0.01 m" in missed.status
    broken = dataclasses.replace(move, best=dataclasses.replace(move.best, in_limits=False))
    assert not broken.ok and "no motion was found" in broken.status
    loose = dataclasses.replace(move, baseline=dataclasses.replace(move.baseline, in_limits=False))
    assert loose.ok and "which itself breaks a limit" in loose.status
