"""Sites to back up: processes, databases and folders of their own."""

import json
import subprocess
import sys
from contextlib import contextmanager

from tests.databases import ROOT, migrated_file, new_postgresql
from tests.jobs.test_kill import Site, lend_static_files

# A school with sounds, a picture, a session, a token, a card and a file that waits for its import.
SCHOOL = """
import io, json
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image
from osmosmjerka.accounts.auth import cards, tokens
from osmosmjerka.accounts.models import Membership, School
from osmosmjerka.accounts.people import create_classroom, create_person, join_classroom
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from puzzles.assignments.services import give
from puzzles.making.services import job_of
from vocab.entries.pictures import keep_picture
from vocab.imports.pasting import parse_pasted
from vocab.imports.services import start_import
from vocab.lists.services import create_list

school = School.objects.create(name="Škola")
teacher = create_person(username="ana", display_name="Ana", role="teacher", school=school)
student = create_person(username="luka", display_name="Luka", role="student", school=school)
classroom = create_classroom(name="6b", owner=teacher)
join_classroom(classroom=classroom, person=student, role=Membership.Role.STUDENT)
rows = parse_pasted(open("puzzles/demo/animals-hr-en.tsv", encoding="utf-8").read()).rows
words = create_list(
    owner=teacher, title="Životinje", language="hr", translation_languages=["en"], rows=rows
)
drawn = io.BytesIO()
Image.new("RGB", (60, 40), "red").save(drawn, "PNG")
entry = words.entries.first()
keep_picture(entry=entry, data=drawn.getvalue(), name="red.png")
start_import(
    vocabulary_list=words, created_by=teacher, file=SimpleUploadedFile("w.csv", b"vuk,wolf"),
)
puzzle = give(
    vocabulary_list=words, kind="finder", created_by=teacher, classrooms=[classroom], seed=1,
    settings={},
)
for job in Job.objects.order_by("created_at"):
    ledger.run_job(str(job.pk))
(card,) = cards.issue_cards(students=[student], actor=teacher, classroom=classroom)
client = Client(SERVER_NAME="localhost")
client.post("/card/", {"token": card.token})
_token, text = tokens.create(person=student, scope="play")
of_teacher = Client(SERVER_NAME="localhost")
of_teacher.force_login(teacher)
print(json.dumps({
    "puzzle": puzzle.code, "entry": entry.pk, "card": card.token, "token": text,
    "session": client.cookies["sessionid"].value,
    "teacher": of_teacher.cookies["sessionid"].value,
}))
"""


@contextmanager
def site_on(engine, folder, *, has_tables=False, has_static_files=None, **variables):
    """Begin an empty site on "sqlite" or "postgresql".

    Unless it has tables, it also has no static files, as where it is restored. Restoring collects
    them then, which takes seconds.
    """
    folder.mkdir()
    if engine == "postgresql":
        variables["DATABASE_URL"] = new_postgresql(is_migrated=has_tables)
    elif has_tables:
        (folder / "osmosmjerka.sqlite3").write_bytes(migrated_file())
    if has_tables if has_static_files is None else has_static_files:
        lend_static_files(folder)
    site = Site(folder, **variables)
    yield site
    site.close()


def manage(site, *arguments, **options):
    """Run a command of manage.py as a process of its own; return what is told, and how it ended."""
    environment = site.environment | options.pop("environment", {})
    return subprocess.run(
        [sys.executable, "manage.py", *map(str, arguments)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        **options,
    )


def asked(site, program):
    """Return the JSON that *program* prints in the site's console."""
    return json.loads(site.run(program).strip().splitlines()[-1])
