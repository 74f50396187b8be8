"""A game that a whole class plays at once, in teams, in front of a projector."""
