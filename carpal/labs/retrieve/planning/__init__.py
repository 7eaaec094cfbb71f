"""Planning of a pick-up before anything moves: reachability, straight tool lines, carrying the relay, the whole plan."""
