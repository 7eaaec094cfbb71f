"""The MJCF text that a model was read from, for MuJoCo itself: solver settings, friction, actuators with filters and the like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from carpal.errors import InputError
from carpal.model.parts import checked_pose
from carpal.model.plain_values import dict_in, pose_in, pose_out, text_in
from carpal.spatial import Array

LOOKS = frozenset(
    {"name", "tool", "tool_axis", "gravity", "q_home", "source", "notes", "visuals", "groups", "configurations"}
)
"""Arguments of Model that may change without making the file's text another robot."""


@dataclass(frozen=True, eq=False)
class NativeMjcf:
    """The text of an MJCF file, with everything included and the paths of its meshes written out.

    Args:
        text: the MJCF.
        bodies, joints: names in the model of MuJoCo's bodies (without the world) and joints, in MuJoCo's order.
        prefix: what a scene put before these names.
        mount: the body of the model that carries it; None: the world.
        X_MF: where its world stands on the mount.
        files: texts of the models that it attaches, by the names that it calls them.
    """

    text: str
    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    prefix: str = ""
    mount: str | None = None
    X_MF: Array = field(default_factory=lambda: np.eye(4))
    files: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str) or not self.text:
            raise InputError(f"a native file needs its text; got {type(self.text).__name__}.")
        object.__setattr__(self, "bodies", tuple(self.bodies))
        object.__setattr__(self, "joints", tuple(self.joints))
        object.__setattr__(self, "files", dict(self.files))
        object.__setattr__(self, "X_MF", checked_pose(self.X_MF, "X_MF of a native file"))

    def moved(self, X: Array) -> NativeMjcf:
        """The same text on a world that is moved by X (4, 4); what a body carries stays on it."""
        return self if self.mount is not None else replace(self, X_MF=X @ self.X_MF)

    def renamed(self, prefix: str, base: str | None) -> NativeMjcf:
        """The same text in a scene: a prefix before all names, and the body on which the robot's world stands."""
        mount = base if self.mount is None else prefix + self.mount
        return replace(self, prefix=prefix + self.prefix, mount=mount)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        names = {"bodies": list(self.bodies), "joints": list(self.joints), "files": dict(self.files)}
        return {"text": self.text, "prefix": self.prefix, "mount": self.mount, "X_MF": pose_out(self.X_MF)} | names

    @staticmethod
    def from_dict(data: dict[str, Any]) -> NativeMjcf:
        """From plain data."""
        return NativeMjcf(
            text_in(data["text"]),
            tuple(text_in(name) for name in data["bodies"]),
            tuple(text_in(name) for name in data["joints"]),
            text_in(data["prefix"]),
            None if data["mount"] is None else text_in(data["mount"]),
            pose_in(data["X_MF"]),
            {text_in(name): text_in(text) for name, text in dict_in(data.get("files", {}), "files").items()},
        )
