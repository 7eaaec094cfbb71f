"""A word in the Italian manual alphabet: letters on two hands, one motion of arm and hand, what is discarded and why."""

import numpy as np

from carpal.labs.sign import ParallelWrist, Signer, nearest_letters, tendon_angles, wrist_rotation

signer = Signer("parloma")  # Prabhu's tendon-driven hand on the SIA5
finger = signer.hand.fingers["index"]
print(
    f"the index finger bends {', '.join(finger.closing_order)}, and is closed by {1e3 * finger.travel:.1f} mm of tendon"
)
free, touched = tendon_angles(finger, 0.015), tendon_angles(finger, 0.015, loads=[[2, 0.02, 0.0, -1.0]])
print(f"a touch of 1 N bends it back by {np.degrees(np.abs(free.angles - touched.angles).max()):.1f} deg")

wrist = ParallelWrist()
motors = wrist.inverse(wrist_rotation(np.radians([20, -10, 15]))).motors
print(f"the wrist's motors stand at {np.degrees(motors).round(1)} deg; {wrist.forward(motors)}")

a, b, away = nearest_letters(signer.letters, signer.hand)
print(f"{len(signer.letters)} letters; {a} and {b} are most alike")

plan = signer.plan("CIAO")
print(plan)
print(
    f"elbow {plan.elbow_clearance:.2f} m from the receiver, {100 * plan.payload:.0f} % of the payload, {plan.arm_path}"
)
assert plan and plan.distance > 1e-3 and plan.arm_path.largest_step < 0.15

other = Signer("cuhk")  # the same letters on Chan's hand
print(other.plan("CIAO"))
for letter, reason in other.refused.items():
    print(f"{letter} is discarded there: {reason}")
