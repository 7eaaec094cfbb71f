"""Contact frames, relative twists, grasp and hand Jacobian rows against finite differences and power balance."""

import numpy as np
import pytest
from random_models import random_pose, random_rotation, random_state, random_tree

import carpal
from carpal.contact import contact_frame, grasp_rows, hand_jacobian_rows, relative_twist
from carpal.errors import CarpalError
from carpal.kinematics import fk, integrate, jacobian
from carpal.spatial import adjoint, exp_twist, inverse

H = 1e-6


def moved(X, V, dt):
    """A pose moved along a twist given at its origin in world axes: translation and rotation kept apart."""
    Y = X.copy()
    Y[:3, 3] += V[:3] * dt
    Y[:3, :3] = exp_twist(np.concatenate([np.zeros(3), V[3:]]), dt)[:3, :3] @ X[:3, :3]
    return Y


def test_frames_have_their_z_along_the_normal_of_any_length():
    n = np.random.default_rng(0).normal(size=(5, 4, 3))
    R = contact_frame(n)
    assert R.shape == (5, 4, 3, 3)
    assert np.abs(R[..., 2] - n / np.linalg.norm(n, axis=-1, keepdims=True)).max() < 1e-15
    assert np.array_equal(R[2, 3], contact_frame(n[2, 3]))
    assert np.array_equal(contact_frame([0, 0, 5.0]), np.eye(3))
    for bad, sentence in (([0, 0, 0], "must not be zero"), ([np.nan, 0, 1], "is nan"), ([0, 1], r"\(\*batch, 3\)")):
        with pytest.raises(CarpalError, match=sentence):
            contact_frame(bad)


def test_a_twist_is_moved_between_frames_of_a_body_by_e5(figure):
    """V_b = [R, p~ R; 0, R] V_a with R, p of frame a seen from b: finite differences of a moving body decide."""
    rng = np.random.default_rng(1)
    worst = 0.0
    for _ in range(20):
        X_WA, X_AB, V_A = random_pose(rng), random_pose(rng), rng.normal(size=6)  # V_A: of frame a, in a's axes
        V_B = adjoint(inverse(X_AB)) @ V_A
        ends = [X_WA @ exp_twist(V_A, s * H) @ X_AB for s in (1, -1)]
        rate = inverse(X_WA @ X_AB) @ (ends[0] - ends[1]) / (2 * H)
        found = np.array([*rate[:3, 3], rate[2, 1], rate[0, 2], rate[1, 0]])
        worst = max(worst, np.abs(found - V_B).max())
    figure("E5: twist moved to another frame off finite differences", worst, 1e-8)


def test_relative_twist_is_how_b_s_material_leaves_a_s(figure):
    """Two material points that coincide at the contact drift apart with v; the turn of B seen from A is w (E6)."""
    rng = np.random.default_rng(2)
    worst = 0.0
    for _ in range(50):
        X_A, X_B, V_A, V_B = random_pose(rng), random_pose(rng), rng.normal(size=6), rng.normal(size=6)
        p, R = rng.normal(size=3), random_rotation(rng)
        found = relative_twist(R, p, X_A[:3, 3], V_A, X_B[:3, 3], V_B)
        at = [(inverse(X) @ [*p, 1.0]) for X in (X_A, X_B)]
        ends = [(moved(X_B, V_B, s * H) @ at[1] - moved(X_A, V_A, s * H) @ at[0])[:3] for s in (1, -1)]
        v = R.T @ (ends[0] - ends[1]) / (2 * H)
        seen = [moved(X_A, V_A, s * H)[:3, :3].T @ moved(X_B, V_B, s * H)[:3, :3] for s in (1, -1)]
        spin = X_A[:3, :3] @ (seen[0] - seen[1]) / (2 * H) @ (X_A[:3, :3].T @ X_B[:3, :3]).T @ X_A[:3, :3].T
        w = R.T @ [spin[2, 1], spin[0, 2], spin[1, 0]]
        worst = max(worst, np.abs(found - np.concatenate([v, w])).max())
    figure("relative twist off finite differences, 50 pairs", worst, 1e-7)


def test_grasp_rows_move_the_object_s_contact_point(figure):
    rng = np.random.default_rng(3)
    X, p, V = random_pose(rng), rng.normal(size=(20, 3)), rng.normal(size=6)
    R = np.stack([random_rotation(rng) for _ in range(20)])
    rows = grasp_rows(R, p, X[:3, 3])
    assert rows.shape == (20, 6, 6)
    at = (inverse(X) @ np.vstack([p.T, np.ones(20)])).T
    v = np.array([(moved(X, V, H) @ a - moved(X, V, -H) @ a)[:3] for a in at]) / (2 * H)
    expected = np.concatenate([np.einsum("nji,nj->ni", R, v), np.einsum("nji,j->ni", R, V[3:])], -1)
    figure("grasp rows off finite differences, 20 contacts", np.abs(rows @ V - expected).max(), 1e-8)
    assert np.abs(rows @ V - relative_twist(R, p, np.zeros(3), np.zeros(6), X[:3, 3], V)).max() < 1e-13


def hand_cases():
    for seed in range(8):
        rng = np.random.default_rng(seed)
        model = random_tree(seed)
        q, v, _ = random_state(model, rng, ())
        for frame in rng.choice(list(model.frames), 2, replace=False):
            yield rng, model, q, v, str(frame)


def test_hand_jacobian_rows_are_finite_differences_of_fk(figure):
    worst = 0.0
    for rng, model, q, v, frame in hand_cases():
        X = fk(model, q, frame)
        p, R = X[:3, 3] + 0.1 * rng.normal(size=3), random_rotation(rng)
        at = inverse(X) @ [*p, 1.0]
        ends = [fk(model, integrate(model, q, v, s * H), frame) for s in (1, -1)]
        rate = (ends[0] - ends[1]) / (2 * H)
        spin = rate[:3, :3] @ X[:3, :3].T
        expected = np.concatenate([R.T @ (rate @ at)[:3], R.T @ [spin[2, 1], spin[0, 2], spin[1, 0]]])
        found = hand_jacobian_rows(model, q, frame, R, p) @ v
        worst = max(worst, np.abs(found - expected).max() / max(1.0, np.abs(expected).max()))
    figure("hand Jacobian rows off finite differences of fk, 16 cases, relative", worst, 1e-8)


def test_rows_at_the_fingertip_s_origin_are_not_those_at_the_contact():
    """E6: the tip's centre and its contact point move differently as soon as the link turns."""
    model = carpal.load("cuhk_hand")
    frame = model.frames[-1]
    q = model.q_home + 0.3
    X = fk(model, q, frame)
    centre, contact = X[:3, 3], X[:3, 3] - 0.01 * X[:3, 0]
    at_centre, at_contact = (hand_jacobian_rows(model, q, frame, np.eye(3), p) for p in (centre, contact))
    assert np.abs(at_centre - jacobian(model, q, frame)).max() < 1e-15
    assert np.abs(at_contact[:3] - at_centre[:3]).max() > 0.005
    assert np.array_equal(at_contact[3:], at_centre[3:])


def test_power_at_the_contact_is_power_on_the_object_and_on_the_joints(figure):
    """Duality: F_C . (G^T V_O - J_f v) = (G F_C) . V_O + (-J_f^T F_C) . v, the relative twist taken from poses (E7)."""
    worst = 0.0
    for rng, model, q, v, frame in hand_cases():
        X, o, V_O, F = fk(model, q, frame), rng.normal(size=3), rng.normal(size=6), rng.normal(size=6)
        p, R = X[:3, 3] + 0.1 * rng.normal(size=3), random_rotation(rng)
        V_A = jacobian(model, q, frame) @ v
        G_T, J = grasp_rows(R, p, o), hand_jacobian_rows(model, q, frame, R, p)
        relative = relative_twist(R, p, X[:3, 3], V_A, o, V_O)
        power = F @ relative
        # wrench on the object about o, by hand: force in the world, torque plus arm x force
        force, torque = R @ F[:3], R @ F[3:]
        on_object = np.concatenate([force, torque + np.cross(p - o, force)])
        assert np.abs(G_T.T @ F - on_object).max() < 1e-13
        scale = max(1.0, np.abs(relative).max() * np.abs(F).max())
        worst = max(worst, abs(on_object @ V_O - (J.T @ F) @ v - power) / scale)
    figure("power balance of grasp and hand Jacobian rows, 16 cases, relative", worst, 1e-13)


def test_a_squeezed_object_is_in_balance():
    """Two opposite contacts pressing with the same force: their grasp matrix maps them to nothing."""
    n = np.array([[1.0, 0, 0], [-1.0, 0, 0]])
    p = np.array([[-0.05, 0.01, 0.02], [0.05, 0.01, 0.02]])
    G = grasp_rows(contact_frame(n), p, [0, 0.01, 0.3]).reshape(-1, 6).T
    assert G.shape == (6, 12)
    push = np.zeros(12)
    push[[2, 8]] = 3.0
    assert np.abs(G @ push).max() < 1e-16
    assert np.linalg.matrix_rank(G) == 6


def test_batches_are_their_members_and_bad_input_is_one_sentence():
    model = carpal.load("cuhk_hand")
    rng = np.random.default_rng(9)
    q, p = rng.uniform(-0.3, 0.3, (4, model.nq)), rng.normal(size=(4, 3))
    R = np.stack([random_rotation(rng) for _ in range(4)])
    J = hand_jacobian_rows(model, q, None, R, p)
    assert J.shape == (4, 6, model.nv)
    for i in range(4):
        assert np.array_equal(J[i], hand_jacobian_rows(model, q[i], None, R[i], p[i]))
    for call, sentence in (
        (lambda: hand_jacobian_rows(model, q, "nose", R, p), "unknown frame"),
        (lambda: hand_jacobian_rows(model, q, None, 2 * R, p), "R_WC at batch index .* is not a rotation"),
        (lambda: hand_jacobian_rows(model, q[:, 1:], None, R, p), "q of model"),
        (lambda: hand_jacobian_rows(model, q, None, R, np.nan * p), "p_WC.*nan"),
        (lambda: grasp_rows(R, p, [0, 0]), r"p_WO needs shape \(\*batch, 3\)"),
        (lambda: relative_twist(R, p, [0, 0, 0], [0, 0, 0], p, np.zeros(6)), r"V_WA needs shape \(\*batch, 6\)"),
    ):
        with pytest.raises(CarpalError, match=sentence):
            call()
