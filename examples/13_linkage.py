"""A finger from its bars: the exact curve, its toggles and forces, a model, a mechanism and MJCF."""

from pathlib import Path

import numpy as np

import carpal
from carpal.model import Bar, Drive, Linkage, Pin, drive_force, output_torque

# Two phalanges; a linear actuator turns the first, a rod that crosses it bends the second.
finger = Linkage(
    "finger",
    bars=(
        Bar("ground", {"R": (-0.003, 0.0077), "K": (0, 0), "M": (-0.0217, 0.0052)}),
        Bar("proximal", {"L": (0.0071, 0.0124), "K": (0, 0), "P": (0.042, 0)}, angle=0.26, mass=0.035, phalanx=True),
        Bar("rod", {"R": (0, 0), "Q": (0.0395, 0)}, mass=0.003),
        Bar("middle", {"Q": (-0.0062, -0.0033), "P": (0, 0), "T": (0.028, 0)}, angle=0.4, mass=0.023, phalanx=True),
    ),
    pins=(
        Pin("knuckle", "ground.K", "proximal.K"),
        Pin("joint", "proximal.P", "middle.P"),
        Pin("root", "ground.R", "rod.R"),
        Pin("tail", "rod.Q", "middle.Q"),
    ),
    drive=Drive("push", "ground.M, proximal.L", start=0.027, stop=0.010, P=1600, D=50),
)
curve = finger.curve()
print(curve)
print("how:", "; ".join(curve.steps))
for d in np.linspace(0.027, 0.010, 5):
    angles = np.degrees([curve.angle(bar, d) for bar in finger.phalanges])
    print(
        f"  {1000 * d:5.2f} mm  angles {angles.round(2)} deg  middle presses {output_torque(curve, 'middle', d, -20.0):.4f} N m"
    )
assert curve.gap(curve.drives).max() < 1e-15  # closed exactly
balance = drive_force(curve, 0.02, torques={"middle": -output_torque(curve, "middle", 0.02, -20.0)})
assert abs(balance + 20.0) < 1e-12

model = finger.model()  # every function on models works on the curve
tip = carpal.fk(model, curve.q(0.015), "middle.T")[:3, 3]
assert np.allclose(tip[:2], curve.place("middle.T", 0.015), atol=1e-15)

mechanism = finger.mechanism()  # closed loops as bodies and point joints
print(f"{len(mechanism.bodies)} bodies, {len(mechanism.joints)} point joints; MJCF of {len(finger.mjcf())} characters")

try:  # an impossible wish is refused with its reason
    Linkage(finger.name, finger.bars, finger.pins, Drive("push", "ground.M, proximal.L", 0.027, 0.005)).curve()
except carpal.errors.CarpalError as refusal:
    print("refused:", refusal)

folder = Path(__file__).parent / "linkages"
for file in sorted(folder.glob("*.toml")):
    print(Linkage.from_toml(file).curve())
