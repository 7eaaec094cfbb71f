"""Parts of a pick-up cycle: closing the gripper, aborting, retracing a motion, reports of stages, recorded facts."""
