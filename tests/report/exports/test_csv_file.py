"""CSV: Polars reads every bit back."""

import numpy as np
import polars
from export_inputs import moved, recorded

from carpal.engines.recording_files import number_columns
from carpal.report.exports.csv_file import columns
from carpal.report.exports.motion import motion_of


def test_a_recording_reads_back_to_the_same_bits(tmp_path):
    run = recorded()
    table = polars.read_csv(run.save(tmp_path / "run.csv"), infer_schema_length=None)
    assert list(table.columns) == number_columns(run.model)
    wanted = np.concatenate(
        [run.time[:, None], run.q, run.v, run.u, *(column[:, None] for column in run.energy.values())], axis=1
    )
    assert np.array_equal(table.to_numpy(), wanted)


def test_a_trajectory_has_its_accelerations():
    motion = motion_of(moved(), None, 0.05)
    found = columns(motion)
    assert list(found)[:4] == ["time", "q:a", "q:b", "q:c"] and list(found)[-1] == "a:c"
    assert np.array_equal(found["a:b"], motion.vdot[:, 1])
