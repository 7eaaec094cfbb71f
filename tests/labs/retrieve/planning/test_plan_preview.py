"""Plans as rows and as data: continuous, stopped at corners, refused in one sentence where damaged."""

import json

import numpy as np
import pytest
from retrieve_inputs import FILE, stored

from carpal.errors import InputError
from carpal.labs.retrieve import CyclePlan
from carpal.labs.retrieve.planning.plan_preview import corners_blended, corners_stopped
from carpal.labs.retrieve.scene import free_arm

MODEL = free_arm().model
PATH = np.array([[1.6, 0.2, 0, 0, 0], [1.2, 0.1, 0.2, 0.1, 0], [1.0, 0.15, 0.1, 0, 0.2]])


def test_it_stops_at_corners_and_stays_on_the_edges():
    motion = corners_stopped(MODEL, PATH, 0.1)
    times = np.linspace(0, motion.duration, 4000)
    q, v, vdot = motion.at(times)
    at = int(np.argmin(np.abs(q - PATH[1]).max(axis=1)))
    assert np.abs(q[at] - PATH[1]).max() < 1e-3 and np.abs(v[at]).max() < 5e-3
    assert np.abs(vdot).max() <= 0.1 + 1e-9 and motion.check(MODEL)
    assert np.abs(corners_blended(MODEL, PATH).at(times)[0] - PATH[1]).max(axis=1).min() <= 0.005


def test_the_preview_is_one_continuous_motion():
    time, q = stored().preview(500)
    assert (np.diff(time) >= 0).all() and q.shape[1] == 13 and np.isfinite(q).all()
    # the arm never jumps; the relay does when it is let go (it drops 4 mm) and not otherwise
    assert np.abs(np.diff(q[:, :6], axis=0)).max() < 0.12
    assert np.linalg.norm(np.diff(q[:, 6:9], axis=0), axis=1).max() < 0.05
    assert (
        q[0, 5] == pytest.approx(0.035) and q[:, 5].min() == pytest.approx(0.003) and q[-1, 5] == pytest.approx(0.035)
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "x"}, "not a stored plan of the format"),
        ({"carry": [[1, 2]]}, "'carry' of the stored plan must be finite"),
        ({"angle": None}, "'angle' of the stored plan must be finite"),
        ({"X_WO": "here"}, "has no numbers 'X_WO'"),
        ({"home": [[0.0] * 5, [0.1] * 5]}, "has a gap between 'retreat' and 'home'"),
    ],
)
def test_a_damaged_plan_is_refused(change, said):
    data = json.loads(FILE.read_text()) | change
    with pytest.raises(InputError, match=said):
        CyclePlan.from_dict(data)
    with pytest.raises(InputError):
        CyclePlan.from_dict("no plan")
