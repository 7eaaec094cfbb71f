"""Prabhu's ideal 7-joint arm: spherical shoulder, revolute elbow, spherical wrist (Table 4.2, standard DH, a = 0).

Lengths base-shoulder 0.31, shoulder-elbow 0.27, elbow-wrist 0.27, wrist-tool 0.145 m: the SIA5 without its elbow offsets
(erratum E-M1: the real arm is `sia5`). Prabhu's caption of the table is a copy error; the rows are right.
"""

from __future__ import annotations

import dataclasses
import math

from carpal.model.catalogue.assumed import cylinder, wants_assumed
from carpal.model.dh import DHRow, model_from_dh
from carpal.model.model import Model

L_BS, L_SE, L_EW, L_WT = 0.31, 0.27, 0.27, 0.145  # [m]
# alpha [deg], d [m]
TABLE = ((-90, L_BS), (90, 0.0), (-90, L_SE), (90, 0.0), (-90, L_EW), (90, 0.0), (0, L_WT))

# assumed: from, to [m] in the row's frame, radius [m], mass [kg]; standard DH frames sit at the far end of the link
ASSUMED = (
    ((0, 0.11, 0), (0, -0.06, 0), 0.07, 6.0),
    ((0, 0, 0), (0, 0, 0.2), 0.06, 5.0),
    ((0, 0.07, 0), (0, -0.03, 0), 0.06, 4.0),
    ((0, 0, 0), (0, 0, 0.2), 0.05, 4.0),
    ((0, 0.07, 0), (0, -0.03, 0), 0.045, 2.0),
    ((0, 0, 0), (0, 0, 0.1), 0.04, 1.5),
    ((0, 0, -0.041), (0, 0, 0), 0.03, 0.5),
)
BASE_ASSUMED = ((0, 0, 0), (0, 0, 0.2), 0.09, 7.0)


def build(inertia: str | None = None) -> Model:
    """The ideal arm; `inertia="assumed"` gives it the assumed masses of `sia5`.

    Prabhu gives no limits; a full turn (-pi to pi) is assumed for every joint.
    """
    assumed = wants_assumed(inertia)
    rows = [
        DHRow(alpha=math.radians(alpha), d=d, name=f"q{i}", q_min=-math.pi, q_max=math.pi)
        for i, (alpha, d) in enumerate(TABLE, start=1)
    ]
    base = None
    if assumed:
        rows = [
            dataclasses.replace(row, inertia=cylinder(mass, start, end, radius))
            for row, (start, end, radius, mass) in zip(rows, ASSUMED, strict=True)
        ]
        start, end, radius, mass = BASE_ASSUMED
        base = cylinder(mass, start, end, radius)
    return model_from_dh(
        rows,
        base_inertia=base,
        name="srs7",
        source="Prabhu (2018), Table 4.2; lengths of the SIA5",
        notes=("joint limits are assumed: one full turn", *(("inertias are assumed",) if assumed else ())),
    )
