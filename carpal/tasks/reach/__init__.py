"""An arm moves to a point and is held there by gravity-compensated PD."""
