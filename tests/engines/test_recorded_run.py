"""Recorded runs without a policy: the moments of one long run, parts on disk, nothing lost when something goes wrong."""

import numpy as np
import pytest
import setup_inputs as setup

from carpal.engines import MuJoCoEngine, PenaltyEngine, Recording, RigidEngine, run_recorded
from carpal.errors import DivergedError, InputError
from carpal.model import State


def test_rows_are_moments_of_the_run_and_the_ledger_closes(figure):
    model = setup.chain(2)
    for engine, state in ((setup.free_engine(model), None), (RigidEngine(model, dt=1e-3), State.home(model))):
        start = engine.start() if state is None else state
        ticks = []
        done = run_recorded(engine, start, 0.05, rows=10, tick=ticks.append)
        more = {} if state is None else {"u": np.zeros(model.nv)}
        whole = engine.run(start, steps=round(0.05 / engine.dt), **more).state
        assert done.ok and len(done) == 11 and np.allclose(done.q[-1], whole.q, atol=1e-12) and ticks[-1] == 1.0
        assert done.time[-1] == pytest.approx(0.05) and done.metadata["engine"] == engine.name
        residual = np.abs(done.energy["residual"]).max()
        figure(f"recorded run by {engine.name}: residual of the ledger [J]", residual, 1e-5)


def test_commands_run_evenly_from_one_value_to_the_other():
    engine = setup.tuned_engine(setup.chain(1), 0.002, 1.0)
    done = run_recorded(engine, engine.start(), 1.0, rows=20, command=(np.array([0.3]), np.array([0.8])))
    from carpal.engines import actuator_values

    found = actuator_values(engine.mechanism, done.q)[:, 0]
    assert found[10:] == pytest.approx(np.linspace(0.55, 0.8, 11), abs=0.01)


def test_ctrl_c_keeps_what_ran_and_parts_are_on_disk(tmp_path):
    engine = setup.free_engine(setup.chain(1))
    count = 0

    def stop(share):
        nonlocal count
        count += 1
        if count == 250:
            raise KeyboardInterrupt

    done = run_recorded(engine, engine.start(), 0.1, rows=1000, out=tmp_path / "run", tick=stop)
    assert done.interrupted and not done.ok and len(done) == 251
    kept = Recording.load(tmp_path / "run")
    assert len(kept) == 251 and kept.interrupted and len(list((tmp_path / "run").glob("part-*.parquet"))) == 3


def test_a_run_that_diverges_keeps_its_rows(tmp_path):
    hard = setup.free_engine(setup.chain(1))
    engine = PenaltyEngine(hard.mechanism, dt=3 * hard.dt, check_step=False)
    with pytest.raises(DivergedError, match="diverged at body") as caught:
        run_recorded(engine, engine.start(), 2.0, rows=5000, out=tmp_path / "run")
    kept = caught.value.recording
    assert len(kept) > 2 and not kept.ok and kept.events[-1].name == "diverged"
    assert len(Recording.load(tmp_path / "run")) == len(kept)


def test_other_engines_are_refused():
    model = setup.chain(1)
    with pytest.raises(InputError, match="see simulate"):
        run_recorded(MuJoCoEngine(model), State.home(model), 1.0)
