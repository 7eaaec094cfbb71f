"""The gripper's drive: a geared linear motor, position filter, two force limits, detection of grip and jam."""
