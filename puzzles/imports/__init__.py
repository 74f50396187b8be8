"""Import puzzles from files of other programs."""
