"""What the rover knows of its surroundings: stereo cameras, localisation of the relay, terrain, image and mesh files."""
