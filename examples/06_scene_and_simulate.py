"""A scene, two engines, a control law, a recording: an arm on a driven table beside a falling ball."""

from pathlib import Path

import numpy as np

import carpal
from carpal.control import GravityPD
from carpal.dynamics import mass_matrix
from carpal.engines import MuJoCoEngine, RigidEngine, simulate
from carpal.model import Plane, Scene, Sphere

scene = Scene("workshop")
scene.add_robot("so101", name="arm", pose=[0, 0, 0.7], mount="slide_xy")
scene.add_object("ball", Sphere(0.05), mass=0.1, pose=[1, 0, 0.5], twist=[0, 0, 2, 5, 0, 0])
scene.add_fixed("floor", Plane())
Path("workshop.toml").write_text(scene.to_toml())
assert carpal.model.Scene.from_toml("workshop.toml").to_toml() == scene.to_toml()
model, start = scene.build(), scene.start()

# hold the arm at a new pose while the table is pushed along x with 0.5 m/s^2
slides, joints = ("arm/slide_x", "arm/slide_y"), model.joint_names[2:7]
goal = start.q.copy()
goal[2:7] += 0.4
felt = np.diag(mass_matrix(model, goal))
law = GravityPD(model, 400 * felt, 40 * felt, goal, actuated=joints)


def policy(time, state):
    u = law(time, state)
    u[0] = 0.5  # a prescribed joint is given its acceleration
    return u


rec = simulate(RigidEngine(model, dt=1e-3, prescribed=slides), start, policy, 0.5)
rec.save("workshop.parquet")
print(rec)
print(f"table at {rec.q[-1, 0]:.4f} m, arm off its goal by {np.abs(rec.q[-1, 2:7] - goal[2:7]).max():.1e} rad")
print(f"work in {rec.energy['work_in'][-1]:.4f} J, unexplained {np.abs(rec.energy['residual']).max():.1e} J")
assert abs(rec.q[-1, 0] - 0.5 * 0.5 * 0.5**2) < 1e-12
assert np.abs(rec.energy["residual"]).max() < 1e-6

# the same ball in MuJoCo, where it meets the floor
rec = simulate(MuJoCoEngine(model, integrator="implicitfast"), start, None, 1.0, every=10)
first = next(row for row in rec.contacts if row)[0]
print(f"the ball touches the floor: {first.b}, force {first.force[2]:.2f} N upwards")
assert first.b == "ball" and first.force[2] > 0
