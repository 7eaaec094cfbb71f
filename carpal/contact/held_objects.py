"""What a robot carries: the shapes of a held object ride on the body that holds it, at a constant pose."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from carpal.errors import InputError, unknown_name
from carpal.kinematics import fk
from carpal.model import Model, checked_pose
from carpal.spatial import Array, inverse


def held_places(model: Model, held: Mapping[str, str | tuple[str, ArrayLike]]) -> dict[str | None, tuple[int, Array]]:
    """Row of the carrying body and pose X_KO in its frame, for each held object.

    Args:
        model: a built scene.
        held: object (a body on the world that carries no other) to the body that holds it, at their relative pose of
            `q_home`; or to (body, X_BO) with the pose (4, 4) of the object in that body.

    The object's own coordinates in q are then without effect.
    """
    if not isinstance(held, Mapping):
        raise InputError(f"held must be a dict from objects to the bodies that hold them; got {held!r:.80}.")
    parents = {body.parent for body in model.bodies}
    alone = [body.name for body in model.bodies if body.parent is None and body.name not in parents]
    out: dict[str | None, tuple[int, Array]] = {}
    for thing, holder in held.items():
        if thing not in alone:
            raise unknown_name("held object", thing, alone)
        body, X_BO = holder if isinstance(holder, tuple) and len(holder) == 2 else (holder, None)
        if not isinstance(body, str) or body not in model.tables.body_rows or body in held:
            raise unknown_name(f"body that holds '{thing}'", body, [b.name for b in model.bodies if b.name not in held])
        if X_BO is None:
            home = np.asarray(model.q_home)
            X_WB, X_WO = fk(model, home, body), fk(model, home, thing)
            X = inverse(X_WB) @ X_WO
        else:
            X = checked_pose(X_BO, f"the pose of held object '{thing}'")
        row, X_KB = model.tables.body_rows[body]
        out[thing] = row, X_KB @ X
    return out
