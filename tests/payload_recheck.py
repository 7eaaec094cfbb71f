"""A path with a payload checked again, for every angle of its sets: MuJoCo places and collides, Coal measures.

Imports numpy, mujoco and coal only; what it is told are arrays, names and MJCF. Samples lie on a grid: along the path no point
moves by more than a step [m] from one to the next, angles are no further apart than a turn [rad]. Not every sample needs a
sample. Take two shapes at a distance d at one sample. Until another one they come nearer by at most

    sum over the joints between them of |change of the joint| x (farthest point of the moved shape from that joint),

because a hinge moves a point by its angle times the distance from its axis at most, and a chain is never longer than the
sum of its links. Where d exceeds this for all pairs, the other sample is free: it is proven, and skipped. A block of samples is
checked in its middle, and halved until it is proven or a single sample; so every sample that overlaps is found.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import coal
import mujoco
import numpy as np

SLACK = 1e-5  # [m] taken off Coal's distances, whose tolerance is 1e-6


@dataclass
class Tally:
    """Samples of the grid; checks by MuJoCo; samples proven free without one; overlapping ones and the deepest [m]."""

    samples: int = 0
    checks: int = 0
    proven: int = 0
    overlaps: int = 0
    deepest: float = 0.0
    named: set[tuple[str, ...]] = field(default_factory=set)

    def add(self, other: Tally) -> None:
        """Sum up."""
        self.samples, self.checks, self.proven = (
            self.samples + other.samples,
            self.checks + other.checks,
            self.proven + other.proven,
        )
        self.overlaps, self.deepest = self.overlaps + other.overlaps, max(self.deepest, other.deepest)
        self.named |= other.named


class Recheck:
    """A scene whose last joint is the payload's.

    Args:
        mjcf: all hinges, anchored at their bodies' origins; boxes, capsules, spheres and planes (of the world).
        pairs: names of the shapes that must not overlap.
    """

    def __init__(self, mjcf: str, pairs: Iterable[tuple[str, str]]) -> None:
        self.model = m = mujoco.MjModel.from_xml_string(mjcf)
        self.data = mujoco.MjData(m)
        assert (m.jnt_type == mujoco.mjtJoint.mjJNT_HINGE).all() and not m.jnt_pos.any(), (
            "the bound is for hinges at origins"
        )
        self.names = [mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_GEOM, g) for g in range(m.ngeom)]
        index = {name: g for g, name in enumerate(self.names)}
        plane = mujoco.mjtGeom.mjGEOM_PLANE
        both = [(index[a], index[b]) for a, b in pairs]
        self.pairs = [(b, a) if m.geom_type[a] == plane else (a, b) for a, b in both]  # a plane comes second
        self.reach = [self._reach_of(g) for g in range(m.ngeom)]
        # [pair, joint] metres of approach per radian at most
        self.rates = np.array([self._rates_of(a, b) for a, b in self.pairs])
        self.turned = self.rates[:, -1] > 0
        self.planes = np.array([m.geom_type[b] == plane for _, b in self.pairs])
        self.a, self.b = np.array(self.pairs).T
        self.size = np.where(m.geom_type == plane, 0.0, m.geom_rbound)
        self.forms = [self._form(g) for g in range(m.ngeom)]
        self.request, self.result = coal.DistanceRequest(), coal.DistanceResult()
        self.request.enable_signed_distance = False

    def _form(self, g: int) -> object:
        kind, size = mujoco.mjtGeom(self.model.geom_type[g]), self.model.geom_size[g]
        if kind == mujoco.mjtGeom.mjGEOM_PLANE:
            return None
        if kind == mujoco.mjtGeom.mjGEOM_BOX:
            return coal.Box(*(2 * size))
        if kind == mujoco.mjtGeom.mjGEOM_CAPSULE:
            return coal.Capsule(size[0], 2 * size[1])
        if kind == mujoco.mjtGeom.mjGEOM_SPHERE:
            return coal.Sphere(size[0])
        raise ValueError(f"no way to measure a {kind.name}")

    def _reach_of(self, g: int) -> dict[int, float]:
        """By joint above a shape: the farthest that any of its points can be from the joint's axis [m]."""
        m, body = self.model, int(self.model.geom_bodyid[g])
        signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, m.geom_quat[g])
        corners = m.geom_pos[g] + (m.geom_aabb[g, :3] + signs * m.geom_aabb[g, 3:]) @ R.reshape(3, 3).T
        far, found = float(np.linalg.norm(corners, axis=1).max()), {}
        while body > 0:
            for joint in range(m.body_jntadr[body], m.body_jntadr[body] + m.body_jntnum[body]):
                own = body == m.geom_bodyid[g]
                across = np.linalg.norm(np.cross(corners, m.jnt_axis[joint]), axis=1).max()
                found[joint] = float(across) if own else far
            far += float(np.linalg.norm(m.body_pos[body]))
            body = int(m.body_parentid[body])
        return found

    def _rates_of(self, a: int, b: int) -> list[float]:
        """A joint above both moves them alike."""
        one, two = self.reach[a], self.reach[b]
        return [0.0 if (j in one) == (j in two) else one.get(j, 0.0) + two.get(j, 0.0) for j in range(self.model.njnt)]

    def place(self, q: np.ndarray, angle: float) -> None:
        """Everything at a configuration and an angle [rad]."""
        self.data.qpos[:-1], self.data.qpos[-1] = q, angle
        mujoco.mj_kinematics(self.model, self.data)

    def apart(self, pair: int) -> float:
        """Distance [m] of a pair where all is placed; not above zero where they overlap."""
        a, b = self.pairs[pair]
        x, R = self.data.geom_xpos, self.data.geom_xmat
        if self.planes[pair]:
            n = R[b].reshape(3, 3)[:, 2]
            along, size = np.abs(n @ R[a].reshape(3, 3)), self.model.geom_size[a]
            if self.model.geom_type[a] == mujoco.mjtGeom.mjGEOM_BOX:
                half = along @ size
            else:
                half = size[0] + along[2] * (size[1] if self.model.geom_type[a] == mujoco.mjtGeom.mjGEOM_CAPSULE else 0)
            return float(n @ (x[a] - x[b]) - half)
        self.result.clear()
        pose = [coal.Transform3s(R[g].reshape(3, 3), x[g]) for g in (a, b)]
        return coal.distance(self.forms[a], pose[0], self.forms[b], pose[1], self.request, self.result)

    def nearer_than(self, which: np.ndarray, need: np.ndarray) -> int:
        """The first of some pairs that is not farther apart than it needs to be [m], or -1; spheres around shapes come first."""
        x = self.data.geom_xpos
        a, b = self.a[which], self.b[which]
        between = x[a] - x[b]
        normals = self.data.geom_xmat[b][:, 2::3]
        gap = np.where(self.planes[which], (between * normals).sum(axis=1), np.linalg.norm(between, axis=1))
        close = np.flatnonzero(gap - self.size[a] - self.size[b] <= need)
        for k in close[np.argsort(gap[close])]:
            if self.apart(which[k]) <= need[k]:
                return int(which[k])
        return -1

    def overlap(self, counts: set[frozenset[int]], tally: Tally) -> bool:
        """Whether MuJoCo sees an overlap of one of some pairs where all is placed."""
        mujoco.mj_collision(self.model, self.data)
        deep = 0.0
        for k in range(self.data.ncon):
            contact = self.data.contact[k]
            pair = frozenset((int(contact.geom1), int(contact.geom2)))
            if pair in counts and contact.dist < 0:
                deep = max(deep, -float(contact.dist))
                tally.named.add(tuple(sorted(self.names[g] for g in pair)))
        tally.deepest = max(tally.deepest, deep)
        return deep > 0.0

    def block(self, q0: np.ndarray, q1: np.ndarray, steps: int, angles: np.ndarray, which: np.ndarray) -> Tally:
        """All samples of a straight piece in some steps, for angles in even steps, by halving."""
        tally, n, m = Tally(), steps + 1, len(angles)
        counts = {frozenset(self.pairs[pair]) for pair in which}
        move = self.rates[which][:, :-1] @ np.abs(q1 - q0) / steps  # [m] a step along the path
        turn = self.rates[which][:, -1] * (angles[1] - angles[0] if m > 1 else 0.0)
        checked: dict[tuple[int, int], bool] = {}
        waiting = [(0, n - 1, 0, m - 1)]
        while waiting:
            i0, i1, j0, j1 = waiting.pop()
            i, j = (i0 + i1) // 2, (j0 + j1) // 2
            self.place(q0 + (i / steps) * (q1 - q0), angles[j])
            if (i, j) not in checked:
                checked[i, j] = self.overlap(counts, tally)
                tally.overlaps += checked[i, j]
            single = i0 == i1 and j0 == j1
            need = (i1 - i) * move + (j1 - j) * turn + (0.0 if single else SLACK)
            pair = self.nearer_than(which, need)
            if single and pair >= 0 and not checked[i, j]:
                tally.overlaps += 1  # Coal sees what MuJoCo does not
                tally.named.add(tuple(sorted(self.names[g] for g in self.pairs[pair])))
            if single or pair < 0:
                continue
            k = int(np.flatnonzero(which == pair)[0])
            if ((i1 - i) * move[k] >= (j1 - j) * turn[k] and i1 > i0) or j1 == j0:
                waiting += [(i0, i, j0, j1), (i + 1, i1, j0, j1)]
            else:
                waiting += [(i0, i1, j0, j), (i0, i1, j + 1, j1)]
        tally.samples, tally.checks = n * m, len(checked)
        tally.proven = tally.samples - tally.checks
        return tally

    def along(self, q: np.ndarray, states: np.ndarray, waiting: np.ndarray, step: float, turn: float) -> Tally:
        """A recorded way.

        Args:
            q: (n, nq) samples of the planner, straight between them.
            states: (n, cells) above zero where the payload may be since the sample before; cell r is 2 pi / cells wide around
                2 pi (r / cells - 1 / 2).
            waiting: (cells) the set while waiting at the end.
            step: no point moves farther [m] between two samples.
            turn: angles are no further apart [rad].
        """
        tally = Tally()
        farthest = np.zeros(self.model.njnt - 1)
        for reach in self.reach:
            farthest = np.maximum(farthest, [reach.get(j, 0.0) for j in range(len(farthest))])
        held, bare = np.flatnonzero(self.turned), np.flatnonzero(~self.turned)
        pieces = [(q[0], q[0], states[0]), *zip(q[:-1], q[1:], states[1:], strict=True)]
        pieces.append((q[-1], q[-1], np.maximum(states[-1], waiting)))
        for a, b, cells in pieces:
            steps = max(1, int(np.ceil(farthest @ np.abs(b - a) / step)))
            alone = self.block(a, b, steps, np.zeros(1), bare)
            tally.add(Tally(checks=alone.checks, overlaps=alone.overlaps, deepest=alone.deepest, named=alone.named))
            for angles in runs(cells, turn):
                tally.add(self.block(a, b, steps, angles, held))
        return tally


def runs(cells: np.ndarray, turn: float) -> list[np.ndarray]:
    """Angles [rad] in even steps over each run of cells that hold something, ends included."""
    inside = np.concatenate([[False], np.asarray(cells) > 0, [False]])
    first, last = np.flatnonzero(inside[1:] & ~inside[:-1]), np.flatnonzero(~inside[1:] & inside[:-1])
    width = 2 * np.pi / len(cells)
    parts = []
    for a, b in zip(first, last, strict=True):
        count = int(np.ceil((b - a) * width / turn - 1e-9)) + 1
        parts.append(np.linspace((a - 0.5) * width - np.pi, (b - 0.5) * width - np.pi, count))
    return parts
