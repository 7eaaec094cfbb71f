"""Surfaces as MuJoCo's contact parameters.

- mu and tip are friction and condim: 1 (frictionless), 3 (hard), 4 (soft, with its torsion), 6 with rolling friction; cones are
  elliptic.
- Restitution e of a rigid pair: solref = (-k, -b), a spring and damper for each kilogram, k = w^2 and b = 2 z w with the
  damping ratio z that gives e (`contact_spring`) and w = 0.25 / dt, so that a bounce takes a dozen steps, but b at most 1 / dt:
  with restitution 0 the approach ends in one step; solimp 0.99.
- Compliance C [m/N]: k = 1 / (m C), b as above with w^2 = k but at most 0.25 / dt, m the reduced mass of the two bodies as
  MuJoCo counts it (invweight0); solimp at its least, 1e-4, where MuJoCo's contact is a spring and damper and nothing else.

MuJoCo's friction is a damper below its limit: what sticks creeps. `impratio` 10 makes it ten times stiffer than the normal. At
a compliant contact it is a damper of a quarter of m / dt, so that what hangs by friction there creeps at up to 4 g dt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from carpal.contact import pairs_that_may_touch
from carpal.engines.contact_spring import damping_ratio_of, restitution_number
from carpal.engines.pair_surfaces import SurfaceKey, surfaces_of_pairs
from carpal.engines.surface import Surface
from carpal.model import Model
from carpal.spatial import Array

BOUNCE = 0.25
"""Own frequency of a bouncing contact times dt. Assumed: a bounce takes 12 steps; it is 4 mm deep at 1 m/s and 1 ms."""
STIFFEST = 1.0
"""Own frequency of a compliant contact times dt, above which a note is given."""
MOST_DAMPING = 1.0
"""Damping times dt: an approach that ends in one step. Above 2 it would overshoot."""
SHARED = 0.25
"""The same of a compliant contact, which MuJoCo takes explicitly: of the four contacts under a box each has a quarter."""
IMPEDANCE, LEAST_IMPEDANCE = 0.99, 1e-4
IMPRATIO = 10.0
ROLLING = 1e-4  # MuJoCo's own default, which condim 3 and 4 do not use


def pairs_that_differ(
    model: Model, surface: Surface, surfaces: Mapping[SurfaceKey, Surface]
) -> dict[tuple[str, str], Surface]:
    """Pairs of shapes that need numbers of their own: another surface than the general one, or compliance."""
    shapes = [shape for shape in model.shapes if shape.collides]
    rows = [0 if shape.body is None else model.tables.body_rows[shape.body][0] for shape in shapes]
    pairs = [(int(a), int(b)) for a, b in pairs_that_may_touch(model, shapes, rows)]
    chosen = surfaces_of_pairs([s.name for s in shapes], [s.body for s in shapes], pairs, surface, surfaces)
    return {
        (shapes[a].name, shapes[b].name): each
        for (a, b), each in zip(pairs, chosen, strict=True)
        if each != surface or each.compliance
    }


def add_pairs(spec: Any, pairs: Mapping[tuple[str, str], Surface]) -> None:
    """List the pairs in a spec that has geoms of these names."""
    known = {frozenset((pair.geomname1, pair.geomname2)) for pair in spec.pairs}
    geoms = {geom.name for geom in spec.geoms}
    for a, b in pairs:
        if a in geoms and b in geoms and frozenset((a, b)) not in known:
            spec.add_pair(geomname1=a, geomname2=b)


def apply_surfaces(compiled: Any, dt: float, surface: Surface, pairs: Mapping[tuple[str, str], Surface]) -> list[str]:
    """Write contact parameters into a compiled model; returns sentences on what is left out."""
    import mujoco

    compiled.opt.cone, compiled.opt.impratio = mujoco.mjtCone.mjCONE_ELLIPTIC, IMPRATIO
    condim, friction, solref, solimp = _numbers(surface, dt, 1.0)
    for geom in range(compiled.ngeom):
        compiled.geom_condim[geom], compiled.geom_friction[geom] = condim, friction[[0, 2, 3]]
        compiled.geom_solref[geom], compiled.geom_solimp[geom] = solref, solimp
    by_name = {frozenset(names): each for names, each in pairs.items()}
    notes = []
    for pair in range(compiled.npair):
        ends = [int(compiled.pair_geom1[pair]), int(compiled.pair_geom2[pair])]
        names = [compiled.geom(geom).name for geom in ends]
        each = by_name.pop(frozenset(names), surface)
        weight = sum(float(compiled.body_invweight0[compiled.geom_bodyid[geom], 0]) for geom in ends)
        condim, friction, solref, solimp = _numbers(each, dt, weight)
        compiled.pair_dim[pair], compiled.pair_friction[pair] = condim, friction
        compiled.pair_solref[pair], compiled.pair_solimp[pair] = solref, solimp
        if each.compliance:  # the stiffest damper that friction may be at this step
            compiled.pair_solreffriction[pair] = solref[0], -SHARED / (IMPRATIO * dt)
        if each.compliance and np.sqrt(-solref[0]) * dt > STIFFEST:
            notes.append(
                f"the compliance {each.compliance:.3g} m/N of {' and '.join(names)} is too stiff for steps of {dt:g} s in the "
                f"engine 'mujoco'; take at most {STIFFEST / np.sqrt(-solref[0]):.2g} s."
            )
    if by_name:
        left = [" and ".join(sorted(names)) for names in by_name]
        notes.append(f"the robot's file has no geom of that name: the surface of {', '.join(left[:4])} is left out.")
    return notes


def _numbers(surface: Surface, dt: float, inverse_mass: float) -> tuple[int, Array, Array, Array]:
    """condim, friction (5), solref (2) and solimp (5)."""
    mu, torsion = surface.numbers[:2]
    condim = 1 if mu == 0.0 else 6 if surface.rolling > 0.0 else 4 if torsion > 0.0 else 3
    ratio = damping_ratio_of(restitution_number(surface))
    impedance, frequency = IMPEDANCE, min(BOUNCE, MOST_DAMPING / (2.0 * ratio + 1e-9)) / dt
    most = SHARED if surface.compliance else MOST_DAMPING
    if surface.compliance:
        impedance, frequency = LEAST_IMPEDANCE, float(np.sqrt(inverse_mass / surface.compliance))
    stiffness, damping = frequency**2, min(2.0 * ratio * frequency, most / dt)
    friction = np.array([mu, mu, torsion, *[surface.rolling or ROLLING] * 2])
    return condim, friction, np.array([-stiffness, -damping]), np.array([impedance, impedance, 1e-3, 0.5, 2.0])
