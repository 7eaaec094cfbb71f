"""Constants of the tables do not overlap."""

from carpal.contact.kernels import lane_tables as lt


def test_columns_follow_each_other():
    assert lt.OBSTACLE_P == 9 and lt.OBSTACLE_SIZE == 12 and lt.OBSTACLE_ROUND == 15 and lt.OBSTACLE_KIND == 16
    assert lt.OBSTACLE_COLUMNS == 17 and lt.POSE_ROWS == lt.MOVING + 3 and len(lt.LaneScene._fields) == 12
