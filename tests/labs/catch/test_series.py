"""Series of a recording survive its file."""

import numpy as np
from catch_inputs import caught_recording

from carpal.engines import Recording
from carpal.labs.catch.series import PARTS, series_of


def test_series_are_kept_with_the_recording(tmp_path):
    _, recording = caught_recording()
    again = Recording.load(recording.save(tmp_path / "run.parquet"))
    for name, width in PARTS.items():
        values = series_of(again, name)
        assert values.shape == (len(recording.time) - 1, width)
        np.testing.assert_array_equal(values, series_of(recording, name))
    assert np.abs(series_of(again, "wanted") - series_of(again, "measured")).max() < 0.2
