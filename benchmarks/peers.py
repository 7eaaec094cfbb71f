"""Peers' models of our robots, built once for every benchmark; a peer that is not installed gives None."""

from __future__ import annotations

from typing import Any

import numpy as np

import carpal


def toolbox_ets(model: carpal.Model) -> Any:
    """roboticstoolbox's transform sequence from the world to the tool, with our joint limits."""
    try:
        import roboticstoolbox as rtb
    except ImportError:
        return None
    from spatialmath import SE3

    frame = model.extra_frames[0]
    bodies = [model.body(frame.body)]
    while bodies[0].parent is not None:  # from the tool to the world, past side branches such as a head
        bodies.insert(0, model.body(bodies[0].parent))
    chain, pending = [], np.eye(4)
    for body in bodies:
        pending = pending @ body.joint.X_PJ
        if body.joint.kind == "revolute":
            limits = np.array([body.joint.q_min, body.joint.q_max])
            chain += [rtb.ET.SE3(SE3(pending, check=False)), rtb.ET.Rz(qlim=limits)]
            pending = np.eye(4)
    chain.append(rtb.ET.SE3(SE3(pending @ frame.X_BF, check=False)))
    return rtb.ETS(chain)
