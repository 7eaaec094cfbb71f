"""Reading letters from landmarks: signs cut from a stream, features, recognisers and their training."""
