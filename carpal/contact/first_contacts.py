"""When two moving shapes first touch: `first_contact`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import finite_array, finite_poses
from carpal._core.batch import KernelInput, run_batch
from carpal.contact.kernels import first_contact as kernel
from carpal.contact.kernels.kinds import PLACED_COLUMNS, PLANE
from carpal.contact.kernels.pair import PAIR_SCRATCH
from carpal.contact.scene_queries import checked_length
from carpal.contact.shape_numbers import packed_shape
from carpal.contact.tables import shape_table
from carpal.errors import InputError
from carpal.model import Shape
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class FirstContact:
    """When, where and along which normal two shapes first touch; arrays have the batch's shape.

    Args:
        hit: (*batch) bool: they touch before the end. `bool(result)` is True where any do.
        time: (*batch) [s] of the first touch; the duration where there is none.
        distance: (*batch) [m] at that time; negative where they overlap from the beginning. Where there is no touch: a
            distance that they had on the path.
        p_WA, p_WB: (*batch, 3) [m] nearest points at that time.
        n_AB_W: (*batch, 3) unit normal from the first shape into the second.
        checks: (*batch) distance queries used.
    """

    hit: np.ndarray
    time: Array
    distance: Array
    p_WA: Array
    p_WB: Array
    n_AB_W: Array
    checks: np.ndarray

    def __bool__(self) -> bool:
        return bool(self.hit.any())

    @property
    def status(self) -> str:
        """One sentence."""
        if self.hit.ndim:
            return f"{int(self.hit.sum())} of {self.hit.size} pairs touch."
        if not self.hit:
            return f"no touch within {float(self.time):.4g} s."
        return f"they touch after {float(self.time):.6g} s at ({', '.join(f'{x:.4g}' for x in self.p_WA)}) m."

    def __str__(self) -> str:
        return self.status


def first_contact(
    shape_a: Shape,
    X_WA: ArrayLike,
    V_WA: ArrayLike,
    shape_b: Shape,
    X_WB: ArrayLike,
    V_WB: ArrayLike,
    duration: ArrayLike,
    *,
    tolerance: float = 1e-7,
    device: str = "cpu",
    threads: int | None = None,
) -> FirstContact:
    """Time of the first touch of two shapes that move with constant twists, by conservative advancement.

    Args:
        shape_a, shape_b: the shapes.
        X_WA, X_WB: their poses at the beginning (*batch, 4, 4).
        V_WA, V_WB: their twists (*batch, 6): velocity of the shape's origin, then angular velocity, in W [m/s, rad/s].
        duration: (*batch) [s] for which they move.
        tolerance: shapes at most this near [m] touch; the time found is early by what the last of it takes.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.
    """
    for name, shape in (("shape_a", shape_a), ("shape_b", shape_b)):
        if not isinstance(shape, Shape):
            raise InputError(f"{name} must be a Shape; got {type(shape).__name__}.")
    packed = packed_shape(shape_a), packed_shape(shape_b)
    tolerance = checked_length(tolerance, "tolerance")
    if tolerance <= 0:
        raise InputError(f"tolerance must be above zero [m]; got {tolerance!r}.")
    if packed[0].kind == packed[1].kind == PLANE:
        raise InputError("two planes have no first contact; one of the shapes must be finite.")
    times = np.asarray(duration)[..., None]
    if (finite_array("duration", times, (1,)) < 0).any():
        raise InputError(f"duration must be zero or above [s]; got {float(np.min(times))}.")
    motions = []
    for name, X, V, form in (("A", X_WA, V_WA, packed[0]), ("B", X_WB, V_WB, packed[1])):
        X, V = finite_poses(f"X_W{name}", X), finite_array(f"V_W{name}", V, (6,))
        if form.kind == PLANE and V[..., 3:].any():
            raise InputError("a plane cannot turn: far out it would move without bound.")
        batch = np.broadcast_shapes(X.shape[:-2], V.shape[:-1])
        R = np.broadcast_to(X[..., :3, :3].reshape(*X.shape[:-2], 9), (*batch, 9))
        p = np.broadcast_to(X[..., :3, 3], (*batch, 3))
        motions.append(np.concatenate([R, p, np.broadcast_to(V, (*batch, 6))], axis=-1))
    shapes, meshes = shape_table([(1, np.eye(4)), (2, np.eye(4))], packed, 0)
    (answer,) = run_batch(
        None,
        kernel.first_contact_batch,
        (shapes, meshes.points, meshes.normals, meshes.boxes, tolerance),
        [
            KernelInput("the motion of A", motions[0], (kernel.MOTION_COLUMNS,)),
            KernelInput("the motion of B", motions[1], (kernel.MOTION_COLUMNS,)),
            KernelInput("duration", times, (1,)),
        ],
        [(kernel.CONTACT_COLUMNS,)],
        scratch=[(2, PLACED_COLUMNS), PAIR_SCRATCH],
        device=device,
        threads=threads,
        world_seconds=1e-5,
    )
    status = answer[..., kernel.CONTACT_STATUS]
    if (status == kernel.UNDECIDED).any():
        raise InputError(
            f"undecided after {kernel.MOST_CHECKS} checks: the shapes graze each other; take a larger tolerance."
        )
    columns = kernel.CONTACT_A, kernel.CONTACT_B, kernel.CONTACT_NORMAL
    p_WA, p_WB, n_AB_W = (answer[..., c : c + 3] for c in columns)
    return FirstContact(
        status == kernel.TOUCHED, answer[..., kernel.CONTACT_TIME], answer[..., kernel.CONTACT_DISTANCE], p_WA, p_WB, n_AB_W,
        answer[..., kernel.CONTACT_CHECKS].astype(np.int64),
    )  # fmt: skip
