"""Agreement of a track with a reference."""

import numpy as np
import pytest

from carpal.engines.comparison.reference import Reference, Value, agreement, plain
from carpal.engines.comparison.track import Track
from carpal.spatial import pose, rotation_about


def test_first_departure_and_values():
    time = np.linspace(0, 1, 5)
    poses = np.stack([pose(rotation_about([0, 0, 1], 0.1 * k), [0, 0, 0]) for k in range(5)])[:, None]
    track = Track(time, ("a",), poses)
    path = np.tile([1.0, 0, 0], (5, 1))
    reference = Reference(
        {"a": path}, {"a": np.array([1.0, 0, 0])}, (Value("last [s]", 1.0, lambda t: float(t.time[-1])),)
    )
    assert reference.apart(track, "a") == pytest.approx(2 * np.sin(0.05 * np.arange(5)))
    found = agreement(track, reference, 0.15)
    assert (found.time, found.body) == (0.5, "a") and found.values == {"last [s]": (1.0, 1.0)}
    assert agreement(track, reference, 1.0).time is None
    assert plain(found)["values"]["last [s]"] == {"expected": 1.0, "found": 1.0}
    assert np.isnan(agreement(track, Reference(), 1.0).distance)
