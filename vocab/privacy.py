"""The personal data in vocabulary."""

from __future__ import annotations

from osmosmjerka.accounts.privacy.services import declare


def declare_models() -> None:
    declare("vocab.Review", person="student", also=("entry__term",))
    declare("vocab.WordProgress", person="student", also=("entry__term",))
    declare("vocab.VocabularyList", person="owner")
    declare("vocab.Entry", person=None, on_erase="keep", why="Goes with its list.")
    declare("vocab.StudyDay", person="student")
    declare("vocab.FittedParameters", person=None, on_erase="keep", why="Sums of all students.")
    declare("vocab.Import", person="created_by")
    declare("vocab.BulkEdit", person="created_by")
    declare("vocab.Share", person="teacher")
    declare("vocab.ImportChange", person=None, on_erase="keep", why="Goes with its import.")
    declare("vocab.Pronunciation", person=None, on_erase="keep", why="Goes with its entry.")
    declare("vocab.BlockedWord", person=None, on_erase="keep", why="A school's, not a person's.")
    declare("vocab.Translation", person=None, on_erase="keep", why="Goes with its list.")
