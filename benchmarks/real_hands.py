"""Letters read from recorded real hands: five contiguous blocks of every letter, each read by what was trained on the other four.

Beside a nearest neighbour and scikit-learn's logistic regression and support vectors where that package is installed. Writes
the table for docs/evidence/24_sign.md to stdout: `python benchmarks/real_hands.py`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from carpal.labs.sign import FrameReader, LiveLetters, blocks, read_alphabet, read_recordings, train_frame_reader
from carpal.labs.sign.reading.frame_features import frame_features, unit_frames

FOLDS, PAIRS = 5, 4000
TILT = np.radians(15.0)
TURNED = np.array([[np.cos(TILT), np.sin(TILT), 0], [-np.sin(TILT), np.cos(TILT), 0], [0, 0, 1]])
CHANGES = {
    "as recorded": lambda p: p,
    "mirrored (the other hand)": lambda p: p * (-1, 1, 1) + (1, 0, 0),
    "stretched to 3/4": lambda p: p * (0.75, 1, 0.75),
    "stretched to 4/3": lambda p: p * (4 / 3, 1, 4 / 3),
    "tilted by 15 deg": lambda p: p @ TURNED,
    "tilted by -15 deg": lambda p: p @ TURNED.T,
    "three times as far": lambda p: p / 3,
    "depth halved": lambda p: p * (1, 1, 0.5),
}


def others() -> dict[str, object]:
    """Classifiers to compare with."""
    try:
        from sklearn.linear_model import LogisticRegression
        from sklearn.neighbors import KNeighborsClassifier
        from sklearn.svm import SVC
    except ImportError:
        return {}
    return {
        "nearest neighbour": KNeighborsClassifier(1),
        "logistic regression": LogisticRegression(max_iter=300),
        "support vectors": SVC(C=10),
    }


def read_labels(reader: FrameReader, names: tuple[str, ...], points: np.ndarray) -> np.ndarray:
    """(n) index of the letter of every frame, -1 for none."""
    return np.array([-1 if letter is None else names.index(letter) for letter in reader.read(points).letters])


def films(
    points: np.ndarray, labels: np.ndarray, rng: np.random.Generator, words: int
) -> list[tuple[list[int], np.ndarray]]:
    """Words of six letters: 15 neighbouring recorded frames each, and 10 frames on a straight line between them."""
    out = []
    p = unit_frames(points)
    for _ in range(words):
        word = [int(rng.integers(0, labels.max() + 1))]
        while len(word) < 6:
            word += [k for k in [int(rng.integers(0, labels.max() + 1))] if k != word[-1]]
        frames: list[np.ndarray] = []
        for k in word:
            rows = np.flatnonzero(labels == k)
            first = rng.integers(0, len(rows) - 15)
            held = p[rows[first : first + 15]]
            if frames:
                share = np.arange(1, 10)[:, None, None] / 10
                frames.append(frames[-1][-1] + share * (held[0] - frames[-1][-1]))
            frames.append(held)
        out.append((word, np.concatenate(frames)))
    return out


def edits(a: list[int], b: list[int]) -> tuple[int, int]:
    """(false, missed) letters of b against a, by the longest common subsequence."""
    table = np.zeros((len(a) + 1, len(b) + 1), int)
    for i in range(len(a)):
        for j in range(len(b)):
            table[i + 1, j + 1] = table[i, j] + 1 if a[i] == b[j] else max(table[i, j + 1], table[i + 1, j])
    return len(b) - int(table[-1, -1]), len(a) - int(table[-1, -1])


def main() -> None:
    """Print all tables."""
    recorded = read_recordings("asl_webcam")
    labels, names = recorded.labels(), recorded.names
    fold = blocks(labels, FOLDS)
    rows: dict[str, list[tuple[float, ...]]] = {}
    letter = np.zeros((FOLDS, len(names), 3))
    live = np.zeros(3)
    for k in range(FOLDS):
        held = fold == k
        reader = train_frame_reader(recorded.part(~held), read_alphabet("asl"))
        p, y = recorded.points[held], labels[held]

        read = partial(read_labels, reader, names)

        for what, change in CHANGES.items():
            found = read(change(p))
            rows.setdefault(what, []).append(
                ((found == y).mean(), (found < 0).mean(), ((found >= 0) & (found != y)).mean())
            )
        found = read(p)
        for n in range(len(names)):
            mine = found[y == n]
            letter[k, n] = (mine == n).mean(), (mine < 0).mean(), ((mine >= 0) & (mine != n)).mean()
        rng = np.random.default_rng(k)
        a, b = rng.integers(0, len(p), (2, PAIRS))
        a, b = a[y[a] != y[b]], b[y[a] != y[b]]
        for what, u, low, high in (
            ("way, 40 to 60 %, hands laid over each other", unit_frames(p), 0.4, 0.6),
            ("way, 40 to 60 %, in the picture", p, 0.4, 0.6),
            ("way, 30 to 70 %, hands laid over each other", unit_frames(p), 0.3, 0.7),
        ):
            share = rng.uniform(low, high, (len(a), 1, 1))
            found = read((1 - share) * u[a] + share * u[b])
            third = (found >= 0) & (found != y[a]) & (found != y[b])
            rows.setdefault(what, []).append(((found >= 0).mean(), third.mean()))
        for word, frames in films(p, y, rng, 40):
            decides = LiveLetters(reader)
            said = [decides.feed(i / 30, frame) for i, frame in enumerate(frames)]
            false, missed = edits(word, [names.index(x) for x in said if x])
            live += len(word), false, missed
        x = frame_features(unit_frames(recorded.points))
        x = (x - x[~held].mean(0)) / np.maximum(x[~held].std(0), 1e-6)
        for what, other in others().items():
            guess = other.fit(x[~held], labels[~held]).predict(x[held])  # type: ignore[attr-defined]
            rows.setdefault(f"{what}, without none", []).append(((guess == y).mean(), 0.0, (guess != y).mean()))
    print("| held-out frames | right % | none % | wrong % | folds, right % |\n|---|---|---|---|---|")
    for what, values in rows.items():
        if not what.startswith("way"):
            mean = " | ".join(f"{100 * v:.2f}" for v in np.mean(values, 0))
            print(f"| {what} | {mean} | {', '.join(f'{100 * v[0]:.1f}' for v in values)} |")
    print("\n| frames between two letters | read as any letter % | as a third letter % |\n|---|---|---|")
    for what, values in rows.items():
        if what.startswith("way"):
            print(f"| {what[5:]} | " + " | ".join(f"{100 * v:.2f}" for v in np.mean(values, 0)) + " |")
    false, missed = 100 * live[1:] / live[0]
    print(f"\nLive, {live[0]:.0f} letters in words: {false:.2f} % false letters, {missed:.2f} % missed.")
    print("\n| letter | right % | none % | wrong % |\n|---|---|---|---|")
    for n, name in enumerate(names):
        print(f"| {name} | " + " | ".join(f"{100 * v:.1f}" for v in letter[:, n].mean(0)) + " |")


if __name__ == "__main__":
    main()
