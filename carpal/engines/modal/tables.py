"""Build the tables of the modal kernels from a model (layout: `engines/modal/kernels/contact_table.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from carpal.contact import ContactTables, contact_tables, packed_shape
from carpal.engines.engine import fastest
from carpal.engines.modal.constraint_tables import (
    connections,
    constraint_table,
    fixed_tendons,
    lifted_table,
    tendon_table,
)
from carpal.engines.modal.kernels import contact_table as columns
from carpal.engines.pair_surfaces import SurfaceKey, surfaces_of_pairs
from carpal.engines.surface import Surface
from carpal.errors import InputError
from carpal.model import NV, Model
from carpal.spatial import Array


@dataclass(frozen=True, eq=False)
class ModalTables:
    """The tables of a model for the modal kernels.

    Args:
        contact: shapes and pairs.
        trees, order, owner, dofs, surfaces: see the kernels.
        robots: whether there is anything but single free bodies: 0 none, 1 some, 2 some whose gravity is compensated.
        robot_rows: rows of the model's tables up to the last that is no single free body; only these need a mass matrix.
        widest: most freedoms of one tree.
        constraints, tendons, lifted: see `kernels/constraint_table.py`.
        held_names: for each row of couplings and loops what it belongs to, for messages.
    """

    contact: ContactTables
    trees: np.ndarray
    order: np.ndarray
    owner: np.ndarray
    dofs: Array
    surfaces: Array
    robots: int
    robot_rows: int
    widest: int
    constraints: Array
    tendons: Array
    lifted: Array
    held_names: tuple[str, ...]

    @property
    def dofs_of_robots(self) -> int:
        """Freedoms in the first `robot_rows` rows, one at least."""
        joints, total = self.contact.model.tables.joints, self.contact.model.nv
        return max(1, int(joints[self.robot_rows, 3]) if self.robot_rows < len(joints) else total)

    @property
    def held_rows(self) -> int:
        """Rows of couplings and loops, one at least."""
        return max(1, len(self.held_names))

    @property
    def pair_count(self) -> int:
        """Pairs of shapes that may touch."""
        return len(self.contact.pairs)

    def pair_bodies(self, pair: int) -> tuple[str, str]:
        """Names of the two bodies of a pair ("" is the world), of a joint's body twice at its stop, of a tendon at its limit."""
        if pair >= self.pair_count:
            dof = (pair - self.pair_count) // 2
            model = self.contact.model
            if dof >= model.nv:
                name = fixed_tendons(model)[dof - model.nv].name
                return name, name
            name = [body.name for body in model.bodies for _ in range(NV[body.joint.kind])][dof]
            return name, name
        a, b = self.contact.pairs[pair, :2]
        return self.contact.bodies[a] or "", self.contact.bodies[b] or ""


def modal_tables(
    model: Model,
    surface: Surface,
    surfaces: Mapping[SurfaceKey, Surface],
    gains: Mapping[str, Array],
    *,
    limits: bool,
    damping: bool,
    friction_speed: float,
    dt: float,
) -> ModalTables:
    """Pack a model: one tree of freedoms per robot or object, a surface per pair of shapes.

    Args:
        model: with inertias.
        surface: default of all pairs.
        surfaces: by the name of a shape, body or robot, or by two of them; later ones override earlier ones.
        gains: "stiffness", "damping" and "floats" (whether gravity is compensated), each (nv).
        limits: whether joints stop.
        damping: whether the joints' own damping and friction act.
        friction_speed: over which Coulomb friction of joints is smoothed.
        dt: step [s].
    """
    for shape in model.shapes:
        if shape.collides and shape.shape.kind == "triangles":
            raise InputError(
                f"shape '{shape.name}' is a triangle mesh, which is not convex; the modal engine takes convex shapes: split "
                "it into convex pieces, or set collides=False."
            )
    contact = contact_tables(model)
    joints = model.tables.joints
    owner, roots = _owners(joints, connections(model))
    trees, order = _trees(model, owner, roots)
    owner_table = np.array(owner, np.int64)
    dofs = _dofs(model, gains, limits, damping, friction_speed, dt)
    constraints, held_names = constraint_table(model, owner, trees)
    robots = 0 if (trees[:, columns.TREE_SINGLE] > 0).all() else 2 if gains["floats"].any() else 1
    return ModalTables(
        contact=contact,
        trees=trees,
        order=order,
        owner=owner_table,
        dofs=dofs,
        surfaces=_surfaces(contact, surface, surfaces),
        robots=robots,
        robot_rows=max([0, *(row for row in range(1, len(joints)) if not trees[owner[row], columns.TREE_SINGLE])]) + 1,
        widest=int(trees[:, columns.TREE_COUNT].max()),
        constraints=constraints,
        tendons=tendon_table(model, owner, trees, order, friction_speed),
        lifted=lifted_table(model),
        held_names=held_names,
    )


def _owners(joints: np.ndarray, connected: Sequence[tuple[int, ...]]) -> tuple[list[int], list[int]]:
    """Tree of each row (-1: the world), and the first row of each tree; connected rows are in one tree."""
    root = [0]
    for row in range(1, len(joints)):
        parent = int(joints[row, 1])
        root.append(row if parent == 0 else root[parent])
    for rows in connected:
        together = {root[row] for row in rows if row > 0}
        root = [min(together) if first in together else first for first in root]
    roots = sorted(set(root[1:]))
    return [-1, *(roots.index(first) for first in root[1:])], roots


def _trees(model: Model, owner: Sequence[int], roots: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    joints, bodies, lifted = model.tables.joints, model.tables.bodies, lifted_table(model)
    widths = [0, *(w for w in (NV[body.joint.kind] for body in model.bodies) if w)]
    freedoms: list[list[int]] = [[] for _ in roots]
    for row in range(1, len(joints)):
        freedoms[owner[row]] += range(int(joints[row, 3]), int(joints[row, 3]) + widths[row])
    trees = np.zeros((len(roots), columns.TREE_COLUMNS), np.int64)
    order = np.zeros((model.nv, 3), np.int64)
    first = 0
    for tree, (root, inside) in enumerate(zip(roots, freedoms, strict=True)):
        straight = np.array_equal(bodies[root, :9], np.eye(3).ravel()) and not bodies[root, 22]
        single = joints[root, 0] == 4 and owner.count(tree) == 1 and straight and not lifted[root : root + 1].any()
        trees[tree] = first, len(inside), root if single else 0, root, 0, 0
        for place, dof in enumerate(inside):
            order[first + place, columns.ORDER_DOF] = dof
            order[dof, columns.ORDER_PLACE], order[dof, columns.ORDER_TREE] = place, tree
        first += len(inside)
    return trees, order


def _dofs(
    model: Model, gains: Mapping[str, Array], limits: bool, damping: bool, friction_speed: float, dt: float
) -> Array:
    table = np.zeros((model.nv, columns.DOF_COLUMNS))
    table[:, columns.DOF_STIFFNESS], table[:, columns.DOF_FLOATS] = gains["stiffness"], gains["floats"]
    table[:, columns.DOF_SMOOTH], table[:, columns.DOF_FASTEST] = friction_speed, fastest(model, dt)
    table[:, columns.DOF_LOW], table[:, columns.DOF_HIGH], table[:, columns.DOF_Q] = -np.inf, np.inf, -1
    lever, iq, iv = _levers(model), 0, 0
    for body in model.bodies:
        joint = body.joint
        for k in range(NV[joint.kind]):
            row = table[iv + k]
            if damping:
                row[columns.DOF_DAMPING], row[columns.DOF_FRICTION] = joint.damping, joint.friction
            slides = joint.kind == "prismatic" or (joint.kind == "free" and k < 3)
            row[columns.DOF_LEVER] = 1.0 if slides else lever[body.name]
            if joint.kind in ("revolute", "prismatic"):
                row[columns.DOF_Q] = iq
                row[columns.DOF_SPRING], row[columns.DOF_SLACK] = joint.stiffness, joint.q_spring
                if limits:
                    row[columns.DOF_LOW], row[columns.DOF_HIGH] = joint.q_min, joint.q_max
        iq += {"ball": 4, "free": 7}.get(joint.kind, NV[joint.kind])
        iv += NV[joint.kind]
    table[:, columns.DOF_DAMPING] += gains["damping"]
    return table


def _levers(model: Model) -> dict[str, float]:
    """For each body a bound on the distance from its joint's axis to any point of what it carries [m]."""
    reach = {body.name: 0.0 for body in model.bodies}
    for shape in model.shapes:
        if shape.body is not None and shape.collides:
            form = packed_shape(shape.shape)
            size = float(np.linalg.norm(shape.X_BS[:3, 3]) + np.linalg.norm(form.centre) + form.radius)
            reach[shape.body] = max(reach[shape.body], size)
    for body in reversed(model.bodies):
        joint = body.joint
        own = reach[body.name] + float(np.linalg.norm(joint.X_JB[:3, 3]))
        reach[body.name] = own
        if body.parent is not None:
            far = own + float(np.linalg.norm(joint.X_PJ[:3, 3]))
            if joint.kind == "prismatic":
                far += max(abs(x) if np.isfinite(x) else 1.0 for x in (joint.q_min, joint.q_max))
            reach[body.parent] = max(reach[body.parent], far)
    return reach


def _surfaces(contact: ContactTables, surface: Surface, surfaces: Mapping[SurfaceKey, Surface]) -> Array:
    """A row for each pair of shapes."""
    pairs = [(int(a), int(b)) for a, b in contact.pairs[:, :2]]
    chosen = surfaces_of_pairs(contact.names, contact.bodies, pairs, surface, surfaces)
    return np.array([each.numbers for each in chosen]).reshape(-1, columns.SURFACE_COLUMNS)
