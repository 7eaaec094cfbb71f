"""The entry: it counts good steps, leaves its input alone, and its strides cover every world once."""

import numpy as np
import pytest
from kernel_inputs import BODIES, JOINTS, MODEL, SLOT, WORLD, WORLDS, q, spoiled, v
from step_inputs import DOFS, DT, SMOOTH, TENDONS, U, stage

from carpal.engines.rigid.kernels.run import (
    RK4,
    SYMPLECTIC,
    RigidTables,
    StepInput,
    StepOutput,
    run_batch_of_steps,
    step,
)


def tables(integrator: int) -> RigidTables:
    return RigidTables(integrator, JOINTS, BODIES, DOFS, TENDONS, SMOOTH, DT)


def run(integrator: int, q: np.ndarray, v: np.ndarray, steps: int, *spans: tuple[int, int, int]) -> list[np.ndarray]:
    out = [np.full((WORLDS, n), 7.0) for n in (MODEL.nq, MODEL.nv, 2, 1)]
    for start, stop, stride in spans or [(0, WORLDS, 1)]:
        bad = run_batch_of_steps(
            tables(integrator), steps, StepInput(q, v, U), StepOutput(*out), stage(), start, stop, stride, SLOT
        )
        assert bad == 0
    return out


@pytest.mark.parametrize("integrator", [RK4, SYMPLECTIC])
def test_it_is_so_many_single_steps(integrator: int) -> None:
    before = q.tobytes(), v.tobytes()
    out = run(integrator, q, v, 3)
    assert (q.tobytes(), v.tobytes()) == before
    a, b, work = q.copy(), v.copy(), np.zeros((WORLDS, 2))
    for world in range(WORLDS):
        for _ in range(3):
            assert step(tables(integrator), a, b, U, work, stage(), world, SLOT) == 0
    # the step by itself and inside the entry are optimised apart, so that products and sums may be joined elsewhere
    for got, expected in zip(out, (a, b, work, np.full((WORLDS, 1), 3.0)), strict=True):
        assert np.allclose(got, expected, rtol=1e-12, atol=1e-12)


def test_strides_cover_every_world_once() -> None:
    for one, other in zip(run(RK4, q, v, 2), run(RK4, q, v, 2, (0, WORLDS, 2), (1, WORLDS, 2)), strict=True):
        assert np.array_equal(one, other)


def test_a_world_that_diverges_stops_alone() -> None:
    done = run(RK4, spoiled(q), v, 5)[3][:, 0]
    assert done[WORLD] == 0 and (np.delete(done, WORLD) == 5).all()
    assert not run(RK4, q, v, 0)[3].any()
