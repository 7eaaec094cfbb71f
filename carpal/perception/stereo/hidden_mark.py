"""Detection of the marks while one of them is hidden in one image: seven pixels instead of eight.

An antenna in front of a mark in one image leaves it visible in the other. Three points in space with the right distances give a
pose, which predicts the fourth mark; the pose that explains all seven spots within their noise is accepted by the same rules as
with eight: seen from outside, spots of the expected size, no second solution.
"""

from __future__ import annotations

import numpy as np

from carpal.perception.stereo.camera_model import StereoPair, project_with_jacobian
from carpal.perception.stereo.mark_layout import MarkLayout
from carpal.perception.stereo.mark_pose import MarkPose, nearest_motions, seen_from_outside
from carpal.perception.stereo.mark_search import MarkSearch, mark_spots, paired_spots, sizes_fit
from carpal.perception.stereo.pose_fit import fit_pose
from carpal.perception.stereo.triangulation import check_noise
from carpal.spatial import Array

CHI_LIMIT = 31.83  # chi-squared with 8 degrees of freedom, p = 1e-4
NEAR = 8.0  # [px] from where three marks expect the fourth
SLACK = 0.006  # [m] of the distances between triangulated marks, and a tenth of each
MOST = 4000  # triples that are tried; more are ambiguous


def find_marks_but_one(
    pair: StereoPair, left_image: np.ndarray, right_image: np.ndarray, layout: MarkLayout, *, noise: float = 0.1
) -> MarkSearch:
    """Find the marks of a layout where one of them is hidden in one image; arguments as of `find_marks`.

    On success `left` and `right` hold the hidden mark as predicted by the pose.
    """
    check_noise(noise)
    spots = mark_spots(pair, left_image, right_image, layout)
    counts = (len(spots[0][0]), len(spots[1][0]))
    if min(counts) < 3:
        return MarkSearch(
            False, f"Only {min(counts)} bright round spots are in one image; click the marks.", None, None, None, counts
        )
    i, j, points = paired_spots(pair, spots[0][0], spots[1][0], noise)
    found: list[tuple[float, Array, Array, int, int]] = []
    for hidden in range(4):
        triples = _triples(points, i, j, layout, hidden)
        if triples is None:
            return MarkSearch(
                False, "Too many bright round spots could be the marks; click them.", None, None, None, counts
            )
        for triple in triples:
            found += _seven(pair, layout, spots, i[triple], j[triple], points[triple], hidden, noise)
    if not found:
        said = f"The marks were not found among {counts[0]} and {counts[1]} bright round spots; click them."
        return MarkSearch(False, said, None, None, None, counts)
    found.sort(key=lambda answer: answer[0])
    chi2, X, seen, hidden, image = found[0]
    for _, other, _, _, _ in found[1:]:
        if np.linalg.norm(other[:3, 3] - X[:3, 3]) > 0.02 or np.abs(other[:3, :3] - X[:3, :3]).max() > 0.2:
            return MarkSearch(
                False, "Two different places explain the spots; click the four marks.", None, None, None, counts
            )
    return _answer(pair, layout, X, seen, hidden, image, noise * max(1.0, float(np.sqrt(chi2 / 8.0))), counts)


def _triples(points: Array, i: np.ndarray, j: np.ndarray, layout: MarkLayout, hidden: int) -> np.ndarray | None:
    """Candidates (m, 3) for the three marks that are not hidden, each spot used once; None when there are too many."""
    marks = np.delete(layout.points, hidden, axis=0)
    wanted = np.linalg.norm(marks[:, None] - marks[None], axis=-1)
    apart = np.linalg.norm(points[:, None] - points[None], axis=-1)
    other = (i[:, None] != i[None]) & (j[:, None] != j[None])

    def fits(m: int, n: int) -> np.ndarray:
        return np.asarray(other & (np.abs(apart - wanted[m, n]) < SLACK + 0.1 * wanted[m, n]))

    first, second = np.nonzero(fits(0, 1))
    if len(first) > MOST:
        return None
    third = fits(0, 2)[first] & fits(1, 2)[second]
    row, last = np.nonzero(third)
    if len(row) > MOST:
        return None
    return np.column_stack([first[row], second[row], last])


def _seven(
    pair: StereoPair,
    layout: MarkLayout,
    spots: tuple[tuple[Array, Array], tuple[Array, Array]],
    i: np.ndarray,
    j: np.ndarray,
    points: Array,
    hidden: int,
    noise: float,
) -> list[tuple[float, Array, Array, int, int]]:
    """(chi2, pose, pixels (4, 4), hidden mark, image that hides it) of the solutions from three points (3, 3)."""
    rest = np.delete(np.arange(4), hidden)
    X = nearest_motions(points[None], layout.points[rest])[0]
    if not seen_from_outside(pair, X, layout):
        return []
    expected = X[:3, :3] @ layout.points[hidden] + X[:3, 3]
    out = []
    for image, camera in enumerate((pair.left, pair.right)):  # the image in which the fourth is seen
        pixel, _ = project_with_jacobian(camera, expected[None])
        centres, areas = spots[image]
        away = np.linalg.norm(centres - pixel[0], axis=1)
        for k in np.flatnonzero(away < NEAR):
            if k in (i if image == 0 else j):
                continue
            seen, used = np.zeros((4, 4)), np.ones((4, 4))
            seen[rest, :2], seen[rest, 2:] = spots[0][0][i], spots[1][0][j]
            seen[hidden, 2 * image : 2 * image + 2] = centres[k]
            used[hidden, 2 - 2 * image : 4 - 2 * image] = 0.0
            fitted, _, chi2 = fit_pose(pair, X[None], seen[None], layout.points, noise, used)
            sizes = np.full((2, 4), np.nan)
            sizes[0, rest], sizes[1, rest], sizes[image, hidden] = spots[0][1][i], spots[1][1][j], areas[k]
            good = (
                chi2[0] <= CHI_LIMIT
                and seen_from_outside(pair, fitted[0], layout)
                and sizes_fit(pair, fitted[0], layout, *sizes)
            )
            if good:
                out.append((float(chi2[0]), fitted[0], seen, hidden, 1 - image))
    return out


def _answer(
    pair: StereoPair, layout: MarkLayout, X: Array, seen: Array, hidden: int, image: int, noise: float, counts: tuple[int, int]
) -> MarkSearch:  # fmt: skip
    used = np.ones((4, 4))
    used[hidden, 2 * image : 2 * image + 2] = 0.0
    fitted, covariance, chi2 = fit_pose(pair, X[None], seen[None], layout.points, noise, used)
    points = layout.points @ fitted[0, :3, :3].T + fitted[0, :3, 3]
    seen = seen.copy()
    camera = (pair.left, pair.right)[image]
    seen[hidden, 2 * image : 2 * image + 2] = project_with_jacobian(camera, points[hidden][None])[0][0]
    one = MarkPose(
        fitted[0],
        covariance[0],
        chi2[0],
        np.sqrt(chi2[0] * noise**2 / 14),
        points,
        np.array(True),
        np.array("", dtype=object),
    )
    said = f"{one.status} Mark {hidden + 1} is hidden in the {('left', 'right')[image]} image."
    return MarkSearch(True, said, seen[:, :2], seen[:, 2:], one, counts)
