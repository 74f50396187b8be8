"""Vocabulary, and what each student remembers of it."""

from vocab.models.changes import BulkEdit, Import, ImportChange
from vocab.models.learning import FittedParameters, Review, StudyDay, WordProgress
from vocab.models.lists import (
    BlockedWord,
    Entry,
    Pronunciation,
    Share,
    Translation,
    VocabularyList,
    new_guid,
)

__all__ = [
    "BlockedWord",
    "BulkEdit",
    "Entry",
    "FittedParameters",
    "Import",
    "ImportChange",
    "Pronunciation",
    "Review",
    "Share",
    "StudyDay",
    "Translation",
    "VocabularyList",
    "WordProgress",
    "new_guid",
]
