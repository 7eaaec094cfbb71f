import numpy as np

from carpal.model import Sphere
from carpal.report.parts import Part


def test_a_part_has_a_shape_or_a_mesh():
    part = Part("ball", None, np.eye(4), (1.0, 0.0, 0.0, 1.0), Sphere(0.1))
    assert part.mesh is None and part.shape.radius == 0.1
