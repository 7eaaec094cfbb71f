"""Yesmunt's 6-joint humanoid arm, the hand as a rigid lump. Gravity along -y, the ball flies in +z.

Table 5.1 (standard DH, fixed rows between), Table 3.2 (masses). Errata: E6, a of the fourth row is the script's
0.04743165 m; E19, the masses sum to 6.668 kg, not 6.667. Hand frame: x along the fingers, y across the palm, z its normal.

Not published and assumed (docs/assumptions.md): centres of mass (the middle between a link's two joints), the axes of
the printed inertias, which body each joint moves (E27: shoulder link 1 stands still), the lump of the digits, limits.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from carpal.model.catalogue.assumed import cylinder
from carpal.model.dh import DHRow, model_from_dh
from carpal.model.model import Model
from carpal.spatial import Array, Inertia, align_z, inverse, pose, rotation_about

# name (None: a fixed row), a [m], alpha [deg], d [m], theta [deg]
TABLE = (
    (None, 0.0, 90, 0.0, 90),
    ("shoulder_1", 0.0, 90, 0.12, 0),
    ("shoulder_2", 0.09, 0, 0.0075, 0),
    (None, 0.04743165, -90, 0.0, -90),
    ("shoulder_3", 0.0, -90, 0.231, 0),
    ("elbow", 0.012, 0, 0.0, 0),
    (None, 0.061, 0, 0.0, 90),
    (None, 0.0, -90, 0.0, -90),
    ("forearm", 0.0, 90, 0.19, 0),
    ("wrist", 0.095, -90, 0.0, 0),
)
Q_START_DEG = (0, 180, -90, -90, 0, 90)  # inferred: the values commented out in Yesmunt's script
LIMITS_DEG = ((-150, 150), (60, 300), (-240, 60), (-170, -10), (-120, 120), (-60, 240))  # assumed

# what each joint moves: part, mass [kg], (Ixx, Iyy, Izz) [kg m^2] about its centre of mass
PARTS = {
    "shoulder_1": ("shoulder link 2", 1.4, (0.000703, 0.00124, 0.00132)),
    "shoulder_2": ("shoulder link 3", 1.3, (0.00235, 0.000893, 0.0029)),
    "shoulder_3": ("upper arm", 1.2, (0.000219, 0.00783, 0.0079)),
    "elbow": ("elbow link", 0.3, (8.86e-5, 0.000382, 0.000384)),
    "forearm": ("forearm", 0.3, (0.000105, 0.00116, 0.00124)),
}
HAND_BREADTH, HAND_LENGTH = 0.093, 0.21  # [m], Table 3.1
COM_SHARE = 0.5  # assumed: a link's centre of mass, as a fraction of the distance to its next joint
SHOULDER_LINK_1 = Inertia(1.4, np.zeros(3), np.diag([0.1, 0.1, 0.1]))  # the printed inertia is a placeholder
PALM_MASS, PALM_INERTIA, PALM_COM = 0.4, (0.00026, 0.00045, 0.00068), (-0.0475, 0.0, 0.0)
FINGER_MASS, FINGER_Y, FINGER_X = 0.075, (-0.033, -0.011, 0.011, 0.033), (0.01, 0.1)
THUMB_MASS, THUMB_FROM, THUMB_TO = 0.068, (-0.05, 0.045, 0.0), (0.01, 0.06, 0.02)


def _row_pose(row: tuple[str | None, float, float, float, float]) -> Array:
    """The row's transform at zero joint angle."""
    _, a, alpha, d, theta = row
    turn_z = pose(rotation_about((0, 0, 1), math.radians(theta)), (0, 0, d))
    turn_x = pose(rotation_about((1, 0, 0), math.radians(alpha)), (a, 0, 0))
    return turn_z @ turn_x


def _link_inertia(index: int) -> Inertia:
    """A printed inertia in the row's frame: x along the link, z as near to the joint's axis as that allows."""
    name = TABLE[index][0]
    assert name is not None  # rows with masses are joints
    _, mass, diagonal = PARTS[name]
    X_JB = _row_pose(TABLE[index])
    X_JE = X_JB.copy()  # up to the next joint: through the fixed rows that follow
    for row in TABLE[index + 1 :]:
        if row[0] is not None:
            break
        X_JE = X_JE @ _row_pose(row)
    along = X_JE[:3, 3]
    x = along / np.linalg.norm(along)
    z = np.array([0.0, 0.0, 1.0]) - x * x[2]
    z = align_z(x)[:, 0] if np.linalg.norm(z) < 1e-9 else z / np.linalg.norm(z)
    R = np.column_stack([x, np.cross(z, x), z])
    return Inertia(mass, COM_SHARE * along, R @ np.diag(diagonal) @ R.T).moved(inverse(X_JB))


def hand_lump() -> Inertia:
    """Palm, four fingers and thumb, rigidly joined, in the hand frame."""
    lump = Inertia(PALM_MASS, np.array(PALM_COM), np.diag(PALM_INERTIA))
    for y in FINGER_Y:
        lump = lump + cylinder(FINGER_MASS, (FINGER_X[0], y, 0), (FINGER_X[1], y, 0), 0.008)
    return lump + cylinder(THUMB_MASS, THUMB_FROM, THUMB_TO, 0.009)


def anthropometry() -> list[tuple[str, float, float]]:
    """Yesmunt's Table 3.1: (what, human [mm], robot [m]); the arm's two lengths are read from the DH rows."""
    upper_arm = TABLE[2][1] + TABLE[4][3] + TABLE[5][1]
    forearm = TABLE[6][1] + TABLE[8][3]
    return [
        ("upper arm (A)", 340.8, upper_arm),
        ("forearm (B)", 290.3, forearm),
        ("hand breadth (C)", 90.4, HAND_BREADTH),
        ("hand length (D)", 193.8, HAND_LENGTH),
    ]


def build() -> Model:
    """Yesmunt's arm; `tool` is the hand frame."""
    rows, limits = [], iter(LIMITS_DEG)
    for index, (name, a, alpha, d, theta) in enumerate(TABLE):
        row = DHRow(
            a, math.radians(alpha), d, math.radians(theta), "fixed", f"fixed_{index + 1}", inertia=Inertia.nothing()
        )
        if name is not None:
            low, high = next(limits)
            inertia = hand_lump() if name == "wrist" else _link_inertia(index)
            row = dataclasses.replace(
                row, kind="revolute", name=name, q_min=math.radians(low), q_max=math.radians(high), inertia=inertia
            )
        rows.append(row)
    return model_from_dh(
        rows,
        base_inertia=SHOULDER_LINK_1,
        name="catcher_arm",
        gravity=np.array([0.0, -9.81, 0.0]),
        q_home=np.radians(Q_START_DEG),
        source="Yesmunt (2014), Tables 3.2 and 5.1",
        notes=(
            "centres of mass, inertia axes, joint limits and the digits' lump are assumed",
            *(f"{what}: human {human:.1f} mm, robot {1000 * robot:.1f} mm" for what, human, robot in anthropometry()),
        ),
    )
