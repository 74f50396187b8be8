"""Background jobs for puzzles; each handler calls one service."""

from __future__ import annotations

from osmosmjerka.jobs.ledger import JobRun, handles
from puzzles.daily import services as daily
from puzzles.live import course, moves
from puzzles.live import services as live
from puzzles.lti import grades
from puzzles.lti import services as lti
from puzzles.making import services as making
from puzzles.models import CrosswordSearch, LiveGame, LtiGrade, Puzzle, WorksheetSet
from puzzles.parents import services as parents
from puzzles.searches import services as searches
from puzzles.sharing import services as sharing
from puzzles.worksheets import services as worksheets
from puzzles.xapi import sync


@handles(making.GENERATE, about=Puzzle, when_failed=making.give_up, when_retried=making.resume)
def generate(run: JobRun) -> None:
    making.generate_puzzle(run)


@handles(
    searches.SEARCH,
    about=CrosswordSearch,
    when_failed=searches.give_up,
    when_retried=searches.resume,
)
def search(run: JobRun) -> None:
    searches.run_search(run)


@handles(
    worksheets.JOB,
    about=WorksheetSet,
    when_failed=worksheets.give_up,
    when_retried=worksheets.resume,
)
def worksheet_set(run: JobRun) -> None:
    worksheets.draw_set(run)


@handles("puzzles.forget_searches", is_daily=True)
def forget_searches(run: JobRun) -> None:
    with run.finishing(
        forgotten=searches.forget_old(),
        days=daily.forget_old(),
        worksheets=worksheets.forget_old(),
        games=live.forget_old(),
        links=sharing.forget_old(),
        parents=parents.forget_old(),
        nonces=lti.forget_nonces(),
    ):
        pass


@handles(course.MISSED, about=LiveGame)
def remember_missed(run: JobRun) -> None:
    with run.finishing(reviews=moves.remember_missed(run.arguments["game"])):
        pass


@handles(sync.TELL, is_daily=True)
def tell(run: JobRun) -> None:
    sync.tell(run)


@handles(sync.TELL_AGAIN)
def tell_again(run: JobRun) -> None:
    sync.tell_again(run)


@handles(grades.SEND, about=LtiGrade)
def send_grade(run: JobRun) -> None:
    grades.send(run)
