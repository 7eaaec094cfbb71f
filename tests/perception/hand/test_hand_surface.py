"""The hand's surface: distances by brute force, and depths that are known."""

import numpy as np

from carpal.perception import Camera, Proportions, hand_landmarks, looking_at, simulate_depth
from carpal.perception.hand.hand_surface import BARS, RADII, surface_distance
from carpal.perception.hand.human_hand import LENGTH


def test_distances_are_those_of_finely_cut_capsules():
    rng = np.random.default_rng(0)
    hand = hand_landmarks(rng.uniform(0, 1, (1, 17)), Proportions.mean())[0]
    points = rng.uniform(-0.15, 0.25, (40, 3))
    found = surface_distance(points, hand[None], LENGTH * RADII[None])[0]
    t = np.linspace(0, 1, 4001)[:, None]
    best = np.full(40, np.inf)
    for (a, b), share in zip(BARS, RADII, strict=True):
        line = hand[a] + t * (hand[b] - hand[a])
        best = np.minimum(best, np.linalg.norm(points[:, None] - line, axis=-1).min(1) - share * LENGTH)
    assert np.abs(found - best).max() < 1e-6


def test_what_a_depth_camera_sees_lies_on_the_surface(figure):
    camera = Camera(48, 40, 70.0, 70.0, 23.5, 19.5, X_WC=looking_at((0.45, 0.05, 0.1), (0, 0, 0.09)))
    hand = hand_landmarks(np.full((1, 17), 0.3), Proportions.mean())[0]
    depth = simulate_depth(camera, hand, LENGTH)
    seen = depth > 0
    rows, columns = np.nonzero(seen)
    rays = np.stack([(columns - 23.5) / 70.0, (rows - 19.5) / 70.0, np.ones(len(rows))], -1) * depth[seen][:, None]
    points = rays @ camera.X_WC[:3, :3].T + camera.X_WC[:3, 3]
    gap = surface_distance(points, hand[None], LENGTH * RADII[None])[0]
    figure("depth image of a hand: distance of its points from the surface [m]", np.abs(gap).max(), 1e-9)
    # and nothing of the hand lies before what is seen
    nearer = camera.X_WC[:3, 3] + 0.97 * (points - camera.X_WC[:3, 3])
    assert surface_distance(nearer, hand[None], LENGTH * RADII[None]).min() > 0
    assert 100 < seen.sum() < 1500
    noisy = simulate_depth(camera, hand, LENGTH, noise=0.002, rng=np.random.default_rng(1))
    assert abs((noisy - depth)[seen].std() / 0.002 - 1) < 0.15 and ((noisy > 0) == seen).all()
