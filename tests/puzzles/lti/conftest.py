"""A learning platform that is connected with the school."""

import functools

import pytest
from django.core.cache import cache
from edx_django_utils.cache import RequestCache

from osmosmjerka.accounts.secrets import encrypt
from puzzles.lti import keys
from puzzles.models import LtiCourse, LtiPerson, LtiPlatform, ToolKey
from tests.puzzles.lti.platform import Platform
from tests.rsa_keys import pem_of


@pytest.fixture(autouse=True)
def of_this_computer(settings):
    settings.HTTP_HERE = True
    settings.PLATFORM_NAME = "Open edX"
    cache.clear()
    RequestCache.clear_all_namespaces()


def connected(school, platform):
    row = LtiPlatform.objects.create(
        school=school, name="Moodle", issuer=platform.url, client_id=platform.edx.client_id,
        auth_url=f"{platform.url}/auth", token_url=f"{platform.url}/token",
        keys_url=f"{platform.url}/keys",
    )  # fmt: skip
    row.deployments.create(deployment_id="1")
    return row


@functools.cache
def published():
    """Return what the site says of its key, which is the same in all tests."""
    return keys.public_keys()


@pytest.fixture
def moodle(db):
    platform = Platform()
    ToolKey.objects.create(kid="site", private=encrypt(pem_of("site")))
    platform.trust(published())
    yield platform
    platform.close()


@pytest.fixture
def connection(moodle, school):
    return connected(school, moodle)


@pytest.fixture
def other_moodle(db):
    """The platform of another school."""
    platform = Platform(client_id="other", kid="two")
    yield platform
    platform.close()


@pytest.fixture
def linked(connection, teacher):
    """The teacher, whose account is linked with that of number 7 on the platform."""
    return LtiPerson.objects.create(platform=connection, subject="7", user=teacher)


@pytest.fixture
def course(connection, classroom):
    """The platform's course, which is the class."""
    return LtiCourse.objects.create(
        deployment=connection.deployments.get(), context_id="course", classroom=classroom
    )
