"""A lesson through the client that openapi-python-client made of the description of the API.

A teacher creates a list and a puzzle for a class, a student plays it, the teacher reads progress.
"""

import json
import os
import time
import uuid

from made_client import AuthenticatedClient, Client
from made_client.api.classes import classes_progress_retrieve
from made_client.api.lists import lists_create
from made_client.api.play import play_attempts_create, play_retrieve
from made_client.api.puzzles import puzzles_create, puzzles_grid_retrieve, puzzles_retrieve
from made_client.api.token import token_create
from made_client.models import (
    EntryRequest,
    EntryRequestTranslations,
    MoveRequest,
    NewPuzzleRequest,
    NewPuzzleRequestSettings,
    PuzzleKind,
    PuzzleState,
    TokenRequest,
    VocabularyListRequest,
)

SITE, PASSWORD, CLASSROOM = os.environ["SITE"], os.environ["PASSWORD"], int(os.environ["CLASSROOM"])
WORDS = {
    "krokodil": "crocodile",
    "labud": "swan",
    "jelen": "deer",
    "gavran": "raven",
    "slon": "elephant",
}


def log_in(username):
    asked = TokenRequest(username=username, password=PASSWORD, name="school.py", days=1)
    with Client(base_url=SITE) as client:
        token = token_create.sync(client=client, body=asked).token
    return AuthenticatedClient(base_url=SITE, token=token, prefix="Token")


teacher, student = log_in("ana"), log_in("luka")
entries = []
for term, meaning in WORDS.items():
    translations = EntryRequestTranslations()
    translations["en"] = [meaning]
    entries.append(EntryRequest(term=term, translations=translations))
words = lists_create.sync(
    client=teacher,
    body=VocabularyListRequest(
        title="Animals", language="hr", translation_languages=["en"], entries=entries
    ),
)
wish = NewPuzzleRequest(
    vocabulary_list=words.id,
    kind=PuzzleKind.WORD_SEARCH,
    classroom=CLASSROOM,
    settings=NewPuzzleRequestSettings.from_dict({"words": 4}),
)
puzzle = puzzles_create.sync(client=teacher, body=wish)
while puzzle.state == PuzzleState.QUEUED:
    time.sleep(0.1)
    puzzle = puzzles_retrieve.sync(puzzle.code, client=teacher)
solution = puzzles_grid_retrieve.sync(puzzle.code, client=teacher)

game = play_retrieve.sync(puzzle.code, client=student)
found = game.found
for placed in solution.placements:
    move = MoveRequest(attempt=uuid.uuid4(), cells=placed.cells)
    found = play_attempts_create.sync(puzzle.code, client=student, body=move).found

progress = classes_progress_retrieve.sync(CLASSROOM, client=teacher)
refused = puzzles_create.sync(client=student, body=wish)
print(
    json.dumps(
        {
            "found": found,
            "total": game.total,
            "statuses": list(progress.assignments[0].students.to_dict().values()),
            "refused": [refused.status, refused.code],
        }
    )
)
