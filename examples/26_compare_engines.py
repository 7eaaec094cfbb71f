"""One scene in three engines: where they part, beside a closed form; and surfaces of a scene of one's own in all of them."""

import numpy as np

from carpal.engines import benchmark_scenes, compare
from carpal.model import Box, Plane, Scene, Sphere

# a benchmark scene by name: a block slides down 20 degrees with friction 0.2
result = compare("block_on_incline_slides", ["modal", "mujoco", "penalty"], samples=50, refine=False, isolated=False)
print(result.table())
beside = {p.b: p.distance for p in result.partings if p.a == "reference"}
assert beside["modal"] < 1e-12 < beside["mujoco"] < 2e-3 and beside["penalty"] < 5e-3

# surfaces act in every engine: a ball dropped by 0.5 m comes back with 0.7 of its speed
scene = Scene("bounce").add_object("ball", Sphere(0.05), mass=0.3, pose=[0, 0, 0.55]).add_fixed("floor", Plane())
scene.add_surface("ball", "floor", mu=0.3, restitution=0.7)
result = compare(scene, ["modal", "mujoco", "penalty"], duration=0.5, tolerance=0.02, refine=False, isolated=False)
print(result)
for name, outcome in result.engines.items():
    z = outcome.track.positions("ball")[:, 2]
    speed = np.diff(z) / np.diff(outcome.track.time)
    share = speed.max() / -speed.min()
    print(f"{name:<8} returns {share:.3f} of the speed")
    assert abs(share - 0.7) < 0.02

# compliance: a box of 1 kg on four springs of 10 kN/m sinks by its weight over 40 kN/m; the modal engine is rigid and says so
scene = Scene("pad").add_object("box", Box((0.1, 0.1, 0.1)), mass=1.0, pose=[0, 0, 0.05]).add_fixed("floor", Plane())
scene.add_surface(mu=0.5, compliance=1e-4)
result = compare(scene, ["modal", "mujoco", "penalty"], duration=1.0, refine=False, isolated=False)
sunk = {name: 0.05 - outcome.track.positions("box")[-1, 2] for name, outcome in result.engines.items()}
print({name: f"{1e6 * depth:.1f} um" for name, depth in sunk.items()}, *result.engines["modal"].runs.notes)
assert abs(sunk["modal"]) < 1e-12 and "compliance" in result.engines["modal"].runs.notes[0]
assert all(abs(sunk[name] - 9.81 / 4e4) < 2e-6 for name in ("mujoco", "penalty"))

quantitative = [name for name, each in benchmark_scenes().items() if each.quantitative]
print(len(quantitative), "scenes have a reference in numbers")
assert len(quantitative) >= 30
