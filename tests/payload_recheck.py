"""A way with a payload looked at anew by MuJoCo: every look, every angle of its set. Needs mujoco, numpy and carpal."""

from __future__ import annotations

import mujoco
import numpy as np

from carpal.planning.payload import AngleSet, PayloadScene


class Recheck:
    """The scene with the payload as a last hinge, as MuJoCo reads it; pairs that do not count are left out by name."""

    def __init__(self, scene: PayloadScene) -> None:
        model = scene.tables.model
        self.scene = scene
        self.model = mujoco.MjModel.from_xml_string(model.to_mjcf())
        self.data = mujoco.MjData(self.model)
        names = {name: i for i, name in enumerate(scene.tables.names)}
        self.index = np.array([
            names.get(mujoco.mj_id2name(self.model, mujoco.mjtObj.mjOBJ_GEOM, i), -1) for i in range(self.model.ngeom)
        ])  # fmt: skip
        assert set(self.index) >= set(range(len(names))), "every shape is a geom of the same name"
        self.counts = {tuple(sorted(pair)) for pair in scene.tables.pairs[:, :2].tolist()}

    def deepest(self, q: np.ndarray, angles: np.ndarray) -> float:
        """How deep [m] anything that counts overlaps at one configuration for any of the angles."""
        worst = 0.0
        for angle in angles:
            self.data.qpos[:-1], self.data.qpos[-1] = q, angle
            mujoco.mj_kinematics(self.model, self.data)
            mujoco.mj_collision(self.model, self.data)
            for contact in self.data.contact[: self.data.ncon]:
                a, b = sorted((int(self.index[contact.geom1]), int(self.index[contact.geom2])))
                if (a, b) in self.counts:
                    worst = max(worst, -contact.dist)
        return worst

    def along(self, history, step: float, angle_step: float) -> tuple[float, int]:
        """Deepest overlap [m] and looks along the recorded way; between looks no point of the arm moves beyond a step [m]."""
        reach = 1.3  # [m] no point of the arm or the payload is farther from a joint's axis
        worst, looks = 0.0, 0
        for k in range(1, len(history)):
            a, b = history.q[k - 1], history.q[k]
            count = max(1, int(np.ceil(reach * np.abs(b - a).sum() / step)))
            angles = AngleSet(history.states[k]).samples(angle_step)
            for t in np.linspace(0, 1, count + 1):
                worst = max(worst, self.deepest(a + t * (b - a), angles))
                looks += len(angles)
        return worst, looks
