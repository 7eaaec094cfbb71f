"""Ray casts: what a ray meets first, among the shapes of a model, or on one shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from carpal._core.arrays import finite_array, finite_poses
from carpal._core.batch import KernelInput, run_batch
from carpal._core.result import Result
from carpal.contact.kernels import kinds
from carpal.contact.kernels.rays import RAY_BASE, RAY_COLUMNS, RAY_KIND, RAY_POSITION, RAY_ROTATION, RAY_SIZE, ray_batch
from carpal.contact.shape_numbers import packed_shape
from carpal.contact.trees import MeshPack
from carpal.errors import InputError
from carpal.kinematics import fk
from carpal.model import ConvexMesh, Model, PlacedShape, Scene, Shape, TriangleMesh, wrong_scene
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class RayHits(Result):
    """What rays met first.

    Args:
        hit: (*batch) whether a ray met anything.
        distance: (*batch) [m] from the origin; infinite where nothing was met.
        p_WH: (*batch, 3) where, in the world [m]; NaN where nothing was met.
        normal_W: (*batch, 3) outward unit normal there; zero where nothing was met.
        shape: (*batch) number of the shape in `names`; -1 where nothing was met.
        face: (*batch) number of a mesh's triangle; -1 where there is none.
        names: of the shapes.
    """

    hit: np.ndarray
    distance: Array
    p_WH: Array
    normal_W: Array
    shape: np.ndarray
    face: np.ndarray
    names: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether every ray met something."""
        return bool(self.hit.all())

    @property
    def status(self) -> str:
        """One sentence."""
        if self.hit.shape == ():
            if not self.hit:
                return "the ray meets nothing."
            return f"the ray meets '{self.names[int(self.shape)]}' after {float(self.distance):.6g} m."
        return f"{int(self.hit.sum())} of {self.hit.size} rays meet something."


def cast_rays(
    target: Scene | Model | Shape,
    origins: ArrayLike,
    directions: ArrayLike,
    *,
    q: ArrayLike | None = None,
    X_WS: ArrayLike | None = None,
    limit: float = np.inf,
    device: str = "cpu",
    threads: int | None = None,
) -> RayHits:
    """Where rays first cross a surface; a ray that begins inside a solid meets its wall on its exit.

    Args:
        target: a Scene or Model, whose shapes are all seen (those that do not collide as well), or one Shape.
        origins: (*batch, 3) in the world [m].
        directions: (*batch, 3), of any length but zero.
        q: configuration (nq) of the model; `q_home` by default.
        X_WS: pose (4, 4) of a single shape; at the world's origin by default.
        limit: what is farther [m] is not seen.
        device: "cpu" or "cuda".
        threads: CPU threads; all cores by default.

    Example:
        >>> print(cast_rays(Sphere(0.1), [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]))
        the ray meets 'sphere' after 0.9 m.
    """
    if not isinstance(limit, int | float | np.number) or not limit >= 0:
        raise InputError(f"limit must be a distance, zero or above [m]; got {limit!r:.60}.")
    d = finite_array("directions", directions, (3,))
    largest = np.abs(d).max(axis=-1, keepdims=True)
    if (largest == 0).any():
        raise InputError("directions hold a zero vector; a ray needs a direction.")
    d = d / largest  # first, so that no square over- or underflows
    d = d / np.linalg.norm(d, axis=-1, keepdims=True)
    placed, poses = _placed(target, q, X_WS)
    table, pack = ray_table(placed, poses)
    points, normals, boxes = pack.tables()
    (out,) = run_batch(
        None, ray_batch, (table, boxes, points, normals, float(limit)), [KernelInput("origins", origins, (3,)),
         KernelInput("directions", d, (3,))],
        [(9,)], device=device, threads=threads, world_seconds=1e-7 + 1e-7 * len(placed),
    )  # fmt: skip
    shape = out[..., 7].astype(np.int64)
    return RayHits(
        shape >= 0, out[..., 0], out[..., 1:4], out[..., 4:7], shape, out[..., 8].astype(np.int64),
        tuple(one.name for one in placed),
    )  # fmt: skip


def _placed(
    target: Scene | Model | Shape, q: ArrayLike | None, X_WS: ArrayLike | None
) -> tuple[list[PlacedShape], list[Array]]:
    """Shapes and their poses in the world."""
    if isinstance(target, Shape):
        if q is not None:
            raise InputError("q belongs to a model; a single shape is placed by X_WS.")
        X = np.eye(4) if X_WS is None else finite_poses("X_WS", X_WS)
        if X.shape != (4, 4):
            raise InputError(f"X_WS must be one pose (4, 4); got shape {X.shape}.")
        return [PlacedShape(target.kind, None, target)], [X]
    model = target.build() if isinstance(target, Scene) else target
    if not isinstance(model, Model):
        raise wrong_scene(target, "cast_rays", "a Scene, a Model or a Shape")
    if X_WS is not None:
        raise InputError("X_WS belongs to a single shape; the shapes of a model are placed by q.")
    configuration = np.asarray(model.q_home) if q is None else finite_array("q", q, (model.nq,))
    if configuration.shape != (model.nq,):
        raise InputError(f"q must be one configuration of {model.nq} numbers; got shape {configuration.shape}.")
    if not model.shapes:
        raise InputError(f"model '{model.name}' has no shapes, so there is nothing that a ray could meet.")
    bodies = {shape.body for shape in model.shapes}
    at = {body: np.eye(4) if body is None else fk(model, configuration, body) for body in bodies}
    return list(model.shapes), [at[shape.body] @ shape.X_BS for shape in model.shapes]


def ray_table(placed: list[PlacedShape], poses: list[Array]) -> tuple[Array, MeshPack]:
    """The table of `ray_batch`, and the meshes that it refers to."""
    table, pack = np.zeros((len(placed), RAY_COLUMNS)), MeshPack()
    for row, one, X in zip(table, placed, poses, strict=True):
        if isinstance(one.shape, ConvexMesh | TriangleMesh):
            row[RAY_KIND] = kinds.CONVEX if isinstance(one.shape, ConvexMesh) else kinds.TRIANGLES
            row[RAY_BASE] = pack.add(one.shape)[2]
        else:
            numbers = packed_shape(one.shape)
            row[RAY_KIND] = numbers.kind
            row[RAY_SIZE : RAY_SIZE + 3] = numbers.size
        row[RAY_ROTATION : RAY_ROTATION + 9] = X[:3, :3].ravel()
        row[RAY_POSITION : RAY_POSITION + 3] = X[:3, 3]
    return table, pack
