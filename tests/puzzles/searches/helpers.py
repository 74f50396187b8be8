"""Searches for a crossword that tests start from."""

from random import Random

from django.db import transaction

from puzzles.generators import crossword
from puzzles.searches import services as searches
from puzzles.searches.shortlist import Shortlist


@transaction.atomic  # a worker that runs beside the test sees all of it or nothing
def begin_search(vocabulary_list, teacher, *, seeds=(1,), is_stopped=False, **wishes):
    """Ask for a search that has found a crossword for each of *seeds*; its job has not run."""
    search = searches.request_search(
        vocabulary_list=vocabulary_list, created_by=teacher, wishes=wishes, seed=1
    )
    shortlist = Shortlist()
    terms = list(vocabulary_list.entries.values_list("term", flat=True))
    for seed in seeds:
        made = crossword.generate(terms, rng=Random(seed), language=vocabulary_list.language)
        shortlist.offer(made, seconds=seed, pinned=0)
    search.found, search.version = shortlist.as_json(), 1
    search.save()
    return searches.stop(search=search) if is_stopped else search
