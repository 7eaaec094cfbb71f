"""A robot by penalty: from its tree to free bodies, the set-up tests, gains from a wanted sag, and a recorded run."""

import numpy as np

from carpal.engines import (
    PenaltyEngine,
    engine_for,
    fall_test,
    hold_test,
    mechanism_of,
    run_recorded,
    step_study,
    step_test,
    stiffened,
    tune,
)
from carpal.model import Plane, Scene, Sphere

scene = Scene("table").add_robot("so101", name="arm", q=[0.3, 0.4, -0.5, 0.2, 0.1, 0.5]).add_fixed("floor", Plane())
scene.add_object("ball", Sphere(0.03), mass=0.05, pose=[0.35, 0.3, 0.1])

# every joint becomes point joints, as stiff as steps of 20 us can follow
dt = 2e-5
tree = mechanism_of(scene, drives=True)
mechanism = stiffened(tree.mechanism, dt)
print(len(mechanism.bodies), "bodies,", len(mechanism.joints), "point joints;", *tree.notes)

# let it fall: do the joints hold?
fall = fall_test(PenaltyEngine(mechanism, dt=dt), 0.2)
print(fall)
assert fall and fall.largest.max() < 1e-5

# gains for a sag of 5 mrad, critically damped; then hold, and step
tuned = tune(mechanism, 0.005, damping_ratio=1.0)
print(tuned)
for name, P, D, load in zip(tuned.names, tuned.P, tuned.D, tuned.load, strict=True):
    print(f"  {name:<18} P {P:8.3f} N m/rad  D {D:7.4f} N m s/rad  carries {load:8.4f} N m")
engine = PenaltyEngine(tuned.mechanism, dt=dt)
hold = hold_test(engine, 0.6)
print(hold)
assert hold and np.allclose(np.abs(hold.sag[1:4]), 0.005, rtol=0.01)
step = step_test(engine, 0.6)
print(step)
assert step and step.overshoot.max() < 0.05

# which step is short enough?
study = step_study(engine, 0.05, tolerance=1e-6)
print(study)
assert abs(study.order - 2) < 0.2 and study.recommended < engine.stable_step

# the same in one call, and recorded: the shell's `carpal simulate scene.toml --sag 0.005`
opened = engine_for(scene, "penalty", sag=0.005)
recording = run_recorded(opened.engine, opened.state, 0.3, command=opened.command, rows=100)
print(recording, f"ledger residual {np.abs(recording.energy['residual']).max():.1e} J")
height = recording.q[-1, opened.engine.model.q_index("ball") + 2]
assert recording.ok and 0.029 < height < 0.1, "the ball is on the floor, or bouncing"
