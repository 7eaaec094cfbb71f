"""The layout of the tables of couplings and loops."""

from carpal.model.kernels import constraint_tables as layout


def test_columns_do_not_overlap():
    assert layout.COEFFICIENTS + 5 == layout.FOLLOWER_MIN
    assert layout.FOLLOWER_MAX + 1 == layout.COUPLING_COLUMNS
    assert layout.ROTATION_A + 9 == layout.POSITION_A and layout.POSITION_A + 3 == layout.ROTATION_B
    assert layout.ROTATION_B + 9 == layout.POSITION_B and layout.POSITION_B + 3 == layout.LOOP_COLUMNS
    assert layout.MOVES_A & layout.MOVES_B == 0
