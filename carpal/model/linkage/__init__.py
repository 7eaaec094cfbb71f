"""The linkage compiler: bars, pins, springs and a drive become a curve, a model, a mechanism and MJCF."""
