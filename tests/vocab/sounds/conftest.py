import pytest


@pytest.fixture(autouse=True)
def empty_cache(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def entry(animals):
    return animals.entries.get(term="labud")


@pytest.fixture
def client(sign_in, teacher):
    return sign_in(teacher)
