"""The grid's table and maps, from made-up scores."""

import numpy as np
from catch_inputs import grid_rows as rows

from carpal.labs.catch.grid_figures import HEAD, column, grid_figures, grid_point, totals
from carpal.labs.catch.score import PUBLISHED
from carpal.tasks import make_task


def test_points_are_numbered_column_by_column():
    assert np.allclose([grid_point(i) for i in (0, 5, 6, 29)], [(0, 0), (0, 0.35), (0.1, 0), (0.4, 0.35)], atol=1e-12)


def test_extremes_are_over_all_points_and_means_are_means():
    told = {what: (theirs, ours) for what, theirs, ours in totals(rows())}
    assert told["caught"] == ("30 of 30", "30 of 31") and told["in the bin"][1] == "29 of 31"
    assert told["largest position error"] == (f"{PUBLISHED['max_position_error_mm']} mm", "5.9 mm")
    assert told["mean position error"][1] == "2.9 mm" and told["mean orientation error"][1] == "0.145 deg"
    assert told["largest torque"][1] == "31 N m; before the touch 1 N m"


def test_every_point_has_its_row_and_its_tile():
    first, over, every = grid_figures(make_task("catch", grid=True), rows())
    assert "tuned gains, penalty engine" in first.text
    assert all(len(row) == len(HEAD) for row in every.rows) and len(every.rows) == 31
    assert every.rows[7][:5] == ("8", "0.1", "0.07", "yes", "no") and every.rows[7][-1] == "missed the bin"
    assert every.rows[30][5] == "-" and every.rows[30][-1] == "out of reach: far."
    torque = next(m for m in over.maps if "torque" in m.title)
    assert torque.values[29] == 31.0 and np.isnan(torque.values[30]) and not torque.good[7]
    assert np.array_equal(column(rows(), "peak_torque_Nm")[:3], [2, 3, 4])


def test_throws_on_no_grid_have_no_map():
    assert grid_figures(make_task("catch", vary=1.0), rows()) == []
    assert grid_figures(make_task("catch", grid=True), []) == []
