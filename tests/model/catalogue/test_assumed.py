import numpy as np
import pytest

from carpal.errors import UnknownNameError
from carpal.model.catalogue.assumed import cylinder, wants_assumed


def test_cylinder_has_the_textbook_inertia():
    rod = cylinder(2.0, (0, 0, 0), (0, 0.6, 0), 0.1)
    assert np.allclose(rod.com, (0, 0.3, 0))
    across = 2.0 * (3 * 0.1**2 + 0.6**2) / 12
    assert np.allclose(rod.about_com, np.diag([across, 0.5 * 2.0 * 0.1**2, across]), atol=1e-15)


def test_a_thin_rod_is_physical():
    rod = cylinder(1.0, (0, 0, 0), (1, 1, 0), 0.0)
    assert rod.is_physical()
    assert np.linalg.eigvalsh(rod.about_com).min() > 0


def test_the_option_is_checked():
    assert wants_assumed("assumed")
    assert not wants_assumed(None)
    with pytest.raises(UnknownNameError, match="valid: None, assumed"):
        wants_assumed("yes")
