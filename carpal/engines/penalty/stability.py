"""The largest stable step of the trapezoidal predictor-corrector, from stiffness, damping and masses.

For one mode x'' = -w^2 x - g x' the step is a 2x2 matrix; it is stable while both its eigenvalues stay inside the unit circle: up
to w dt = 2 without damping, less with it. The mechanism's fastest mode is bounded by the largest eigenvalues of M^-1 K and M^-1 C
of everything elastic at the start pose. Contacts come and go: each body's are counted at their farthest point, all at once
for surface points, which is an estimate and no proof.
"""

from __future__ import annotations

import math

import numpy as np

from carpal.engines.penalty.contact_tables import ContactPairs
from carpal.engines.penalty.kernels.run import MechanismTables
from carpal.errors import InputError
from carpal.spatial import Array


def largest_stable_step(squared: float, damping: float) -> float:
    """Largest stable dt [s] of a mode x'' = -squared x - damping x'; infinite where both are zero.

    Args:
        squared: w^2 [1/s^2], zero or above.
        damping: g [1/s], zero or above.
    """
    if not (0 <= squared < math.inf and 0 <= damping < math.inf):
        raise InputError(
            f"squared and damping must be finite and zero or above; got {squared!r:.40} and {damping!r:.40}."
        )
    if not (squared or damping):
        return math.inf
    # undamped z < 2 and pure damping g dt < 2 bound the region from outside
    high = 2.0 / max(math.sqrt(squared), damping)
    low = 0.0
    for _ in range(50):
        dt = 0.5 * (low + high)
        low, high = (dt, high) if _radius(squared * dt * dt, damping * dt) <= 1 + 1e-12 else (low, dt)
    return low


def _radius(z2: float, g: float) -> float:
    """Spectral radius of one step on (x, v dt)."""
    x = np.eye(2)
    position, speed = x[0], x[1]
    before = -z2 * position - g * speed
    after = -z2 * (position + speed + 0.5 * before) - g * (speed + before)
    speed_next = speed + 0.5 * (after + before)
    step = np.array([position + 0.5 * (speed + speed_next), speed_next])
    return float(np.abs(np.linalg.eigvals(step)).max())


def mechanism_stable_step(
    tables: MechanismTables, contacts: ContactPairs, rotations: Array, centres: Array
) -> tuple[float, str]:
    """Largest stable step [s] of a whole mechanism, and what limits it ("joints" or "contact").

    Args:
        tables, contacts: its tables.
        rotations: R_WB (bodies, 3, 3) at the start.
        centres: centres of mass (bodies, 3) [m] in W at the start.
    """
    count = len(tables.bodies)
    stiffness, damping = np.zeros((2, 6 * count, 6 * count))
    for row in tables.elements.points:
        _spread(stiffness, damping, row[0], row[2:5], row[1], row[5:8], row[8], row[9], rotations)
    for row in tables.elements.slots:
        near = _nearest(row, tables.elements.corners, rotations, centres)
        _spread(stiffness, damping, row[0], row[2:5], row[1], near, row[7], row[8], rotations)
    for row in tables.elements.linear:
        _spread(stiffness, damping, row[0], row[2:5], row[1], row[5:8], row[8], row[9], rotations)
    for table in (tables.elements.springs, tables.elements.rotary):
        for row in table:
            _spread_turn(stiffness, damping, row, row[11], row[12], rotations)
    for row in tables.elements.friction:
        _spread_turn(stiffness, damping, row, row[13], row[11] / row[12], rotations)
    free = np.repeat(tables.bodies[:, 17] == 0, 6)
    root = _inverse_root_mass(tables, rotations)
    squared, lost = (_largest((root @ S @ root)[np.ix_(free, free)]) for S in (stiffness, damping))
    joints = largest_stable_step(squared, lost)
    touch = _contact_step(tables, contacts)
    return (touch, "contact") if touch < joints else (joints, "joints")


def _nearest(row: Array, corners: Array, R: Array, centres: Array) -> Array:
    """The point of a slot's path nearest to its guest at the start, from the centre of mass of the body with the path."""
    a, b, first, count = (int(row[i]) for i in (0, 1, 5, 6))
    point = row[2:5] if a == len(R) else R[a] @ row[2:5] + centres[a]
    if b < len(R):
        point = R[b].T @ (point - centres[b])
    starts, ways = corners[first : first + count - 1], np.diff(corners[first : first + count], axis=0)
    shares = np.clip(((point - starts) * ways).sum(1) / (ways * ways).sum(1), 0, 1)
    places = starts + shares[:, None] * ways
    return np.asarray(places[np.argmin(np.linalg.norm(places - point, axis=1))])


def _spread(K: Array, C: Array, a: float, r_a: Array, b: float, r_b: Array, k: float, c: float, R: Array) -> None:
    """Add a spring and damper between two points."""
    J = np.zeros((3, len(K)))
    for body, r, sign in ((int(a), r_a, -1.0), (int(b), r_b, 1.0)):
        if body < len(R):
            arm = R[body] @ r
            skew = np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])
            J[:, 6 * body : 6 * body + 3] = sign * np.eye(3)
            J[:, 6 * body + 3 : 6 * body + 6] = -sign * skew
    K += k * J.T @ J
    C += c * J.T @ J


def _spread_turn(K: Array, C: Array, row: Array, k: float, c: float, R: Array) -> None:
    """Add a rotary spring and damper; columns as in `springs.py`."""
    a, b = int(row[0]), int(row[1])
    axis = row[2:5] if a == len(R) else R[a] @ row[2:5]
    J = np.zeros(len(K))
    for body, sign in ((a, -1.0), (b, 1.0)):
        if body < len(R):
            J[6 * body + 3 : 6 * body + 6] = sign * axis
    K += k * np.outer(J, J)
    C += c * np.outer(J, J)


def _symmetric(six: Array) -> Array:
    xx, yy, zz, xy, xz, yz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _inverse_root_mass(tables: MechanismTables, rotations: Array) -> Array:
    out = np.zeros((6 * len(tables.bodies),) * 2)
    for i, row in enumerate(tables.bodies):
        values, vectors = np.linalg.eigh(rotations[i] @ _symmetric(row[10:16]) @ rotations[i].T)
        out[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = np.eye(3) / np.sqrt(row[0])
        out[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = (vectors * np.sqrt(values)) @ vectors.T
    return out


def _largest(S: Array) -> float:
    return max(0.0, float(np.linalg.eigvalsh(S)[-1])) if len(S) else 0.0


def _contact_step(tables: MechanismTables, contacts: ContactPairs) -> float:
    """For each body the sum of its surface points' stiffness, or its stiffest single contact of shapes."""
    stiff: dict[tuple[int, int], float] = {}
    damped: dict[tuple[int, int], float] = {}
    ease: dict[tuple[int, int], float] = {}
    for (a, b, patch, k, c, _, _, k_t, _), (i, j) in zip(contacts.pairs, contacts.bodies, strict=True):
        both = 0.0
        for shape, body in ((int(a), i), (int(b), j)):
            if body >= 0 and tables.bodies[body, 17] == 0:
                both += _contact_ease(tables.bodies[body], contacts.shapes[shape])
        point = row_is_point(contacts.shapes[int(a)])
        for total, part in ((stiff, patch * max(k, k_t)), (damped, patch * c)):
            total[i, j] = total.get((i, j), 0.0) + part if point else max(total.get((i, j), 0.0), part)
        ease[i, j] = max(ease.get((i, j), 0.0), both)
    return min((largest_stable_step(stiff[p] * ease[p], damped[p] * ease[p]) for p in stiff), default=math.inf)


def _contact_ease(body: Array, shape: Array) -> float:
    """How easily [1/kg] a body gives way at a surface point, exactly, or anywhere on a shape, at most."""
    arm, inverse = shape[17:20], _symmetric(body[10:16])
    if row_is_point(shape):
        K = np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])
        return float(1 / body[0] + np.linalg.eigvalsh(K.T @ inverse @ K)[-1])
    reach = float(np.linalg.norm(arm)) + (shape[20] if np.isfinite(shape[20]) else 0.0)
    return float(1 / body[0] + reach * reach * np.linalg.eigvalsh(inverse)[-1])


def row_is_point(row: Array) -> bool:
    """Whether a row of `shapes` is a surface point: a sphere without radius."""
    return bool(row[0] == 0 and row[2] == 0)
