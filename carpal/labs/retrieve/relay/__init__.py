"""The relay: dimensions and mass, its pose and swing in the gripper, the error budget of a grasp."""
