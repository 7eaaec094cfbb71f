"""A finger with springs: design them, let it move, and find its constants again from noisy angles."""

import numpy as np

from carpal.labs.finger import (
    FingerRecord,
    assumed_finger,
    choose_springs,
    design_springs,
    finger_modes,
    identify_finger,
    printed_motion,
    simulate_finger,
    tendon_sweep,
)

finger = (
    assumed_finger()
)  # 100 mm, 33 g; or read_finger("mine.toml"), or SpringFinger(length=..., mass=..., stiffness=...)

# springs for rest angles of 5, 3, 2 degrees that close knuckle first, the fingertip at 20 N
design = design_springs(finger, np.radians([5, 3, 2]), order=(1, 2, 3), tension=20.0)
choice = choose_springs(design)
print(design)
print(choice)
print(finger_modes(design.finger))

# without dampers the energy stays; by the equations as Prabhu (2018) prints them it does not
free = finger.replace(damping=0.0)
motion = simulate_finger(free, np.radians([20, 10, 10]), duration=2.0)
wrong = printed_motion(free, np.radians([20, 10, 10]), duration=0.1)
print(motion)
print(f"as printed the energy grows by {wrong.energy_gained:.3g} J within 0.1 s")

# one second of pulling on the tendon, 250 angles a second with 0.1 degrees of noise, identify springs and dampers
time = np.arange(251) / 250
pulled = simulate_finger(finger, np.radians([10, 5, 5]), time=time, load=tendon_sweep(time, 4.0))
record = FingerRecord.of_motion(pulled, noise=np.radians(0.1), seed=1)
fit = identify_finger(finger.replace(stiffness=0.1, damping=0.0), record)
print(fit)

assert design.order == (1, 2, 3) and np.abs(design.angle_error).max() < 1e-6 and choice.cost < choice.custom_cost
assert motion.energy_error < 1e-8 and wrong.energy_gained > 0.01
assert fit.ok and np.allclose(fit.value[:3], finger.stiffness, rtol=0.01)
