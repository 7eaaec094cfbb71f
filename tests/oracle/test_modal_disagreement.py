"""Three contact models on the same drops and impacts: how far apart the modal, the penalty and the MuJoCo engine end."""

import numpy as np
import pytest
from modal_mujoco import mujoco_twin
from modal_trials import random_trial

from carpal.engines import ContactLaw, PenaltyEngine
from carpal.model import Mechanism, MechanismBody
from carpal.spatial import pose, rotation_from_wxyz

DURATION = 0.15  # [s]


def _penalty_end(trial):
    bodies = []
    for k, body in enumerate(trial.model.bodies):
        q, v = trial.state.q[7 * k : 7 * k + 7], trial.state.v[6 * k : 6 * k + 6]
        shapes = tuple(shape for shape in trial.model.shapes if shape.body == body.name)
        bodies.append(MechanismBody(body.name, body.inertia, pose(rotation_from_wxyz(q[3:]), q[:3]), v, shapes))
    fixed = tuple(shape for shape in trial.model.shapes if shape.body is None)
    law = ContactLaw(stiffness=1e9, damping=1e5, separation=1.0, friction=trial.mu)
    engine = PenaltyEngine(Mechanism(trial.model.name, tuple(bodies), fixed=fixed), contact=law, check_step=False)
    return engine.run(engine.start(), steps=round(DURATION / engine.dt)).state.q


def _mujoco_end(trial):
    import mujoco

    twin, data = mujoco_twin(trial.model, trial.mu, cone="elliptic", impratio=10.0)
    for k in range(len(trial.model.bodies)):
        R = rotation_from_wxyz(trial.state.q[7 * k + 3 : 7 * k + 7])
        data.qvel[6 * k : 6 * k + 3] = trial.state.v[6 * k : 6 * k + 3]
        data.qvel[6 * k + 3 : 6 * k + 6] = R.T @ trial.state.v[6 * k + 3 : 6 * k + 6]
    for _ in range(round(DURATION / 1e-3)):
        mujoco.mj_step(twin, data)
    return data.qpos.copy()


@pytest.mark.full
def test_how_far_three_contact_models_are_apart(figure):
    pytest.importorskip("mujoco")
    apart = {"penalty": [], "MuJoCo": []}
    for seed in [s for s in range(120) if s % 4 >= 2]:
        trial = random_trial(seed, restitution=0.0)
        ours = trial.engine.run(trial.state, None, round(DURATION / 1e-3)).state.q
        for name, end in (("penalty", _penalty_end), ("MuJoCo", _mujoco_end)):
            try:
                theirs = end(trial)
            except Exception:  # a peer that gives up is counted as far away
                apart[name].append(np.inf)
                continue
            places = [np.linalg.norm(ours[k : k + 3] - theirs[k : k + 3]) for k in range(0, len(ours), 7)]
            apart[name].append(max(places))
    for name, values in apart.items():
        figure(
            f"drops and impacts without restitution, 0.15 s: median distance of the modal engine from {name} [m]",
            float(np.median(values)), 0.05, note=f"90 % within {np.quantile(values, 0.9):.2g} m of {len(values)} trials",
        )  # fmt: skip
