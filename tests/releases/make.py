"""Store a database as this version makes it, from which the tests of upgrades start.

    python -m tests.releases.make           at a release; needs PostgreSQL on this machine
    python -m tests.releases.make --again   the same, replacing what is there

It is the demo school, whose puzzles and sounds are made; some puzzles were played, to the end or
with a hint and a wrong answer. A list and a puzzle are in the bin; there are an import, a bulk
change, a search, goals and more, so that few tables are empty. Sounds have rows but no files.

The result is tests/data/releases/<version>/sqlite.sql and postgresql.sql. It is made once and never
again: a later version would make another database.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import osmosmjerka
from tests.jobs.test_kill import MIGRATE, Site
from tests.releases.databases import RELEASES, Postgresql, Sqlite

PASSWORD = "correct horse battery staple"

FILL = f"""
import json, uuid
from datetime import date, timedelta
from django.test import Client
from django.utils import timezone
from osmosmjerka.accounts.auth import cards, tokens
from osmosmjerka.accounts.schools import invitations
from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from puzzles.daily import services as daily
from puzzles.exports.data import Printing
from puzzles.goals import services as goals
from puzzles.making import services as making
from puzzles.management.commands import load_demo
from puzzles.models import Puzzle
from puzzles.searches import services as searches
from puzzles.worksheets import services as worksheets
from vocab.entries import bulk
from vocab.imports import services as imports
from vocab.lists import services as lists
from vocab.lists import sharing
from vocab.models import BlockedWord, VocabularyList

load_demo.load({PASSWORD!r})
for puzzle in Puzzle.objects.filter(kind="crossword"):
    puzzle.settings["seconds"] = 1
    puzzle.save()
def run_jobs(*kinds):
    for job in Job.objects.filter(kind__in=kinds, state="queued"):
        ledger.run_job(str(job.pk))

run_jobs("puzzles.generate", "vocab.render_sounds")
assert set(Puzzle.objects.values_list("state", flat=True)) == {{"ready"}}

ana, marko, luka, mia, petra = (
    User.objects.get(username=name) for name in ("ana", "marko", "luka", "mia", "petra")
)
classroom = Classroom.objects.get()
goals.set_goal(
    classroom=classroom, person=ana, words=200, ends_on=date.today() + timedelta(days=30)
)
goals.set_own_goal(student=luka, words=20)
tokens.create(person=ana, scope="teach")
cards.issue_cards(classroom=classroom, students=[petra], actor=ana)

def play(student, puzzle, share):
    client = Client(HTTP_HOST="localhost")
    client.force_login(student)
    placements = list(puzzle.placements.order_by("slot"))
    def post(path, **body):
        body = json.dumps(body | {{"attempt": str(uuid.uuid4())}})
        path = f"/api/play/{{puzzle.code}}/{{path}}/"
        answer = client.post(path, body, content_type="application/json")
        assert answer.status_code == 200, answer.content
        return answer.json()
    client.get(f"/api/play/{{puzzle.code}}/")
    for placement in placements[:round(share * len(placements))]:
        if puzzle.kind == "crossword":
            made = post("attempts", item=placement.slot, tiles=placement.tiles)
        else:
            made = post("attempts", item=placement.slot, cells=placement.cells)
        assert made["outcome"] == "found", made
    if share < 1:
        post("hint", item=placements[-1].slot, kind="first_cell")
        post("attempts", item=placements[-1].slot, cells=placements[-1].cells[:2])

def puzzles_in(language):
    found = Puzzle.objects.filter(vocabulary_list__language=language)
    return {{puzzle.kind: puzzle for puzzle in found}}

puzzles = puzzles_in("hr")
play(luka, puzzles["word-search"], 1)
play(luka, puzzles["finder"], 0.5)
play(mia, puzzles["crossword"], 1)
play(mia, puzzles["word-search"], 0.25)

animals = VocabularyList.objects.get(language="hr")
sharing.share_list(vocabulary_list=animals, teacher=marko, may_edit=True)
bulk.change_many(
    vocabulary_list=animals, person=ana, action="tag", tag="farm",
    entries=list(animals.entries.values_list("pk", flat=True)[:5]),
)
imports.apply_import(import_=imports.start_import(
    vocabulary_list=animals, created_by=ana, text="koza\\tgoat\\nlabud\\tswan; cygnet"
))
BlockedWord.objects.create(school=classroom.school, word="glup")
invitations.invite(school=classroom.school, role="teacher", actor=ana)
goals.switch_ranking(classroom=classroom, is_on=True)
goals.choose_nickname(classroom=classroom, student=mia, name=goals._offered(classroom)[0])
daily.switch(classroom=classroom, is_on=True, actor=ana)
daily.begin(classroom=classroom, person=ana, at=timezone.now())
searches.request_search(vocabulary_list=animals, created_by=ana, wishes={{"seconds": 1}})
run_jobs("puzzles.search")
worksheets.request_set(
    puzzle=puzzles["word-search"], created_by=ana, content="versions", printing=Printing()
)

sample = lists.copy_sample(owner=ana, language="pl", translation_language="en")
lists.delete_list(vocabulary_list=sample, actor=ana)
making.delete_puzzle(puzzle=puzzles_in("ar")["finder"], actor=ana)
"""


def fill(database):
    """Let this version migrate and fill the empty *database*; return it as SQL."""
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder), DATABASE_URL=database.url, LOG_LEVEL="WARNING")
        try:
            site.run(MIGRATE)
            site.run(FILL)
        finally:
            site.close()
    return database.dump()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--again", action="store_true", help="replace what is there")
    folder = RELEASES / osmosmjerka.__version__
    if folder.exists() and not parser.parse_args().again:
        sys.exit(f"{folder} is there already. Before the release, --again replaces it.")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        written = fill(Sqlite(place))
        (folder / "sqlite.sql").write_text(written, encoding="utf-8")
    database = Postgresql()
    try:
        written = fill(database)
    finally:
        database.drop()
    (folder / "postgresql.sql").write_text(written, encoding="utf-8")
    for path in sorted(folder.iterdir()):
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
