"""Collision-free paths: SBL, EST and RRT-Connect, and shortening of what they find."""
