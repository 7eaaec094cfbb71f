"""How well an object is held: grasp matrix, force closure, quality, internal forces, load distribution."""
