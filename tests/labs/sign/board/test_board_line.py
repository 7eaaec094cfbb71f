"""Every kind of line to a board has the whole interface."""

from carpal.labs.sign.board.board_line import BoardLine
from carpal.labs.sign.board.bus_line import BusLine
from carpal.labs.sign.board.frame_line import FrameLine


def test_lines_are_complete():
    for kind in (FrameLine, BusLine):
        assert issubclass(kind, BoardLine) and not kind.__abstractmethods__
    assert FrameLine.lag == 0.0  # a board of frames answers a period later: nothing is added to its following error
