"""The catching hand, open and closed, from above, from the side (bars of the little finger) and aslant.

Writes docs/pictures/catch_hand.png:

python benchmarks/catch_hand_picture.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from carpal.labs.catch import catcher
from carpal.report.solids import triangles_of
from carpal.report.stills import Camera, Solid, png, still
from carpal.spatial import inverse

FILE = Path(__file__).parent.parent / "docs" / "pictures" / "catch_hand.png"
VIEWS = (  # eye, look at, up [m] in the hand frame, field [rad]
    ((0.02, -0.05, 0.30), (0.025, 0.0, 0.0), (1.0, 0.0, 0.0), 0.68),
    ((0.013, 0.30, 0.06), (0.015, 0.0, 0.012), (0.0, 0.0, 1.0), 0.6),
    ((0.26, -0.20, 0.20), (0.02, 0.0, 0.008), (0.0, 0.0, 1.0), 0.5),
)
SIZE = (380, 340)
HIDDEN = ("ring", "middle", "index")


def hand(closed: bool, *, inside: bool) -> list[Solid]:
    """The hand's solids in its own frame; `inside` makes the palm see-through and shows one finger's bars alone."""
    made = catcher(closed=closed)
    X_HW = inverse(made.bodies[made.body_index("palm")].X_WB)
    first = made.body_index("palm")
    things = []
    for body in made.bodies[first:-1]:
        if inside and body.name.partition("/")[0] in (*HIDDEN, "thumb"):
            continue
        for placed in body.shapes:
            X = X_HW @ body.X_WB @ placed.X_BS
            points, faces = triangles_of(placed.shape)
            rgba = (*placed.rgba[:3], 0.25) if inside and placed.collides else placed.rgba
            things.append(Solid(points @ X[:3, :3].T + X[:3, 3], faces, rgba))
    return things


def main() -> None:
    rows = []
    for closed in (False, True):
        views = []
        for i, (eye, look_at, up, field) in enumerate(VIEWS):
            camera = Camera(np.array(eye), np.array(look_at), np.array(up), field, SIZE)
            views.append(still(hand(closed, inside=i == 1), camera))
        rows.append(np.concatenate(views, axis=1))
    FILE.write_bytes(png(np.concatenate(rows)))
    print(f"wrote {FILE}")


if __name__ == "__main__":
    main()
