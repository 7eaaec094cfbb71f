"""The catcher for MuJoCo: the same masses, shapes, gains and contact law as the penalty plant, in joint coordinates.

A finger's joints follow the linkage's exact curve by polynomial equalities; its actuator is a tendon between the linkage's own
two pins, so lengths and levers are exact. Contacts are explicit pairs of the ball with every surface. MuJoCo's contact is
a reference acceleration a = -b v - k r, so with k / m and c / m of the ball's mass m it is the same mass on the same
spring and damper where the other side is heavy; light phalanges meet a proportionally softer one. Its friction has no anchors.
Air drag is a force on the ball, as in the penalty plant (MuJoCo's own fluid forces need a body's equivalent box).
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from carpal.engines import Contact
from carpal.errors import InputError
from carpal.kinematics import fk
from carpal.labs.catch.catcher_numbers import CatcherNumbers
from carpal.labs.catch.hand_geometry import FINGERS, THUMB_D, THUMB_P, finger_linkage
from carpal.labs.catch.kernels.ball import AIR
from carpal.labs.catch.robot import coupling
from carpal.labs.catch.scene import COMMANDS, catcher_tree, vector
from carpal.model import Model
from carpal.spatial import Array, inverse

IMPEDANCE = 0.99
"""Share of the reference acceleration that a contact reaches; the rest lets MuJoCo's solver stay soft."""
EQUALITY_TIME = 4.0
"""Time constant of the finger couplings, in steps; MuJoCo asks for two or more."""


def catcher_mjcf(tree: Model, numbers: CatcherNumbers, dt: float) -> str:
    """MJCF text of a `catcher_tree` with contacts, couplings, springs and actuators.

    Args:
        tree: the catcher as a tree.
        numbers: what it is made of.
        dt: step [s].
    """
    text = re.sub(r"<option ", f'<option timestep="{dt!r}" integrator="implicitfast" cone="elliptic" ', tree.to_mjcf())
    text = text.replace("  <custom>", '  <default><joint solreflimit="0.004 1"/></default>\n  <custom>', 1)
    text = re.sub(r"(<geom )", r'\1contype="0" conaffinity="0" ', re.sub(r' con(type|affinity)="\d+"', "", text))
    head, end, tail = text.rpartition("</mujoco>")
    lines = [*_contacts(tree, numbers), *_couplings(dt), *_tendons(numbers), *_actuators(tree, numbers)]
    return head + "\n".join([*lines, end]) + tail


def _contacts(tree: Model, numbers: CatcherNumbers) -> list[str]:
    mass = numbers.ball_mass
    solref = f"{-numbers.contact_stiffness / mass!r} {-numbers.contact_damping / mass!r}"
    rest = f'condim="3" friction="{f"{numbers.friction!r} " * 2}0.005 0.0001 0.0001" solref="{solref}" '
    rest += f'solimp="{IMPEDANCE} {IMPEDANCE} 0.001 0.5 2"'
    touched = [shape.name for shape in tree.shapes if shape.collides and shape.body != "ball"]
    return ["  <contact>", *(f'    <pair geom1="{name}" geom2="ball" {rest}/>' for name in touched), "  </contact>"]


def _couplings(dt: float) -> list[str]:
    lines = ["  <equality>"]
    for finger in FINGERS:
        for phalanx, coefficients in zip(("middle", "distal"), coupling(finger)[0], strict=True):
            numbers = " ".join(repr(float(c)) for c in coefficients)
            lines.append(
                f'    <joint joint1="{finger}/{phalanx}" joint2="{finger}/proximal" polycoef="{numbers}" '
                f'solref="{EQUALITY_TIME * dt!r} 1" solimp="0.99 0.999 0.001 0.5 2"/>'
            )
    return [*lines, "  </equality>"]


def _tendons(numbers: CatcherNumbers) -> list[str]:
    lines = ["  <tendon>"]
    for finger in FINGERS:
        lines += [f'    <spatial name="{finger}">', f'      <site site="{finger}/M"/>']
        lines += [f'      <site site="{finger}/L"/>', "    </spatial>"]
    for finger in FINGERS:
        for spring in finger_linkage(finger).springs:
            stiffness = spring.stiffness * numbers.spring_scale
            stiff = f'stiffness="{stiffness!r}" damping="{spring.damping!r}" springlength="{spring.rest!r}"'
            lines += [
                f'    <fixed name="{finger}/{spring.name}" {stiff}>',
                f'      <joint joint="{finger}/{spring.b}" coef="1"/>',
                "    </fixed>",
            ]
    return [*lines, "  </tendon>"]


def _actuators(tree: Model, numbers: CatcherNumbers) -> list[str]:
    """In the order of the commands; a position servo whose set point the wanted rate moves ahead by D/P."""
    arm = tree.joint_names[:6]
    rows = [(f'joint="{name}"', P, D) for name, P, D in zip(arm, numbers.arm_P, numbers.arm_D, strict=True)]
    rows += [(f'tendon="{f}"', finger_linkage(f).drive.P, finger_linkage(f).drive.D) for f in FINGERS]
    rows.append(('joint="thumb"', THUMB_P, THUMB_D))
    lines = ["  <actuator>"]
    for i, (on, P, D) in enumerate(rows):
        limit = numbers.torque_limit
        held = f' forcerange="{-limit!r} {limit!r}"' if i < 6 and np.isfinite(limit) else ""
        lines.append(
            f'    <general name="command_{i}" {on} gainprm="{P!r}" biastype="affine" biasprm="0 {-P!r} {-D!r}"{held}/>'
        )
    return [*lines, "  </actuator>"]


class MuJoCoCatcher:
    """The catcher in MuJoCo: give commands and rates, step, and read what the penalty plant's `measure` reads.

    Args:
        q, ball_position, ball_velocity, closed, numbers: as of `catcher`.
        dt: step [s].
    """

    def __init__(
        self,
        q: ArrayLike | None = None,
        ball_position: ArrayLike = (0.0, -5.0, 0.0),
        ball_velocity: ArrayLike = (0.0, 0.0, 0.0),
        *,
        closed: bool = False,
        numbers: CatcherNumbers | None = None,
        dt: float = 1e-4,
    ) -> None:
        import mujoco

        self.numbers, self.dt = numbers or CatcherNumbers(), float(dt)
        if not 0 < self.dt <= 1e-3:
            raise InputError(f"dt of the catcher in MuJoCo must be above 0 and at most 1e-3 s; got {dt!r:.40}.")
        self.tree = catcher_tree(q, ball_position, closed=closed, numbers=self.numbers)
        velocity = vector("ball_velocity", ball_velocity)
        self.mjcf = catcher_mjcf(self.tree, self.numbers, self.dt)
        self._mujoco = mujoco
        self.model: Any = mujoco.MjModel.from_xml_string(self.mjcf)
        self.model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
        self.data: Any = mujoco.MjData(self.model)
        mujoco.mj_resetDataKeyframe(self.model, self.data, 0)
        self._address = np.array([self.model.joint(name).qposadr[0] for name in self.tree.joint_names])
        self._ball = int(self.model.joint("ball").dofadr[0])
        self.data.qvel[self._ball : self._ball + 3] = velocity
        gains = self.model.actuator_gainprm[:, 0]
        self._ahead = -self.model.actuator_biasprm[:, 2] / gains
        self._dofs = np.array([self.model.joint(name).dofadr[0] for name in self.tree.joint_names[:6]])
        mujoco.mj_forward(self.model, self.data)

    def step(self, command: ArrayLike, rate: ArrayLike, steps: int = 1, torque: ArrayLike | None = None) -> None:
        """Some steps towards a command (11) that runs on at its rate (11); `torque` (6) [N m] is added on the arm.

        The ball is braked by the air as its numbers say (`drag`).
        """
        command, rate = np.asarray(command, float), np.asarray(rate, float)
        if command.shape != (COMMANDS,) or rate.shape != (COMMANDS,):
            raise InputError(f"command and rate need {COMMANDS} numbers each; got {command.shape} and {rate.shape}.")
        self.data.qfrc_applied[self._dofs] = 0.0 if torque is None else np.asarray(torque, float)
        ball, air = slice(self._ball, self._ball + 3), self.numbers.ball[AIR]
        for i in range(steps):
            self.data.ctrl[:] = command + rate * (i * self.dt) + self._ahead * rate
            v = self.data.qvel[ball]
            self.data.qfrc_applied[ball] = -air * np.sqrt(v @ v) * v
            self._mujoco.mj_step(self.model, self.data)

    @property
    def q(self) -> Array:
        """Configuration of `tree`."""
        qpos = self.data.qpos
        ball = int(self._address[-1])
        return np.concatenate([qpos[self._address[:-1]], qpos[ball : ball + 7]])

    @property
    def arm_angles(self) -> Array:
        """Joint angles (6) [rad]."""
        return np.array(self.data.qpos[self._address[:6]])

    @property
    def hand_pose(self) -> Array:
        """X_WH (4, 4)."""
        return fk(self.tree, self.q, "palm")

    @property
    def ball_position(self) -> Array:
        """Centre of the ball (3) [m] in W."""
        return self.q[-7:-4]

    @property
    def contact_force(self) -> float:
        """Of all contacts on the ball together [N]."""
        return float(np.linalg.norm(self.data.qfrc_constraint[self._ball : self._ball + 3]))

    def ball_contacts(self) -> list[Contact]:
        """What touches the ball now; the world's side is the bin."""
        found, row = [], np.zeros(6)
        ball = self.model.body("ball").id
        for index in range(self.data.ncon):
            each = self.data.contact[index]
            a, b = (int(self.model.geom_bodyid[geom]) for geom in (each.geom1, each.geom2))
            self._mujoco.mj_contactForce(self.model, self.data, index, row)
            R = np.array(each.frame).reshape(3, 3)  # its first row is the normal from 1 into 2
            side = 1.0 if b == ball else -1.0
            other = a if b == ball else b
            name = self.model.body(other).name if other else ""
            depth, force = max(0.0, -float(each.dist)), side * (row[:3] @ R)
            point, normal, push = (tuple(float(x) for x in v) for v in (each.pos, -side * R[0], -force))
            found.append(Contact("ball", name, "", point, normal, depth, push))
        return found

    @property
    def ball_in_hand(self) -> Array:
        """Centre of the ball (3) [m] in the hand frame."""
        return (inverse(self.hand_pose) @ [*self.ball_position, 1.0])[:3]
