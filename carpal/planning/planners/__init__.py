"""Ways around obstacles: SBL, EST and RRT-Connect, and shortening what they find."""
