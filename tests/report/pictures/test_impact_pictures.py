"""Pictures of collisions: written for every story, of one or out of a batch, and refused without a path."""

import pytest
from impact_reference import reference_gain

from carpal.engines import single_impact
from carpal.errors import CarpalError
from carpal.report import save_slip_hodograph


def test_a_hodograph_is_drawn(tmp_path):
    hit = single_impact(reference_gain(), [[0.2, -0.1, -0.5], [1.0, 0.4, -0.3]], 0.6, 0.5, path=True)
    for i in range(2):
        file = save_slip_hodograph(hit, tmp_path / "new" / f"{i}.png", index=(i,))
        assert file.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" and file.stat().st_size > 10_000


def test_without_a_path_there_is_no_picture(tmp_path):
    with pytest.raises(CarpalError, match="path=True"):
        save_slip_hodograph(single_impact(reference_gain(), [0.2, -0.1, -0.5], 0.6, 0.5), tmp_path / "x.png")
