"""Reading by touch: the surface a palm feels, confusion of letters, pictures."""
