"""The reference scene of the penalty engine's cost: 35 bodies, 47 hinges (94 point joints), 18 contacts; and as MJCF.

Ten four-bars and a six-bar swing over a floor, each in its own plane y = const; spheres on their bars rest on the floor.
"""

from __future__ import annotations

import numpy as np
from penalty_inputs import about_y, pose

from carpal.model import Mechanism, MechanismBody, PlacedShape, Plane, Sphere, hinge
from carpal.spatial import Inertia

FLOOR, RADIUS, MASS, MOMENT = -0.1318, 0.012, 0.1, 2e-4
FOUR_BAR = np.array([[0.0, 0, 0], [0.05, 0, -0.1], [0.22, 0, -0.12], [0.2, 0, 0]])
DYAD = np.array([[0.22, 0, -0.12], [0.32, 0, -0.06], [0.35, 0, 0.05]])


def _bars() -> list[tuple[str, np.ndarray, np.ndarray]]:
    """(name, first corner, second corner) of every bar."""
    out = []
    for k in range(11):
        shift = np.array([0.0, 0.1 * k, 0.0])
        corners = FOUR_BAR + shift
        out += [(f"m{k}b{i}", corners[i], corners[i + 1]) for i in range(3)]
        if k == 10:
            more = DYAD + shift
            out += [(f"m{k}b{3 + i}", more[i], more[i + 1]) for i in range(2)]
    return out


def _balls() -> set[str]:
    """The 18 bars that carry a sphere: second (at its end) and third (at its start) bar of nine mechanisms, so all can rest."""
    return {f"m{k}b{i}" for k in range(9) for i in (1, 2)}


def reference_mechanism(stiffness: float = 1e5, damping: float = 20.0) -> Mechanism:
    """The scene in full coordinates."""
    bodies: dict[str, MechanismBody] = {}
    for name, a, b in _bars():
        R = about_y(np.arctan2(-(b - a)[2], (b - a)[0]))
        skin = PlacedShape(name, name, Sphere(RADIUS), pose((np.linalg.norm(b - a) * (name[-1] == "1"), 0, 0)))
        inertia = Inertia(MASS, np.array([np.linalg.norm(b - a) / 2, 0, 0]), np.eye(3) * MOMENT)
        bodies[name] = MechanismBody(name, inertia, pose(a, R), shapes=(skin,) if name in _balls() else ())
    joints: tuple = ()
    for k in range(11):
        bars = [None, *(bodies[f"m{k}b{i}"] for i in range(3)), None]
        pins = [(bars[i], bars[i + 1], FOUR_BAR[i]) for i in range(4)]
        if k == 10:
            third, fourth, fifth = (bodies[f"m{k}b{i}"] for i in (2, 3, 4))
            pins += [(third, fourth, DYAD[0]), (fourth, fifth, DYAD[1]), (fifth, None, DYAD[2])]
        for i, (a, b, p) in enumerate(pins):
            at = p + np.array([0.0, 0.1 * k, 0.0])
            joints += hinge(f"m{k}p{i}", a, b, at, [0, 1, 0], span=0.04, stiffness=stiffness, damping=damping)
    floor = (PlacedShape("floor", None, Plane(), pose((0, 0, FLOOR))),)
    names = list(bodies)
    apart = tuple((a, b) for i, a in enumerate(names) for b in names[i + 1 :])
    return Mechanism("reference", tuple(bodies.values()), joints, fixed=floor, untouched=apart)


def reference_mjcf() -> str:
    """The same scene for MuJoCo: trees of hinges, loops closed by `connect`."""
    worlds, closures = [], []
    for k in range(11):
        chains = [FOUR_BAR] if k < 10 else [FOUR_BAR, DYAD]
        texts, deepest = [], ""
        for which, corners in enumerate(chains):
            first = 3 * which
            for i in reversed(range(len(corners) - 1)):
                name, along = f"m{k}b{first + i}", corners[i + 1] - corners[i]
                origin = (
                    corners[i]
                    if i == 0 and which == 0
                    else corners[i] - corners[i - 1]
                    if i
                    else corners[0] - FOUR_BAR[2]
                )
                at = along * (i == 1)
                ball = f'<geom type="sphere" size="{RADIUS}" pos="{at[0]} 0 {at[2]}"/>' if name in _balls() else ""
                inner = texts.pop() if i < len(corners) - 2 else deepest if which == 0 else ""
                texts.append(
                    f'<body name="{name}" pos="{origin[0]} 0 {origin[2]}"><joint axis="0 1 0"/>{ball}<inertial mass="{MASS}" '
                    f'pos="{along[0] / 2} 0 {along[2] / 2}" diaginertia="{MOMENT} {MOMENT} {MOMENT}"/>{inner}</body>'
                )
            end = corners[-1] - corners[-2]
            closures.append(f'<connect body1="m{k}b{first + len(corners) - 2}" anchor="{end[0]} 0 {end[2]}"/>')
        if k == 10:  # the dyad hangs on the third bar
            dyad = texts.pop()
            texts[-1] = texts[-1].replace("</body></body></body>", f"{dyad}</body></body></body>")
        worlds.append(f'<body pos="0 {0.1 * k} 0">{texts[-1]}</body>')
    return (
        f'<mujoco><option timestep="0.0005"/><default><geom contype="1" conaffinity="0"/></default><worldbody><geom type="plane" '
        f'size="5 5 1" pos="0 0 {FLOOR}" contype="0" conaffinity="1"/>{"".join(worlds)}</worldbody>'
        f"<equality>{''.join(closures)}</equality></mujoco>"
    )
