"""Two filled schools for the tests of who may do what."""

import pytest
from django.core.files.storage import FileSystemStorage

from tests.accounts import house as houses


@pytest.fixture
def other_house(other_school, make_person, monkeypatch):
    # Requests are asked again and again, each undone; a file that is deleted would stay so.
    monkeypatch.setattr(FileSystemStorage, "delete", lambda storage, name: None)
    return houses.build(other_school, "Foreign", make_person)


@pytest.fixture
def house(school, make_person, other_house):
    """The school that is asked; the other one is there as well."""
    return houses.build(school, "Tajna", make_person)
