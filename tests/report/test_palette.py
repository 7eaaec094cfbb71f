import re

from carpal.report import palette
from carpal.report.palette import css, rgb


def test_colours_are_colours():
    for name, value in vars(palette).items():
        if isinstance(value, tuple) and len(value) == 4 and all(isinstance(x, float) for x in value):
            assert all(0 <= x <= 1 for x in value), name
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in (*palette.CURVES, *palette.STATUS.values()))
    assert len(set(palette.CURVES)) == len(palette.CURVES) and len(set(palette.MODES.values())) == len(palette.MODES)


def test_as_bytes_and_as_css():
    assert rgb((1.0, 0.5, 0.0, 0.3)) == (255, 128, 0) and css((1, 2, 3)) == "rgb(1,2,3)"
