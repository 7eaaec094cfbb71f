"""The set along a path: a payload simulated on its own never leaves it, and leaves the published set; bad input."""

import numpy as np
import payload_simulation as simulation
import pytest

import carpal
from carpal.errors import InputError
from carpal.planning import angles_along, angles_under_gravity, gravity_in_gripper, relay_payload
from carpal.planning.payload.carried_angles import RESOLUTION, gripper_pose
from carpal.planning.payload.kernels.angle_set import CELLS

LEGS = 3


def simulated(count, seed):
    """Motions of the K10 with faster joints than its own, payloads at any angle, friction drawn between the bounds."""
    rng = np.random.default_rng(seed)
    arm, relay = carpal.load("k10", mounting="upside_down"), relay_payload()
    _, X_TG = gripper_pose(arm, relay)
    joints = [(b.joint.X_PJ, b.joint.axis if b.joint.kind == "revolute" else None) for b in arm.bodies] + [(X_TG, None)]
    corners, speeds, _, q, place = simulation.random_motions(arm.q_min, arm.q_max, count, LEGS, rng)
    frames = simulation.moving_frames(joints, q)
    angle = rng.uniform(-np.pi, np.pi, count)
    numbers = relay.geometry, relay.inertia / (relay.mass * relay.arm), relay.arm, relay.drop
    phi = simulation.swing(numbers, frames, angle, (relay.mu_low, relay.mu_high), rng)
    return arm, relay, corners, speeds, place, angle, phi


def escapes(arm, payload, corners, speeds, place, angle, phi):
    """(motions whose payload leaves the set, share of the circle that the sets cover, samples with an empty set)."""
    left, cover, empty = 0, [], 0
    for i in range(len(corners)):
        sets = angles_along(arm, payload, corners[i], angle=angle[i], spread=0.0, speeds=speeds[i])
        cuts = [max(1, int(np.ceil(np.abs(corners[i, k + 1] - corners[i, k]).max() / RESOLUTION))) for k in range(LEGS)]
        checks = np.concatenate([[0.0]] + [k + np.arange(1, n + 1) / n for k, n in enumerate(cuts)])
        assert len(checks) == len(sets)
        sample = np.minimum(np.searchsorted(checks, place[:, i] - 1e-9), len(checks) - 1)
        cell = np.floor((phi[:, i] + np.pi) / (2 * np.pi) * CELLS + 0.5).astype(int) % CELLS
        left += bool((sets.states[sample, cell] == 0).any())
        cover.append((sets.states > 0).mean())
        empty += int(((sets.states > 0).sum(axis=1) == 0).sum())
    return left, float(np.mean(cover)), empty


def test_a_simulated_payload_never_leaves_its_set(figure):
    arm, relay, *run = simulated(60, 3)
    left, cover, empty = escapes(arm, relay, *run)
    figure("payload simulated along 60 random motions: motions in which it leaves its set", left, 0)
    figure("samples with an empty set", empty, 0)
    assert 0.05 < cover < 0.9, "a set that holds every angle would prove nothing"
    assert np.abs(run[-1] - run[-1][0]).max(axis=0).mean() > 0.5, "most payloads swing"
    published, narrow, empty = escapes(arm, relay.replace(as_published=True), *run)
    figure("the same with as_published=True: motions in which it leaves", published, 10, at_least=True)
    figure("samples with an empty set, as_published=True", empty, 0)
    assert narrow < cover


def test_waiting_holds_what_settles_and_may_go_beyond_the_last_sample():
    arm, relay, rng = carpal.load("k10"), relay_payload(), np.random.default_rng(4)
    beyond, swung = 0, 0
    for _ in range(120):
        way, angle = rng.uniform(arm.q_min, arm.q_max, (2, 5)), rng.uniform(-3, 3)
        history = angles_along(arm, relay, way, angle=angle)
        waiting = history.waiting.states > 0
        assert (waiting >= (history.settled.states > 0)).all()
        beyond += bool((waiting & (history.states[-1] == 0)).any())
        swung += bool((waiting & (history.settled.states == 0)).any())
    assert swung > 10, "some swing to rest while waiting"
    assert 0 < beyond < 12, "rarely: so that the end must be checked by itself"


@pytest.mark.full
def test_a_simulated_payload_never_leaves_its_set_in_full(figure):
    left, published = 0, 0
    for seed in range(4):
        arm, relay, *run = simulated(500, 100 + seed)
        left += escapes(arm, relay, *run)[0]
        published += escapes(arm, relay.replace(as_published=True), *run)[0]
    figure("payload simulated along 2,000 random motions: motions in which it leaves its set", left, 0)
    figure("the same with as_published=True: motions in which it leaves", published, 400, at_least=True)


def test_gravity_as_the_gripper_sees_it():
    arm, relay = carpal.load("k10", mounting="upside_down"), relay_payload()
    q = np.random.default_rng(0).uniform(arm.q_min, arm.q_max, (20, 5))
    g = gravity_in_gripper(arm, relay, q)
    pointing = carpal.fk(arm, q)[..., :3, :3] @ arm.tool_axis
    assert np.allclose(g[:, 2], -9.81 * pointing[:, 2]) and np.allclose(np.linalg.norm(g, axis=1), 9.81)
    # without X_TG the axis is the tool's as well
    assert np.allclose(gravity_in_gripper(arm, relay.replace(X_TG=None), q)[:, 2], g[:, 2])


def test_checks_and_time_come_from_the_path():
    arm, relay = carpal.load("k10", mounting="upside_down"), relay_payload()
    q = np.array([[0, -0.5, 0.5, 0, 0.2], [0.1, -0.4, 0.5, 0, 0.2]])
    sets = angles_along(arm, relay, q, angle=0.3, resolution=0.05)
    assert len(sets) == 3 and np.allclose(sets.q[[0, -1]], q)
    assert "degrees" in str(sets) and 0.3 in sets[0] and len(list(sets)) == 3


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"path": np.zeros((0, 5))}, "path is empty"),
        ({"path": np.full((2, 5), np.nan)}, "must be finite"),
        ({"resolution": 0.0}, "resolution must be above zero"),
        ({"payload": relay_payload(frame="base", X_TG=None)}, "needs X_TG"),
        ({"payload": relay_payload(frame="nowhere")}, "nowhere"),
    ],
)
def test_bad_input_is_one_sentence(change, words):
    given = {"payload": relay_payload(), "path": np.zeros((2, 5)), "resolution": 0.02} | change
    arm = carpal.load("k10")
    with pytest.raises(ValueError, match=words):
        angles_along(arm, given["payload"], given["path"], angle=0.0, resolution=given["resolution"])


def test_gravity_must_keep_its_size():
    with pytest.raises(InputError, match="same size"):
        angles_under_gravity(relay_payload(), [[0, 0, 9.81], [0, 0, 9.0]], [0.0, 1.0], angle=0.0)
    with pytest.raises(InputError, match="at least one sample"):
        angles_under_gravity(relay_payload(), np.zeros((0, 3)), [], angle=0.0)
