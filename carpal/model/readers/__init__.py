"""Robot files to models: URDF and MJCF, trusted or from strangers."""
