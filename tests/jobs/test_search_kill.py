"""A search for a crossword among the other jobs: kill -9 costs it a second, and it holds up nobody.

Real processes, as in test_kill. The control writes nothing on the way, and loses what it found.
"""

from __future__ import annotations

import json

import pytest

from tests.jobs.test_kill import Site, killed_in_the_end, on_sqlite, serve

# What a search stores on its way is tested daily in tests/puzzles/searches, a kill in test_kill.
pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("kill")]

BEGIN = """
from osmosmjerka.accounts.models import School
from osmosmjerka.accounts.people import create_person
from puzzles.searches.services import request_search
from vocab.imports.pasting import parse_pasted
from vocab.lists.services import create_list

school = School.objects.create(name="s")
teacher = create_person(username="t", display_name="T", role="teacher", school=school)
rows = parse_pasted(open("puzzles/demo/animals-hr-en.tsv", encoding="utf-8").read()).rows
words = create_list(
    owner=teacher, title="l", language="hr", translation_languages=["en"], rows=rows
)
request_search(
    vocabulary_list=words, created_by=teacher, seed=1, wishes={"words": 23, "seconds": %s}
)
"""

WORD_SEARCH = """
from puzzles.making.services import request_puzzle
from vocab.models import VocabularyList
words = VocabularyList.objects.get()
request_puzzle(vocabulary_list=words, kind="word-search", created_by=words.owner)
"""

REPORT = """
import json
from puzzles.searches import services as searches
from puzzles.models import CrosswordSearch, Puzzle
from puzzles.searches.shortlist import Shortlist
search = CrosswordSearch.objects.get()
found = Shortlist.from_json(search.found)
print(json.dumps({
    "state": search.state, "spent": search.spent, "version": search.version,
    "best": found.best[0].rank if found.best else None, "last": found.last,
    "job": searches.job_of(search).state, "deaths": searches.job_of(search).deaths,
    "puzzles": list(Puzzle.objects.values_list("state", flat=True)),
}))
"""

# What is found leaves a mark, by which it is seen that there was something to lose.
WITHOUT_WRITING = """
from pathlib import Path
from django.conf import settings
from puzzles.searches import services as searches

better = searches._Round.better

def noted(self, found):
    better(self, found)
    Path(settings.DATA_DIR, "found").touch()

searches._Round.better = noted
searches._Round.write = lambda self: None
"""


class Searching(Site):
    def report(self):
        return json.loads(self.run(REPORT))


@pytest.fixture
def site(tmp_path):
    yield from on_sqlite(Searching, tmp_path)


def test_a_killed_search_goes_on_from_its_best(site):
    site.run(BEGIN % 6)
    with killed_in_the_end(serve(site)):
        site.wait_until(lambda report: report["spent"] > 1 and report["best"])
    left = site.report()
    assert (left["state"], left["job"]) == ("searching", "running")
    with killed_in_the_end(serve(site)):
        taken_up = site.wait_until(lambda report: report["deaths"] == 1)
        done = site.wait_until(lambda report: report["state"] == "over")
    assert taken_up["spent"] >= left["spent"], "the time that was searched counts"
    assert taken_up["best"] >= left["best"] and taken_up["last"] >= left["last"]
    assert done["best"] >= left["best"]
    assert done["job"] == "done"


def test_without_writing_on_the_way_a_killed_search_loses_what_it_found(site):
    """Control: what was not stored is not there to go on from."""
    site.run(BEGIN % 60)
    with killed_in_the_end(serve(site, WITHOUT_WRITING)):
        site.wait_until(lambda _report: (site.data_dir / "found").exists())
    assert site.report()["best"] is None


def test_while_a_search_goes_on_other_jobs_are_done(site):
    site.run(BEGIN % 120)
    with killed_in_the_end(serve(site)):
        site.wait_until(lambda report: report["version"] > 0)
        site.run(WORD_SEARCH)
        report = site.wait_until(lambda report: report["puzzles"] == ["ready"], seconds=30)
    assert (report["state"], report["job"]) == ("searching", "running")
