"""The catalogues as they are today, and the schools that are asked who may do what."""

import pytest
from babel.messages.mofile import write_mo

from tests.accounts.conftest import both_houses, house, other_house
from tests.serving import worker_of_this_broker
from tests.site.catalogues import DOMAINS, LANGUAGES, catalogue, forget_translations
from tests.site.pseudo import in_pseudo

__all__ = ["both_houses", "house", "in_pseudo", "other_house"]


@pytest.fixture
def worker(transactional_db, django_db_blocker):
    """A worker beside the site, which is gone before the database is emptied."""
    with worker_of_this_broker(django_db_blocker):
        yield


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """The catalogues as `make setup` compiles them, but surely of today's sentences."""
    folder = tmp_path_factory.mktemp("locale")
    for language in LANGUAGES:
        target = folder / language / "LC_MESSAGES"
        target.mkdir(parents=True)
        for domain in DOMAINS:
            with (target / f"{domain}.mo").open("wb") as file:
                write_mo(file, catalogue(language, domain))
    return folder


@pytest.fixture
def translated(compiled, settings):
    settings.LOCALE_PATHS = [compiled]
    forget_translations()
    yield
    forget_translations()
