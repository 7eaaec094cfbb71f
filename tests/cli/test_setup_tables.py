"""Results of the set-up aids as lines."""

import numpy as np
import setup_inputs as setup

from carpal.cli.setup_tables import setup_table, tuning_table
from carpal.engines import fall_test, hold_test, mechanism_of, step_study, step_test, tune


def test_every_aid_has_its_table():
    engine = setup.tuned_engine(setup.chain(2))
    fall = setup_table(fall_test(engine, 0.02, samples=5))
    assert fall[0].split() == ["joint", "largest", "gap", "[um]", "mean", "gap", "[um]"] and len(fall) == 5
    hold = setup_table(hold_test(engine, 0.02, samples=5))
    assert hold[1].split()[0] == "j0" and hold[-1].split()[0] == "rod1"
    step = setup_table(step_test(engine, 0.02, samples=50))
    assert step[1].split()[:2] == ["j0", "0.05"] and step[1].split()[4] == "-"  # not settled
    study = step_study(engine, 0.01, levels=2)
    lines = setup_table(study)
    assert len(lines) == 3 and float(lines[1].split()[0]) == float(f"{study.dt[0]:.4g}")
    assert len({len(line) for line in lines}) == 1 and np.isfinite(study.error).all()


def test_gains_have_their_table():
    tuned = tune(mechanism_of(setup.chain(2), drives=True).mechanism, 0.01)
    lines = tuning_table(tuned)
    assert lines[0] == tuned.status and lines[2].split()[:2] == ["j0", f"{tuned.P[0]:.4g}"]
