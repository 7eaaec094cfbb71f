"""Tables of the page of pick-ups: numbers, signs, and texts that stay texts."""

import numpy as np
import pytest

from carpal.errors import InputError
from carpal.labs.retrieve import RELAY, relay_pose, stereo_cameras
from carpal.labs.retrieve.page_parts.panel import (
    RetrievePanel,
    number,
    pairs_html,
    pose_html,
    roll_pitch_yaw,
    stages_html,
)
from carpal.perception import locate_marks, project
from carpal.report.viser_server import closed_server
from carpal.spatial import rotation_from_rpy


def test_roll_pitch_and_yaw_come_back():
    for rpy in np.random.default_rng(0).uniform([-3.1, -1.5, -3.1], [3.1, 1.5, 3.1], (50, 3)):
        assert np.abs(np.array(roll_pitch_yaw(rotation_from_rpy(rpy))) - rpy).max() < 1e-9


def test_the_pose_with_what_it_is_known_to():
    pair, X = stereo_cameras(), relay_pose(0.36, 0.35, -1.0)
    pixels = [project(camera, RELAY.marks.points @ X[:3, :3].T + X[:3, 3]) for camera in (pair.left, pair.right)]
    pose = locate_marks(pair, *pixels, RELAY.marks, noise=0.5)
    text = pose_html(pose)
    assert "360.0" in text and "350.0" in text and f"{np.degrees(-1.0):.2f}" in text
    assert f"± {1e3 * np.sqrt(pose.covariance[0, 0]):.1f}" in text
    assert "not calculated" in pose_html(None)


def test_stages_done_under_way_and_to_come():
    summary = stages_html(
        ("plan", "grasp", "carry"),
        "grasp",
        (
            ("plan", True, "found"),
            ("home", False, '"<b>'),
        ),
        0.5,
    )
    assert (
        summary.index("✓")
        < summary.index("plan")
        < summary.index("▶")
        < summary.index("grasp")
        < summary.index("carry")
    )
    assert "✗" in summary and "home" in summary and "<b>" not in summary and "width:50.0%" in summary
    assert "width:100.0%" in stages_html(("plan",), "", (), 7.0)


def test_pairs_are_named_and_escaped():
    assert "nothing touches" in pairs_html([])
    assert "arm/a – &lt;b&gt;" in pairs_html([("arm/a", "<b>")])


def test_fields_are_checked():
    assert number("1.5", "seed") == 1.5
    for bad in (None, "x", float("nan"), float("inf")):
        with pytest.raises(InputError, match="the seed must be a number"):
            number(bad, "seed")


def test_buttons_follow_what_makes_sense():
    with closed_server() as server:
        limits = np.tile([-1.0, 1.0], (5, 1))
        panel = RetrievePanel(server, {}, ("sbl", "none"), limits, 0.05)
        assert panel.execute.disabled and panel.stop.disabled and not panel.plan.disabled
        panel.enable(execute=True, stop=True, plan=False)
        assert not panel.execute.disabled and not panel.stop.disabled and panel.plan.disabled
        assert panel.relay() == (0.36, 0.35, np.radians(-71.0))
        assert [slider.max for slider in panel.joints] == [58] * 5
