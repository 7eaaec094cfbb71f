"""Grasp: where an object is touched, with what friction, and the grasp matrix that follows (Chan 1998, 2.13; E5 to E7 corrected).

Forces are those on the object, in contact frames whose z points into it. A contact has 1 component (frictionless: normal), 3
(hard: two tangential, normal) or 4 (soft: and the torque about the normal), in that order.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import finite_array
from carpal.contact.contact_frames import contact_frame, grasp_rows, hand_jacobian_rows
from carpal.errors import InputError, unknown_name
from carpal.model import Model, need_model
from carpal.spatial import Array

TIPS = {"frictionless": (2,), "hard": (0, 1, 2), "soft": (0, 1, 2, 5), "elliptic": (0, 1, 2, 5)}
"""Kinds of tips, with the components of a wrench in the contact frame that each transmits."""
MOST_CONTACTS = 200


@dataclass(frozen=True, eq=False)
class Grasp:
    """The contacts of one object.

    Args:
        points: (n, 3) [m] in W.
        normals: (n, 3) in W, into the object; any length but zero.
        mu: friction, one number or (n).
        tip: "frictionless", "hard", "soft" or "elliptic", one name or one for each contact. A soft tip holds |torque| up to
            torsion f_n whatever the tangential force is, as the modal engine has it; an elliptic one holds
            (|f_t| / mu)^2 + (torque / torsion)^2 up to f_n^2.
        torsion: [m], one number or (n); above zero for soft and elliptic tips.
        centre: (3) [m] in W where wrenches are taken, the object's centre of mass; by default the mean of the points.

    Example:
        >>> grasp = Grasp([[-0.03, 0, 0], [0.03, 0, 0]], [[1, 0, 0], [-1, 0, 0]], mu=0.6, tip="soft", torsion=0.004)
        >>> force_closure(grasp)
    """

    points: ArrayLike
    normals: ArrayLike
    mu: ArrayLike = 0.6
    tip: str | tuple[str, ...] = "hard"
    torsion: ArrayLike = 0.0
    centre: ArrayLike | None = None
    R_WC: Array = field(init=False, repr=False)
    components: tuple[tuple[int, ...], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        points, normals = finite_array("points", self.points, (3,)), finite_array("normals", self.normals, (3,))
        if points.ndim != 2 or points.shape != normals.shape or not 1 <= len(points) <= MOST_CONTACTS:
            raise InputError(
                f"a grasp needs points (n, 3) and normals (n, 3) of 1 to {MOST_CONTACTS} contacts; got {points.shape} and "
                f"{normals.shape}."
            )
        n = len(points)
        tips = (self.tip,) * n if isinstance(self.tip, str) else tuple(self.tip)
        if len(tips) != n:
            raise InputError(f"tip must be one name or one for each of {n} contacts; got {len(tips)}.")
        for name in tips:
            if name not in TIPS:
                raise unknown_name("tip of a grasp", name, TIPS)
        mu, torsion = (_one_each(name, getattr(self, name), n) for name in ("mu", "torsion"))
        for k, name in enumerate(tips):
            turns = name in ("soft", "elliptic")
            if turns != (torsion[k] > 0):
                raise InputError(
                    f"torsion must be above zero [m] at soft and elliptic tips and zero elsewhere; contact {k} is '{name}' "
                    f"and has {torsion[k]:g}."
                )
            if name == "elliptic" and not mu[k] > 0:
                raise InputError(f"an elliptic tip needs mu above zero; contact {k} has {mu[k]:g}.")
        centre = points.mean(axis=0) if self.centre is None else finite_array("centre", self.centre, (3,))
        if centre.shape != (3,):
            raise InputError(f"centre must be 3 numbers [m]; got shape {centre.shape}.")
        for name, value in (("points", points), ("mu", mu), ("torsion", torsion), ("centre", centre), ("tip", tips)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "R_WC", np.asarray(contact_frame(normals)))
        object.__setattr__(self, "normals", self.R_WC[:, :, 2].copy())
        object.__setattr__(self, "components", tuple(_components(tips[k], float(mu[k])) for k in range(n)))

    def __len__(self) -> int:
        return len(self.components)

    @property
    def width(self) -> int:
        """How many force components all contacts have together."""
        return sum(map(len, self.components))

    def slices(self) -> list[slice]:
        """Where the components of each contact are in a vector of contact forces."""
        ends = np.cumsum([0, *map(len, self.components)])
        return [slice(int(a), int(b)) for a, b in itertools.pairwise(ends)]

    def world_forces(self, forces: ArrayLike) -> Array:
        """Contact forces (width) as forces (n, 3) [N] on the object in W."""
        f, full = checked_forces(self, forces), np.zeros((len(self), 6))
        for k, where in enumerate(self.slices()):
            full[k, list(self.components[k])] = f[where]
        return np.asarray(np.einsum("nij,nj->ni", self.R_WC, full[:, :3]))


def grasp_matrix(grasp: Grasp) -> Array:
    """G (6, width): contact forces to the wrench on the object, (force, torque about `centre`) in world axes [N, N m]."""
    rows = np.asarray(grasp_rows(grasp.R_WC, grasp.points, np.broadcast_to(np.asarray(grasp.centre), (len(grasp), 3))))
    return np.concatenate([rows[k][list(kept)] for k, kept in enumerate(grasp.components)]).T


def grasp_jacobian(grasp: Grasp, hand: Model, q: ArrayLike, frames: tuple[str, ...]) -> Array:
    """J (width, nv): joint rates to velocities at the contacts; contact forces f load the joints with -J.T f.

    Args:
        grasp: whose contacts.
        hand: what touches.
        q: (nq) of it.
        frames: of each contact a frame of the hand on the body that touches.
    """
    need_model(hand, "grasp_jacobian")
    if isinstance(frames, str) or len(frames) != len(grasp):
        raise InputError(
            f"frames must name one frame of the hand for each of {len(grasp)} contacts; got {frames!r:.80}."
        )
    rows = []
    points = np.asarray(grasp.points)
    for k, frame in enumerate(frames):
        J = np.asarray(hand_jacobian_rows(hand, q, frame, grasp.R_WC[k], points[k]))
        rows.append(J[list(grasp.components[k])])
    return np.concatenate(rows)


def checked_forces(grasp: Grasp, forces: ArrayLike) -> Array:
    """Contact forces (width), or one clear sentence."""
    f = np.asarray(finite_array("forces", forces, (grasp.width,)))
    if f.shape != (grasp.width,):
        raise InputError(f"forces of this grasp must be ({grasp.width},); got {f.shape}.")
    return f


def checked_wrench(wrench: ArrayLike) -> Array:
    """A wrench (6), or one clear sentence."""
    w = np.asarray(finite_array("wrench", wrench, (6,)))
    if w.shape != (6,):
        raise InputError(f"a wrench has 6 numbers (force, torque); got shape {w.shape}.")
    return w


def _components(tip: str, mu: float) -> tuple[int, ...]:
    """What a tip transmits; without friction a hard one is frictionless."""
    kept = TIPS[tip]
    return kept if mu > 0 else tuple(k for k in kept if k not in (0, 1))


def _one_each(name: str, values: ArrayLike, n: int) -> Array:
    array = np.asarray(finite_array(name, values, ()))
    if array.shape not in ((), (n,)) or (array < 0).any():
        raise InputError(f"{name} must be one number or {n}, zero or above; got {values!r:.60}.")
    return np.broadcast_to(array, (n,)).astype(float)
