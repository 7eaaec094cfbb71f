"""From a Carpal model to the same robot in Pinocchio and in MuJoCo, and from Carpal's q and v to theirs.

Nothing here uses Carpal's kernels or tables: both robots are built from bodies and joints through the libraries' own
interfaces, so that a mistake in folding fixed joints or turning axes shows. Ball and free joints:

| | pose | linear velocity | angular velocity |
|---|---|---|---|
| Carpal | p, wxyz in the joint's frame J on the parent's side | J | J |
| Pinocchio | p, xyzw in J | child B | child B |
| MuJoCo | free: p, wxyz in the world; ball: wxyz in J | world | child B |

`rates(q)` is the matrix T with v_oracle = T v; then vdot_oracle = T vdot + bias(q, v) and tau = T^T tau_oracle.
"""

from __future__ import annotations

import abc

import mujoco
import numpy as np
import pinocchio as pin
from scipy.spatial.transform import Rotation

from carpal.model import NQ, NV, Body, Model


def matrix_of(wxyz: np.ndarray) -> np.ndarray:
    return Rotation.from_quat(wxyz, scalar_first=True).as_matrix()


def wxyz_of(R: np.ndarray) -> np.ndarray:
    return Rotation.from_matrix(R).as_quat(scalar_first=True)


def depth_first(model: Model) -> list[Body]:
    """Both libraries number joints depth first (Pinocchio's mass matrix relies on it)."""
    children: dict[str | None, list[Body]] = {}
    for body in model.bodies:
        children.setdefault(body.parent, []).append(body)
    order, stack = [], list(reversed(children[None]))
    while stack:
        body = stack.pop()
        order.append(body)
        stack.extend(reversed(children.get(body.name, [])))
    return order


class Oracle(abc.ABC):
    """What both converters share: the joints' places in Carpal's vectors and in the other library's."""

    def __init__(self, model: Model) -> None:
        self.carpal = model
        self.joints: list[tuple[Body, int, int]] = []  # body, first index in q, first index in v
        iq = iv = 0
        for body in model.bodies:
            if body.joint.kind != "fixed":
                self.joints.append((body, iq, iv))
                iq, iv = iq + NQ[body.joint.kind], iv + NV[body.joint.kind]

    @abc.abstractmethod
    def address(self, joint: str) -> tuple[int, int]:
        """First index of a joint in the other library's q and v."""

    @abc.abstractmethod
    def joint_q(self, body: Body, q: np.ndarray) -> np.ndarray:
        """One ball or free joint's coordinates, converted."""

    @abc.abstractmethod
    def joint_rates(self, body: Body, q: np.ndarray) -> np.ndarray:
        """One ball or free joint's block of T."""

    def q(self, q: np.ndarray) -> np.ndarray:
        out = np.zeros(self.carpal.nq)
        for body, iq, _ in self.joints:
            kind, (oq, _) = body.joint.kind, self.address(body.joint.name)
            part = q[iq : iq + NQ[kind]]
            out[oq : oq + NQ[kind]] = self.joint_q(body, part) if kind in ("ball", "free") else part
        return out

    def rates(self, q: np.ndarray) -> np.ndarray:
        T = np.zeros((self.carpal.nv, self.carpal.nv))
        for body, iq, iv in self.joints:
            kind, (_, ov) = body.joint.kind, self.address(body.joint.name)
            n = NV[kind]
            block = self.joint_rates(body, q[iq : iq + NQ[kind]]) if kind in ("ball", "free") else np.eye(1)
            T[ov : ov + n, iv : iv + n] = block
        return T

    def bias(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """(dT/dt) v; zero unless a linear velocity is expressed in a turning frame."""
        return np.zeros(self.carpal.nv)


class Pinocchio(Oracle):
    """The robot in Pinocchio. Mass that is fixed to the world is kept apart, because Pinocchio ignores it."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.model = pin.Model()
        self.model.gravity.linear = np.array(model.gravity)
        self.fixed_mass, self.fixed_moment = 0.0, np.zeros(3)
        place: dict[str | None, tuple[int, pin.SE3]] = {None: (0, pin.SE3.Identity())}
        armature: dict[str, float] = {}
        for body in depth_first(model):
            joint = body.joint
            number, X_KP = place[body.parent]
            X = X_KP * pin.SE3(np.array(joint.X_PJ))
            if joint.kind != "fixed":
                number = self.model.addJoint(number, self._joint(joint.kind, joint.axis), X, joint.name)
                X = pin.SE3.Identity()
                armature[joint.name] = joint.armature
            X = X * pin.SE3(np.array(joint.X_JB))
            place[body.name] = (number, X)
            inertia = pin.Inertia(body.inertia.mass, np.array(body.inertia.com), np.array(body.inertia.about_com))
            if number:
                self.model.appendBodyToJoint(number, inertia, X)
            else:
                self.fixed_mass += inertia.mass
                self.fixed_moment += inertia.mass * (X * inertia.lever)
            self.model.addFrame(pin.Frame(body.name, number, 0, X, pin.FrameType.BODY))
        for frame in model.extra_frames:
            number, X = place[frame.body]
            X_KF = X * pin.SE3(np.array(frame.X_BF))
            self.model.addFrame(pin.Frame(frame.name, number, 0, X_KF, pin.FrameType.OP_FRAME))
        rotor = np.zeros(model.nv)
        for name, value in armature.items():
            joint = self.model.joints[self.model.getJointId(name)]
            rotor[joint.idx_v : joint.idx_v + joint.nv] = value
        self.model.armature = rotor
        self.data = self.model.createData()

    @staticmethod
    def _joint(kind: str, axis: np.ndarray) -> object:
        if kind == "revolute":
            return pin.JointModelRevoluteUnaligned(np.array(axis))
        if kind == "prismatic":
            return pin.JointModelPrismaticUnaligned(np.array(axis))
        return pin.JointModelSpherical() if kind == "ball" else pin.JointModelFreeFlyer()

    def frame(self, name: str) -> int:
        return self.model.getFrameId(name)

    def address(self, joint: str) -> tuple[int, int]:
        found = self.model.joints[self.model.getJointId(joint)]
        return found.idx_q, found.idx_v

    def joint_q(self, body: Body, q: np.ndarray) -> np.ndarray:
        wxyz = q[-4:] / np.linalg.norm(q[-4:])
        return np.concatenate([q[:-4], wxyz[1:], wxyz[:1]])

    def joint_rates(self, body: Body, q: np.ndarray) -> np.ndarray:
        return np.kron(np.eye((len(q) - 1) // 3), matrix_of(q[-4:]).T)

    def bias(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        out, v_B = np.zeros(self.carpal.nv), self.rates(q) @ v
        for body, _, _ in self.joints:
            if body.joint.kind == "free":
                _, i = self.address(body.joint.name)
                out[i : i + 3] = -np.cross(v_B[i + 3 : i + 6], v_B[i : i + 3])
        return out


class MuJoCo(Oracle):
    """The robot in MuJoCo, through MjSpec. A MuJoCo body is a joint's moving frame; a site marks each Carpal body."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        spec = mujoco.MjSpec()
        spec.option.gravity = model.gravity
        spec.compiler.autolimits = False
        place: dict[str | None, tuple[object, np.ndarray]] = {None: (spec.worldbody, np.eye(4))}
        for body in model.bodies:
            joint = body.joint
            parent, X_KP = place[body.parent]
            X = X_KP @ joint.X_PJ
            mine = parent.add_body(name=body.name, pos=X[:3, 3], quat=wxyz_of(X[:3, :3]))
            if joint.kind != "fixed":
                kind = {"revolute": "HINGE", "prismatic": "SLIDE", "ball": "BALL", "free": "FREE"}[joint.kind]
                made = mine.add_joint(name=joint.name, type=getattr(mujoco.mjtJoint, f"mjJNT_{kind}"), axis=joint.axis)
                made.armature = joint.armature
            self._inertial(mine, body.inertia, joint.X_JB)
            self._site(mine, body.name, joint.X_JB)
            place[body.name] = (mine, joint.X_JB)
        for frame in model.extra_frames:
            owner, X_KB = place[frame.body]
            self._site(owner, frame.name, X_KB @ frame.X_BF)
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        assert (self.model.nq, self.model.nv) == (model.nq, model.nv)

    @staticmethod
    def _inertial(mine: object, inertia: object, X: np.ndarray) -> None:
        moments, axes = np.linalg.eigh(inertia.about_com)
        axes[:, 2] *= np.linalg.det(axes)  # right-handed
        mine.explicitinertial = True
        mine.mass, mine.inertia = inertia.mass, moments
        mine.ipos, mine.iquat = X[:3, :3] @ inertia.com + X[:3, 3], wxyz_of(X[:3, :3] @ axes)

    @staticmethod
    def _site(mine: object, name: str, X: np.ndarray) -> None:
        mine.add_site(name=name, pos=X[:3, 3], quat=wxyz_of(X[:3, :3]))

    def site(self, name: str) -> int:
        return mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_SITE, name)

    def address(self, joint: str) -> tuple[int, int]:
        number = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_JOINT, joint)
        return int(self.model.jnt_qposadr[number]), int(self.model.jnt_dofadr[number])

    def joint_q(self, body: Body, q: np.ndarray) -> np.ndarray:
        if body.joint.kind == "ball":
            return q / np.linalg.norm(q)
        X = body.joint.X_PJ
        return np.concatenate([X[:3, :3] @ q[:3] + X[:3, 3], wxyz_of(X[:3, :3] @ matrix_of(q[3:]))])

    def joint_rates(self, body: Body, q: np.ndarray) -> np.ndarray:
        turning = matrix_of(q[-4:]).T
        if body.joint.kind == "ball":
            return turning
        T = np.zeros((6, 6))
        T[:3, :3], T[3:, 3:] = body.joint.X_PJ[:3, :3], turning
        return T
