"""A real arm of serial servos: moved to a point with a pointing direction, read back, recorded as a LeRobot dataset."""
