"""A gripper closed by a geared linear motor: its simulation, its filter, its two force limits, what a stall means."""
