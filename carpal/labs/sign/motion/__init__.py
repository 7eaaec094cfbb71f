"""Motion planning of texts: postures, arm path, timed legs, whole words, letter by letter."""
