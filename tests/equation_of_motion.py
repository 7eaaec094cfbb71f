"""The equation of motion of free bodies, recomputed from a recording alone, with NumPy alone.

    python tests/equation_of_motion.py run.parquet

For each step of a recording with `every=1`: change of momentum and of spin about the mass centre against weight, drive forces and
the recorded contacts, whose collisions are forces over the step. Bodies are those with a free joint; frames at the mass centre.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def rotation(wxyz: np.ndarray) -> np.ndarray:
    """R (3, 3) of a unit quaternion."""
    w, x, y, z = wxyz / np.linalg.norm(wxyz)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def residuals(recording: Any) -> tuple[np.ndarray, np.ndarray]:
    """What is missing in each step: impulses (steps) [N s] and their moments (steps) [N m s], the largest of all bodies.

    Args:
        recording: with time, q, v, u, contacts and its model's bodies (name, mass, inertia about the mass centre), gravity.
    """
    bodies, gravity = recording.model.bodies, np.asarray(recording.model.gravity)
    steps = len(recording.time) - 1
    lost, turned = np.zeros(steps), np.zeros(steps)
    for k in range(steps):
        dt = recording.time[k + 1] - recording.time[k]
        for b, body in enumerate(bodies):
            q, q_next = recording.q[k, 7 * b : 7 * b + 7], recording.q[k + 1, 7 * b : 7 * b + 7]
            v, v_next = recording.v[k, 6 * b : 6 * b + 6], recording.v[k + 1, 6 * b : 6 * b + 6]
            force = body.inertia.mass * gravity + recording.u[k, 6 * b : 6 * b + 3]
            torque = recording.u[k, 6 * b + 3 : 6 * b + 6].copy()
            for contact in recording.contacts[k]:
                sign = (contact.b == body.name) - (contact.a == body.name)
                if not sign or contact.mode == "stop":
                    continue
                f = sign * np.array(contact.force)
                if contact.mode == "torsion":
                    torque += f
                else:
                    force = force + f
                    torque += np.cross(np.array(contact.point) - q[:3], f)
            I, R, R_next = body.inertia.about_com, rotation(q[3:]), rotation(q_next[3:])
            spin = R_next @ I @ R_next.T @ v_next[3:] - R @ I @ R.T @ v[3:]
            lost[k] = max(lost[k], np.abs(body.inertia.mass * (v_next[:3] - v[:3]) - dt * force).max())
            turned[k] = max(turned[k], np.abs(spin - dt * torque).max())
    return lost, turned


if __name__ == "__main__":
    from carpal.engines import Recording

    missing, moments = residuals(Recording.load(sys.argv[1]))
    print(f"{len(missing)} steps: impulse missing {missing.max():.3g} N s, moment {moments.max():.3g} N m s at most")
