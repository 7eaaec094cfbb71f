"""The class is told from the axes: any mount, tool, zeros and offset; near misses are refused with what is missing."""

import dataclasses

import numpy as np
import pytest
from random_models import random_chain, random_pose
from srs_robots import IIWA, iiwa_urdf, random_srs

import carpal
from carpal.errors import InputError
from carpal.kinematics import srs_geometry
from carpal.kinematics.redundant.srs_class import TOLERANCE, require_srs
from carpal.model import Frame


def moved(model, i, **changes):
    """The same arm with one joint changed."""
    bodies = list(model.bodies)
    bodies[i] = dataclasses.replace(bodies[i], joint=dataclasses.replace(bodies[i].joint, **changes))
    return model.replace(bodies=tuple(bodies))


def shifted(model, i, by):
    X = model.bodies[i].joint.X_PJ.copy()
    X[:3, 3] += by
    return moved(model, i, X_PJ=X)


def test_catalogue_arms():
    ideal, real = (srs_geometry(carpal.load(name)) for name in ("srs7", "sia5"))
    assert np.allclose(ideal.links, 0.27) and np.allclose(ideal.elbow_offset, 0)
    assert np.allclose(real.links, (np.hypot(0.27, 0.085), np.hypot(0.27, 0.06)))
    assert np.allclose(real.elbow_offset, (0.085, 0.06))
    assert real.joint_names == ("s", "l", "e", "u", "r", "b", "t")
    assert np.allclose(real.shoulder, (0, 0, 0.31))
    assert np.allclose(real.reach, (real.links[0] - real.links[1], sum(real.links)))
    assert srs_geometry(carpal.load("sia5")) is not real  # kept for the model, not for its name
    for name in ("sawyer", "k10", "so101_old", "catcher_arm", "cuhk_hand"):
        assert srs_geometry(carpal.load(name)) is None


def test_a_urdf_like_the_iiwa(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(iiwa_urdf())
    geometry = srs_geometry(carpal.load(path))
    assert np.allclose(geometry.links, (IIWA[2][0][1] + IIWA[3][0][2], IIWA[4][0][1] + IIWA[5][0][2]))
    assert np.allclose(geometry.elbow_offset, 0, atol=1e-12)
    assert np.allclose(geometry.shoulder, (0, 0, 0.36))


@pytest.mark.parametrize("seed", range(10))
def test_mount_tool_and_name_do_not_matter(seed):
    model = random_srs(seed)
    geometry = require_srs(model)
    rng = np.random.default_rng(seed)
    other = model.mounted(random_pose(rng)).replace(name="x", extra_frames=(Frame("hand", "link7", random_pose(rng)),))
    again = require_srs(other)
    assert np.allclose(geometry.links, again.links, atol=1e-12)
    assert np.allclose(geometry.elbow_offset, again.elbow_offset, atol=1e-12)
    assert (max(geometry.elbow_offset) > 1e-6) == bool(seed % 2)


def test_a_joint_beyond_or_beside_the_arm_changes_nothing():
    """A gripper joint after the tool frame's body, as arms from files have."""
    model = random_srs(3)
    finger = dataclasses.replace(model.bodies[6], name="finger", parent="link7")
    finger = dataclasses.replace(finger, joint=dataclasses.replace(finger.joint, name="grip"))
    more = model.replace(bodies=(*model.bodies, finger), q_home=None)
    assert more.nq == 8
    assert np.array_equal(srs_geometry(more).columns, np.arange(7))
    assert srs_geometry(more, "finger") is None


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda m: shifted(m, 2, (2e-3, 0, 0)), "axes 1, 2 and 3 miss a common point by"),
        (lambda m: shifted(m, 7, (0, 1e-3, 0)), "axes 5, 6 and 7 miss a common point by"),
        (lambda m: shifted(m, 4, (0, 3e-3, 0)), "shoulder and wrist are 3 mm apart along the elbow's axis"),
        (lambda m: moved(m, 4, axis=np.array([0.1, -1.0, 0.0])), "axes 4 and 5 are 5.71 deg from a right angle"),
        (lambda m: moved(m, 4, kind="prismatic"), "not all of its joints are revolute"),
        (lambda m: m.replace(tool="link_b", extra_frames=()), "hangs on 6 moving joints, not 7"),
    ],
)
def test_near_misses_say_what_is_missing(change, sentence):
    model = change(carpal.load("sia5"))
    assert srs_geometry(model) is None
    with pytest.raises(InputError, match=sentence) as caught:
        require_srs(model)
    assert "'srs7' and 'sia5'" in str(caught.value)


def test_elbow_through_the_shoulder_is_no_elbow():
    model = shifted(shifted(carpal.load("sia5"), 3, (0, 0, -0.27)), 4, (-0.085, 0, 0))
    assert srs_geometry(model) is None


def test_the_tolerance_is_what_it_says():
    model = carpal.load("sia5")
    size = 0.57
    assert srs_geometry(shifted(model, 4, (0, 0.5 * TOLERANCE * size, 0))) is not None
    assert srs_geometry(shifted(model, 4, (0, 2.0 * TOLERANCE * size, 0))) is None


def test_seven_joints_anyhow_are_not_of_the_class():
    for seed in range(5):
        model = random_chain(seed, 7, kinds=("revolute",))
        assert srs_geometry(model) is None
