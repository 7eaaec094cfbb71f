"""Handshapes from 21 landmarks of a hand: files, features, simulated hands, a small network, gloves, depth frames."""
