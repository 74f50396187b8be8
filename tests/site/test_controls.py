"""docs/security/controls.md says what the code does."""

import re
from base64 import b64decode

import pytest
from django.conf import settings

from osmosmjerka import middleware
from osmosmjerka.accounts import codes
from osmosmjerka.accounts.auth import lockout, passkeys, sessions, tokens, two_factor
from osmosmjerka.accounts.classrooms import joining, roster, services, tables
from osmosmjerka.accounts.fields import WORDS_OF_THE_SITE, StudentPasswordField
from osmosmjerka.accounts.schools import invitations
from puzzles.making import services as making
from puzzles.play import services as play
from puzzles.searches import services as searches
from vocab.entries import pictures
from vocab.formats import archive, media, rows, sandbox
from vocab.speech import recordings

TEXT = " ".join((settings.BASE_DIR / "docs/security/controls.md").read_text("utf-8").split())
MB = 1024 * 1024


def is_told(text):
    return text in TEXT


FACTS = [
    f"The first {lockout.FREE_FAILURES - 1} failed logins cost nothing",
    f"From the {lockout.FREE_FAILURES}th on",
    f"locked for {lockout.FIRST_LOCK.seconds} seconds",
    f"at most {lockout.LONGEST_LOCK.total_seconds() / 3600:.0f} hours",
    f"students {StudentPasswordField().min_length}; no common password",
    f"{two_factor._SPARE_CODES} backup codes, each once",
    f"once, within {settings.PASSWORD_RESET_TIMEOUT // 86400} days",
    f"once, within {invitations.VALID_FOR.days} days",
    f"{tokens.DEFAULT_DAYS} days, at most {tokens.MOST_DAYS}; read, play or teach",
    f"{8 * len(b64decode(codes.new_token() + '=', '-_'))} random bits",
    f"ends after {sessions.STUDENT_SESSION.total_seconds() / 3600:.0f} hours for students",
    f"{sessions.TEACHER_SESSION.days} days for teachers",
    f"after {settings.TEACHER_IDLE_HOURS} hours without a request",
    f"from strangers | {middleware.limit_of('/login/') // 1024} KB",
    f"to the API | {middleware.limit_of('/api/lists/') // MB} MB",
    f"(games {middleware.limit_of('/api/play/X/') // 1024} KB",
    f"Form | {settings.DATA_UPLOAD_MAX_MEMORY_SIZE // MB} MB",
    f"{sandbox.MAX_FILE // 10**6} MB; unpacked {archive.MAX_UNPACKED // 10**6} MB,"
    f" {archive.MAX_MEMBERS:,} files",
    f"{rows.MAX_ROWS:,}; {rows.MAX_COLUMNS} columns",
    f"{pictures.MAX_BYTES // MB} MB, {media.MAX_PIXELS // 10**6} megapixels",
    f"{recordings.MAX_BYTES // MB} MB, {recordings.MAX_SECONDS:.0f} seconds",
    f"{tables.MAX_FILE // 10**6} MB, unpacked {tables.MAX_UNPACKED // 10**6} MB,"
    f" {roster.MAX_LINES} names",
    f"Students in a class | {services.MAX_STUDENTS};",
    f"more than {joining.BURST} in {joining.BURST_WITHIN.seconds} seconds",
    f"in preparation per person | {making.MOST_IN_PREPARATION}",
    f"creates a day | {making.STUDENTS_PUZZLES_A_DAY}",
    f"of a teacher at once | {searches.AT_ONCE}",
    f"Wrong answers in a game | {play.MOST_WRONG_MOVES}",
    f"{tokens.MOST} with a name, {tokens.MOST_UNNAMED} without",
    f"Passkeys per person | {passkeys.MOST}",
]


@pytest.mark.parametrize("fact", FACTS)
def test_the_number_is_that_of_the_code(fact):
    assert is_told(fact)


def test_a_number_that_differs_is_noticed():
    """The control."""
    assert not is_told(f"Passkeys per person | {passkeys.MOST + 1}")


def test_all_words_that_are_refused_as_passwords_are_listed():
    told = TEXT.split("**Words refused as passwords**")[1].split("## Sessions")[0]
    listed = told.split("address, and ")[1]
    assert set(re.split(r"[,;]\s*|\.\s*$", listed.strip())) - {""} == WORDS_OF_THE_SITE


def test_every_variable_of_another_system_is_listed():
    told = TEXT.split("## Connections to other systems")[1].split("##")[0]
    example = (settings.BASE_DIR / ".env.example").read_text("utf-8")
    urls = set(re.findall(r"^#?(\w+_URL)=", example, re.M))
    assert urls == set(re.findall(r"`(\w+_URL)`", told))
