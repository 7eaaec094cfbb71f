"""What an export writes: poses of all bodies, joints with one coordinate, a trajectory's samples."""

import numpy as np
import pytest
from export_inputs import all_kinds, matrix, moved, plain_columns, recorded, true_poses

from carpal.engines import Recorder
from carpal.errors import InputError
from carpal.model import load
from carpal.report.exports.motion import motion_of


def test_a_recording_gives_all_that_it_holds():
    run, motion = recorded(), motion_of(recorded())
    assert motion.joint_names == tuple(plain_columns(run.model))
    assert {name: (i, j) for name, i, j in motion.joints} == plain_columns(run.model)
    assert np.array_equal(motion.q, run.q) and np.array_equal(motion.u, run.u) and motion.vdot is None
    assert np.array_equal(motion.series["energy:kinetic"], run.energy["kinetic"])
    assert motion.events == run.events and motion.metadata["seed"] == 5
    i = plain_columns(run.model)["joint 2"][0]
    assert np.array_equal(motion.of_joints(motion.q, coordinates=True)[:, 1], run.q[:, i])


def test_the_world_is_named_as_no_body_is():
    assert motion_of(recorded()).world == "map"  # a body of that model is named "world"
    assert motion_of(moved(), None).world == "world"


def test_quaternions_turn_as_the_poses_and_do_not_jump():
    motion = motion_of(recorded())
    for name, X in true_poses(recorded()).items():
        turns = motion.turns[name]
        assert max(np.abs(matrix(turns[k]) - X[k, :3, :3]).max() for k in range(len(X))) < 1e-12
        assert ((turns[1:] * turns[:-1]).sum(1) >= 0).all()


def test_a_trajectory_is_sampled_up_to_its_end():
    way = moved()
    motion = motion_of(way, None, 0.03)
    q, v, vdot = way.at(motion.time)
    assert motion.time[-1] == way.duration and np.allclose(np.diff(motion.time)[:-1], 0.03)
    assert np.array_equal(motion.q, q)
    inside = motion.time < way.duration
    assert np.abs(motion.v - v)[inside].max() < 1e-12 and np.abs(motion.vdot - vdot)[inside].max() < 1e-12


def test_the_joints_that_a_trajectory_does_not_name_stay_at_home():
    model = load("sawyer")
    way = type(moved())(moved().times, moved().coefficients, (model.joint_names[1], *model.joint_names[4:6]))
    motion = motion_of(way, model, 0.1)
    assert np.array_equal(motion.q[:, [1, 4, 5]], motion_of(way, None, 0.1).q)
    assert (motion.q[:, [0, 2, 3, 6]] == model.q_home[[0, 2, 3, 6]]).all() and not motion.v[:, [0, 2, 3, 6]].any()
    with pytest.raises(InputError, match="moves 'a', which is no joint with one coordinate of 'sawyer'"):
        motion_of(moved(), model)


def test_what_cannot_be_exported_is_refused():
    with pytest.raises(InputError, match="empty"):
        motion_of(Recorder(all_kinds(), {}).finish())
    with pytest.raises(InputError, match="got Model"):
        motion_of(all_kinds())
