"""What an export writes: one motion with everything that is known about it, from a recording or a trajectory."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from carpal.engines import Contact, Event, Recording
from carpal.errors import InputError
from carpal.kinematics import fk
from carpal.model import NQ, NV, Model
from carpal.planning import Trajectory
from carpal.spatial import Array, wxyz_from_rotation

WORLD_NAMES = ("world", "map", "fixed_world")
"""Names for the world's frame; the first that no body has is taken."""
PLAIN_JOINTS = ("revolute", "prismatic")


@dataclass(frozen=True, eq=False)
class Motion:
    """Rows of a motion.

    Args:
        name: of what moves.
        time: (rows) [s], from 0 or later, rising.
        joints: (joint, first column in q, first column in v) of the joints with one coordinate.
        q, v: (rows, nq), (rows, nv).
        u: (rows, nv) controls; None where nothing is known of them.
        vdot: (rows, nv) accelerations; None where they are not known.
        model: what moves; None where only joints are known.
        series: further numbers by name, each (rows): energies, residuals.
        contacts: of each row; empty where there are none.
        events: all of them.
        metadata: plain data about how it came to be.
    """

    name: str
    time: Array
    joints: tuple[tuple[str, int, int], ...]
    q: Array
    v: Array
    u: Array | None = None
    vdot: Array | None = None
    model: Model | None = None
    series: dict[str, Array] = field(default_factory=dict)
    contacts: Sequence[tuple[Contact, ...]] = ()
    events: tuple[Event, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Of the joints with one coordinate."""
        return tuple(name for name, _, _ in self.joints)

    def of_joints(self, values: Array | None, *, coordinates: bool = False) -> Array | None:
        """The columns (rows, joints) of q (`coordinates`) or of v, u, vdot that belong to these joints."""
        return None if values is None else values[:, [i if coordinates else j for _, i, j in self.joints]]

    @property
    def world(self) -> str:
        """The name of the world's frame: one that no body has."""
        taken = set(self.model.frames) if self.model is not None else set()
        free = [name for name in WORLD_NAMES if name not in taken]
        return free[0] if free else WORLD_NAMES[0] + "_" * (1 + max(len(name) for name in taken))

    @functools.cached_property
    def poses(self) -> dict[str, Array]:
        """Pose X_WB (rows, 4, 4) of every body; none without a model."""
        return (
            {} if self.model is None else {body.name: fk(self.model, self.q, body.name) for body in self.model.bodies}
        )

    @functools.cached_property
    def turns(self) -> dict[str, Array]:
        """wxyz_WB (rows, 4) of every body, without jumps of sign."""
        return {name: _continuous(wxyz_from_rotation(X[:, :3, :3])) for name, X in self.poses.items()}


def motion_of(thing: Recording | Trajectory, model: Model | None = None, dt: float = 0.01) -> Motion:
    """The motion of a recording, or of a trajectory sampled every `dt` [s].

    Args:
        thing: a recording or a trajectory.
        model: of a trajectory, whose joints it moves; the joints that it does not name stay at home.
        dt: [s] between two samples of a trajectory.
    """
    if isinstance(thing, Recording):
        return _of_recording(thing)
    if isinstance(thing, Trajectory):
        return _of_trajectory(thing, model, dt)
    raise InputError(f"a Recording or a Trajectory is exported; got {type(thing).__name__}.")


def _of_recording(recording: Recording) -> Motion:
    model = recording.model
    if not len(recording):
        raise InputError("this recording is empty: there is nothing to export.")
    if recording.time[0] < 0 or (np.diff(recording.time) < 0).any():
        raise InputError("the times of a recording that is exported must rise from 0 or later.")
    series = {f"energy:{name}": values for name, values in recording.energy.items()}
    series |= {f"certificate:{name}": values for name, values in recording.certificates.items()}
    return Motion(
        model.name, recording.time, _joints(model), recording.q, recording.v, recording.u, None, model, series,
        recording.contacts, recording.events, {**recording.metadata, "ok": recording.ok, "status": recording.status},
    )  # fmt: skip


def _of_trajectory(trajectory: Trajectory, model: Model | None, dt: float) -> Motion:
    q, v, vdot = trajectory.sample(dt)
    time = np.minimum(dt * np.arange(len(q)), trajectory.duration)
    metadata = {"kind": trajectory.kind, "status": trajectory.status}
    if model is None:
        joints = tuple((name, i, i) for i, name in enumerate(trajectory.joint_names))
        return Motion(trajectory.kind, time, joints, q, v, None, vdot, None, metadata=metadata)
    known = {name: (i, j) for name, i, j in _joints(model)}
    strange = [name for name in trajectory.joint_names if name not in known]
    if strange:
        raise InputError(
            f"the trajectory moves '{strange[0]}', which is no joint with one coordinate of '{model.name}'; those are: "
            f"{', '.join(known)}."
        )
    full = np.tile(np.asarray(model.q_home), (len(q), 1)), np.zeros((len(q), model.nv)), np.zeros((len(q), model.nv))
    for k, name in enumerate(trajectory.joint_names):
        i, j = known[name]
        full[0][:, i], full[1][:, j], full[2][:, j] = q[:, k], v[:, k], vdot[:, k]
    return Motion(model.name, time, _joints(model), full[0], full[1], None, full[2], model, metadata=metadata)


def _joints(model: Model) -> tuple[tuple[str, int, int], ...]:
    found, i, j = [], 0, 0
    for body in model.bodies:
        kind = body.joint.kind
        if kind in PLAIN_JOINTS:
            found.append((body.joint.name, i, j))
        i, j = i + NQ[kind], j + NV[kind]
    return tuple(found)


def _continuous(wxyz: Array) -> Array:
    """Quaternions (rows, 4) with the sign of the row before."""
    signs = np.where((wxyz[1:] * wxyz[:-1]).sum(1) < 0, -1.0, 1.0)
    return wxyz * np.concatenate([[1.0], np.cumprod(signs)])[:, None]
