"""Reading letters from landmarks: segmentation, features, recognisers, training data, training, examination."""
