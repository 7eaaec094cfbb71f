"""Servo motors on a serial bus: Feetech STS and SCS, Dynamixel X, and simulated ones on a pseudo-terminal."""
