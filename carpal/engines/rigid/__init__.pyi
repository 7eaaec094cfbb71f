from .engine import RigidEngine as RigidEngine
