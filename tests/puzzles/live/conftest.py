from tests.puzzles.live.games import more_students, nothing_is_kept, open_game

__all__ = ["more_students", "nothing_is_kept", "open_game"]
