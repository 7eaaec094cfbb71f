"""Catching with any arm and any hand: the pair, its palm, the meeting with the ball, and the run in one contact scene."""
