"""A payload that may turn about the gripper's axis: friction, the set of angles it may have, and what that set does to a path."""
