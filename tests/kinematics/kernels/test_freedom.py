"""A joint's freedoms are the columns of the Jacobian of its own body."""

import numpy as np
import pytest
from kernel_inputs import BODIES, JOINTS, MODEL, ROWS, SLOT, WORLD, q, scratch

from carpal.kinematics import jacobian
from carpal.kinematics.kernels.freedom import freedom, freedom_axis, slides
from carpal.kinematics.kernels.placement import COLUMNS, place_body, place_world
from carpal.model import NV
from carpal.model.tables import KINDS


@pytest.mark.parametrize("body", ROWS)
def test_freedoms_are_columns_of_the_jacobian(body: int) -> None:
    work = scratch(COLUMNS)
    place_world(work, SLOT)
    for row in ROWS:
        place_body(JOINTS, BODIES, q, work, WORLD, SLOT, row, True)
    name = next(name for name, (row, _) in MODEL.tables.body_rows.items() if row == body)
    J, X_WF = jacobian(MODEL, q[WORLD], name), MODEL.tables.body_rows[name][1]
    kind, _, _, first = JOINTS[body]
    p_WK = work[SLOT, body, 9:12]
    R_WK = work[SLOT, body, :9].reshape(3, 3)
    lever = R_WK @ X_WF[:3, 3]  # from the kernels' frame to the body's origin
    for k in range(NV[KINDS[kind]]):
        sv, sw = freedom(JOINTS, BODIES, work, SLOT, body, tuple(p_WK), k)
        at_body = np.array(sv) + np.cross(sw, p_WK + lever)
        assert np.allclose([*at_body, *sw], J[:, first + k], rtol=0, atol=1e-13)
        axis = freedom_axis(JOINTS, BODIES, work, SLOT, body, k)
        assert np.linalg.norm(axis) == pytest.approx(1.0)
        assert np.allclose(sv if slides(kind, k) else sw, axis)


def test_which_freedoms_slide() -> None:
    table = {kind: [bool(slides(KINDS.index(kind), k)) for k in range(NV[kind])] for kind in KINDS[1:]}
    assert table == {"revolute": [False], "prismatic": [True], "ball": [False] * 3, "free": [True] * 3 + [False] * 3}
