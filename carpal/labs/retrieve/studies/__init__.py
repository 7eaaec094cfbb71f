"""Studies over many cases: relay poses with draws of friction and offsets, and the two mountings of the arm."""
