"""FK, RNEA, ABA, Jacobian and mass matrix beside Pinocchio, MuJoCo and roboticstoolbox, `sawyer`, one thread.

make bench
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # one thread for everybody

import numpy as np  # noqa: E402 - one thread must be asked for before it is imported

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "benchmarks")]

from harness import Sheet, race  # noqa: E402 - the path above is needed first
from peers import toolbox_ets  # noqa: E402

import carpal  # noqa: E402

WORLDS = 100_000


def main() -> None:
    model = carpal.load("sawyer")
    rng = np.random.default_rng(0)
    Q = rng.uniform(model.q_min, model.q_max, (WORLDS, 7))
    V, A = rng.normal(size=(2, WORLDS, 7))
    q = Q[0].copy()
    sheet = Sheet(f"Spine: sawyer, one thread, batches of {WORLDS:,}")
    fk_races(sheet, model, Q, q)
    dynamics_races(sheet, model, Q, V, A)
    derivative_races(sheet, model, Q[:20_000], V[:20_000], A[:20_000])
    sheet.save(ROOT / "docs" / "evidence" / "bench_spine.md")


def fk_races(sheet: Sheet, model: carpal.Model, Q: np.ndarray, q: np.ndarray) -> None:
    import pinocchio as pin
    from oracle.converters import Pinocchio

    robot = Pinocchio(model)
    pin_model, pin_data = robot.model, robot.data
    tool = pin_model.getFrameId("tool")
    out = np.empty((len(Q), 4, 4))

    def pinocchio_loop():
        for i in range(len(Q)):
            pin.forwardKinematics(pin_model, pin_data, Q[i])
            out[i] = pin.updateFramePlacement(pin_model, pin_data, tool).homogeneous

    def pinocchio_single():
        pin.forwardKinematics(pin_model, pin_data, q)
        return pin.updateFramePlacement(pin_model, pin_data, tool).homogeneous

    contenders = {
        "ours": lambda: carpal.fk(model, Q, threads=1),
        "Pinocchio loop": pinocchio_loop,
        "MuJoCo loop": mujoco_fk(sheet, model, Q),
    }
    toolbox = toolbox_fk(sheet, model, Q)
    if toolbox is not None:
        contenders["roboticstoolbox eval"] = toolbox
    contenders["ours"]()
    pinocchio_loop()
    assert np.abs(carpal.fk(model, Q) - out).max() < 1e-9, "the race is between equals"
    seconds = race(contenders, rounds=5)
    sheet.show(pinocchio_loop)
    sheet.row("FK batch to (N,4,4)", seconds, "ours", "Pinocchio loop", 6.0, per=len(Q))
    for peer in ("MuJoCo loop", "roboticstoolbox eval"):
        if peer in seconds:
            sheet.row("FK batch to (N,4,4)", seconds, "ours", peer, 1.0, per=len(Q))
        else:
            sheet.absent(peer)
    sheet.show(pinocchio_single)
    single = race({"ours": lambda: carpal.fk(model, q), "Pinocchio": pinocchio_single}, rounds=15, inner=5000)
    sheet.row("single fk call, input checked", single, "ours", "Pinocchio", 1 / 3)


def mujoco_fk(sheet: Sheet, model: carpal.Model, Q: np.ndarray):
    import mujoco

    m = mujoco.MjModel.from_xml_string(model.to_mjcf())
    d = mujoco.MjData(m)
    site = mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_SITE, "tool")
    out = np.tile(np.eye(4), (len(Q), 1, 1))

    def mujoco_loop():
        for i in range(len(Q)):
            d.qpos[:] = Q[i]
            mujoco.mj_kinematics(m, d)
            out[i, :3, :3] = d.site_xmat[site].reshape(3, 3)
            out[i, :3, 3] = d.site_xpos[site]

    mujoco_loop()
    assert np.abs(carpal.fk(model, Q) - out).max() < 1e-9
    sheet.show(mujoco_loop)
    return mujoco_loop


def toolbox_fk(sheet: Sheet, model: carpal.Model, Q: np.ndarray):
    ets = toolbox_ets(model)
    if ets is None:
        return None

    def roboticstoolbox_batch():
        return ets.eval(Q)

    assert np.abs(carpal.fk(model, Q) - roboticstoolbox_batch()).max() < 1e-9
    sheet.show(roboticstoolbox_batch)
    return roboticstoolbox_batch


def dynamics_races(sheet: Sheet, model: carpal.Model, Q: np.ndarray, V: np.ndarray, A: np.ndarray) -> None:
    import pinocchio as pin
    from oracle.converters import Pinocchio

    pin_model = Pinocchio(model).model
    pin_data = pin_model.createData()
    pool = pin.ModelPool(pin_model, 1)
    q, v, a = (np.asfortranarray(x.T) for x in (Q, V, A))
    tool = pin_model.getFrameId("tool")

    def pinocchio_rnea():
        return pin.rneaInParallel(1, pool, q, v, a)

    def pinocchio_aba():
        return pin.abaInParallel(1, pool, q, v, a)

    J, M = np.empty((len(Q), 6, 7)), np.empty((len(Q), 7, 7))

    def pinocchio_jacobian_loop():
        for i in range(len(Q)):
            J[i] = pin.computeFrameJacobian(pin_model, pin_data, Q[i], tool, pin.LOCAL_WORLD_ALIGNED)

    def pinocchio_crba_loop():
        for i in range(len(Q)):
            M[i] = pin.crba(pin_model, pin_data, Q[i])

    races = (
        ("RNEA batch", lambda: carpal.inverse_dynamics(model, Q, V, A, threads=1), pinocchio_rnea, 2.5),
        ("ABA batch", lambda: carpal.forward_dynamics(model, Q, V, A, threads=1), pinocchio_aba, 2.5),
        ("Jacobian batch", lambda: carpal.jacobian(model, Q, threads=1), pinocchio_jacobian_loop, 2.5),
        ("mass matrix batch", lambda: carpal.mass_matrix(model, Q, threads=1), pinocchio_crba_loop, 2.5),
    )
    for work, ours, peer, aim in races:
        theirs = peer()
        expected = {"RNEA batch": theirs, "ABA batch": theirs, "Jacobian batch": J, "mass matrix batch": M}[work]
        expected = expected.T if work in ("RNEA batch", "ABA batch") else expected
        got = ours()
        if work != "mass matrix batch":  # older Pinocchio fills only the upper triangle
            assert np.abs(got - expected).max() < 1e-7 * max(1.0, np.abs(expected).max()), work
        seconds = race({"ours": ours, f"Pinocchio {peer.__name__.removeprefix('pinocchio_')}": peer}, rounds=7)
        sheet.show(peer)
        sheet.row(work, seconds, "ours", f"Pinocchio {peer.__name__.removeprefix('pinocchio_')}", aim, per=len(Q))


def derivative_races(sheet: Sheet, model: carpal.Model, Q: np.ndarray, V: np.ndarray, A: np.ndarray) -> None:
    """Analytic derivatives; processor time, so that a busy machine does not matter."""
    import pinocchio as pin
    from oracle.converters import Pinocchio

    from carpal import dynamics

    robot = Pinocchio(model)
    pin_model, pin_data, count = robot.model, robot.data, len(Q)
    tau = dynamics.inverse_dynamics(model, Q, V, A)
    square = np.empty((3, count, 7, 7))

    def pinocchio_rnea_derivatives():
        for i in range(count):
            square[0, i], square[1, i], square[2, i] = pin.computeRNEADerivatives(pin_model, pin_data, Q[i], V[i], A[i])

    def pinocchio_aba_derivatives():
        for i in range(count):
            square[0, i], square[1, i], square[2, i] = pin.computeABADerivatives(
                pin_model, pin_data, Q[i], V[i], tau[i]
            )

    def pinocchio_centroidal():
        for i in range(count):
            pin.dccrba(pin_model, pin_data, Q[i], V[i])

    def pinocchio_regressor():
        for i in range(count):
            pin.computeJointTorqueRegressor(pin_model, pin_data, Q[i], V[i], A[i])

    races = (
        ("derivatives of inverse dynamics", pinocchio_rnea_derivatives,
         lambda: dynamics.inverse_dynamics_derivatives(model, Q, V, A, threads=1)),
        ("derivatives of forward dynamics", pinocchio_aba_derivatives,
         lambda: dynamics.forward_dynamics_derivatives(model, Q, V, tau, threads=1)),
        ("centroidal momentum matrix's rate", pinocchio_centroidal,
         lambda: dynamics.centroidal_momentum_matrix_rate(model, Q, V, threads=1)),
        ("dynamics regressor", pinocchio_regressor, lambda: dynamics.dynamics_regressor(model, Q, V, A, threads=1)),
    )  # fmt: skip
    for work, theirs, ours in races:
        sheet.show(theirs)
        seconds = race({"ours": ours, "Pinocchio loop": theirs}, rounds=7, clock=time.process_time)
        sheet.row(f"{work}, batch", seconds, "ours", "Pinocchio loop", 2.5, per=count)


if __name__ == "__main__":
    main()
