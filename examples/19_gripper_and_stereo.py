"""A rover's stereo cameras localise a relay by its four painted marks; its gripper closes, grips or jams, and reports which."""

import numpy as np

from carpal.labs.retrieve import (
    RELAY,
    GripperSettings,
    drive_gripper,
    relay_pose,
    relay_surfaces,
    stereo_cameras,
    structural_check,
)
from carpal.perception import find_marks, fit_camera_to_arm, locate_marks, project, simulate_image, triangulate
from carpal.spatial import inverse

# two simulated images of a relay on stony ground, and the four marks in them
pair, X_WO = stereo_cameras(), relay_pose(0.55, 0.10, 0.4)
surfaces = relay_surfaces(X_WO)
left, right = (simulate_image(camera, surfaces, seed=i) for i, camera in enumerate((pair.left, pair.right)))
found = find_marks(pair, left, right, RELAY.marks)
print(found)
assert found and np.abs(found.pose.X_WO[:3, 3] - X_WO[:3, 3]).max() < 0.004

# for verification: where the knob should be in the left image
knob = found.pose.X_WO[:3, :3] @ RELAY.knob_foot + found.pose.X_WO[:3, 3]
print("knob at pixel", project(pair.left, knob).round(1))

# clicked in the wrong order: the status names the right one
wrong = locate_marks(pair, found.left[[1, 2, 3, 0]], found.right[[1, 2, 3, 0]], RELAY.marks)
print(wrong)
assert not wrong

# pose of the cameras relative to the arm, from points that the arm knows
known = np.random.default_rng(0).uniform([0.3, -0.3, 0], [0.7, 0.3, 0.3], (10, 3))
loose = pair.moved(inverse(pair.left.X_WC))  # the same pair, its place unknown
seen = triangulate(loose, project(pair.left, known), project(pair.right, known))
fit = fit_camera_to_arm(seen.points, known, covariance=seen.covariance)
print(fit)
assert np.allclose(fit.X_AC, pair.left.X_WC)

# the gripper closes on the flap, on an obstacle before its target, and on nothing
gripper = GripperSettings()
for contact, outcome in ((0.034, "gripped"), (0.015, "jammed"), (np.nan, "reached")):
    result = drive_gripper(gripper, target=0.040, contact=contact, seed=1)
    print(result, f"largest force {float(result.peak_force):.1f} N")
    assert result.outcome == outcome and result.excess < gripper.force_resolution

print(*structural_check(gripper.zone_force), sep="\n")
