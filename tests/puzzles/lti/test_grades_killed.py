"""30 grades, and kill -9 in the middle: each arrives once with its value.

Real processes with a SQLite file of their own. A worker kills itself as it has just sent a grade,
and has not stored that; the next one as it is about to send. The control forgets what was about to
be sent, and takes its own grade for a teacher's.
"""

import json
import signal

import pytest

from puzzles.lti.grades import SEND
from tests.jobs.test_kill import SETUP, embedded, stop  # noqa: F401  (a fixture)
from tests.puzzles.lti.platform import Platform

# One after another with the other killed workers: they want the processors.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("kill")]

STUDENTS, WORDS = 30, 4

PREPARE = f"""
import json
from django.utils import timezone
from osmosmjerka.accounts.models import School, User
from osmosmjerka.accounts.people import create_classroom, create_person, join_classroom
from puzzles.lti import grades, keys
from puzzles.models import LtiCourse, LtiLink, LtiPerson, LtiPlatform
from puzzles.models import Assignment, Move, Placement, PlaySession, Puzzle
from puzzles.play.services import finished
from vocab.lists.services import create_list
import uuid

url = URL
school = School.objects.create(name="s")
teacher = create_person(username="t", display_name="T", role="teacher", school=school)
words = create_list(
    owner=teacher, title="l", language="hr", translation_languages=["en"], rows=[]
)
classroom = create_classroom(name="6b", owner=teacher)
puzzle = Puzzle.objects.create(
    kind="word-search", title="l", vocabulary_list=words, created_by=teacher, seed=1, state="ready"
)
placed = [
    Placement.objects.create(
        puzzle=puzzle, term=f"w{{number}}", position=number, tiles=["w"], cells=[[0, number]]
    )
    for number in range({WORDS})
]
assignment = Assignment.objects.create(puzzle=puzzle, classroom=classroom, created_by=teacher)
platform = LtiPlatform.objects.create(
    school=school, name="Moodle", issuer=url, client_id="tool", auth_url=url,
    token_url=url + "/token", keys_url=url + "/keys",
)
course = LtiCourse.objects.create(
    deployment=platform.deployments.create(deployment_id="1"), context_id="c", classroom=classroom
)
LtiLink.objects.create(
    course=course, resource_link_id="link", assignment=assignment, reads_results=True,
    line_item=url + "/items/link",
)
for number in range({STUDENTS}):
    student = create_person(
        username=f"s{{number}}", display_name=f"S{{number}}", role="student", school=school
    )
    join_classroom(classroom=classroom, person=student, role="student")
    LtiPerson.objects.create(platform=platform, subject=str(number), user=student)
    session = PlaySession.objects.create(
        puzzle=puzzle, student=student, finished_at=timezone.now()
    )
    for placement in placed[: number % {WORDS + 1}]:
        Move.objects.create(
            session=session, placement=placement, client_id=uuid.uuid4(), outcome="found"
        )
    finished.send(sender=PlaySession, session=session)
keys.own_key()
print(json.dumps(keys.public_keys()))
"""

WORK = f"""
import os, signal, time
from django.conf import settings
from osmosmjerka.jobs import ledger, sweeper
from osmosmjerka.jobs.models import Job
from puzzles.lti import client
from puzzles.models import LtiGrade

settings.HTTP_HERE = True
sent, post = [], client.post_json

def die():
    os.killpg(0, signal.SIGKILL)

def sending(*given, **named):
    sent.append(given)
    if {{before}} and len(sent) >= {{at}}:
        die()
    answer = post(*given, **named)
    if {{after}} and len(sent) >= {{at}}:
        die()
    return answer

client.post_json = sending
while Job.objects.filter(kind={SEND!r}).exclude(state__in=["done", "failed"]).exists():
    sweeper.sweep()
    if {{forgets}}:
        LtiGrade.objects.filter(state="waiting").update(score=None)
    if not ledger.run_next("default"):
        time.sleep(0.05)  # until the lease of the killed worker ends, which the loop looks for
"""

REPORT = """
import json
from django.db.models import Count
from puzzles.models import LtiGrade
print(json.dumps(dict(LtiGrade.objects.order_by().values_list("state").annotate(Count("pk")))))
"""


@pytest.fixture
def moodle():
    platform = Platform()
    yield platform
    platform.close()


def work(site, *, at=2, before=False, after=False, forgets=False):
    """Let a worker send what it can; return the code with which it ended."""
    program = WORK.format(at=at, before=before, after=after, forgets=forgets)
    process = site.start("-c", SETUP + program)
    try:
        return process.wait(120)
    finally:
        stop(process)


def begin(site, moodle):
    moodle.trust(json.loads(site.run(PREPARE.replace("URL", repr(moodle.url)))))


@pytest.mark.thorough
@pytest.mark.parametrize("kills", [2, 20])
def test_each_grade_arrives_once_though_workers_are_killed(embedded, moodle, kills):  # noqa: F811
    begin(embedded, moodle)
    for number in range(kills):
        is_after = number % 2 == 0
        ended = work(embedded, at=STUDENTS // (2 * kills) + 1, before=not is_after, after=is_after)
        assert ended == -signal.SIGKILL
    assert work(embedded) == 0
    assert json.loads(embedded.run(REPORT)) == {"sent": STUDENTS}
    given = sorted((int(student), score["scoreGiven"]) for student, score in moodle.scores)
    assert given == [(n, 100 * (n % (WORDS + 1)) / WORDS) for n in range(STUDENTS)]


@pytest.mark.thorough
def test_a_worker_that_forgets_what_it_was_about_to_send_leaves_a_grade_unsettled(
    embedded,  # noqa: F811
    moodle,
):
    """The control."""
    begin(embedded, moodle)
    assert work(embedded, after=True) == -signal.SIGKILL
    assert work(embedded, forgets=True) == 0
    assert json.loads(embedded.run(REPORT)) == {"sent": STUDENTS - 1, "refused": 1}
