"""Send grades to learning platforms (AGS 2.0), each once, though either side may stop meanwhile.

A grade is a row for each activity and student. What is about to be sent is written there first, so
that after a crash the result that the platform has is known as ours. A result that is not ours is a
teacher's, and is kept.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.ledger import JobRun
from puzzles.assignments.status import Status, assignment_lines
from puzzles.lti import client, messages
from puzzles.lti.platforms import access_token
from puzzles.models import LtiGrade, LtiLink, LtiPerson, PlaySession

SEND = "puzzles.send_grade"
GIVE_UP = timedelta(hours=24)
AGAIN = (10, 60, 300, 900)  # seconds between attempts, the last for all others
_MAXIMUM = 100
_AS_GOOD_AS = 0.0006  # platforms round
_SCORE_TYPE = "application/vnd.ims.lis.v1.score+json"
_RESULTS_TYPE = "application/vnd.ims.lis.v2.resultcontainer+json"


def note_finished(*, session: PlaySession, **_signal: Any) -> None:
    """Ask for the grade of a finished session to be sent, if it is of an activity of a platform."""
    links = LtiLink.objects.filter(
        Q(assignment__puzzle=session.puzzle_id) | Q(assignment__own_puzzles=session.puzzle_id),
        course__deployment__platform__is_on=True,
        course__deployment__platform__people__user=session.student_id,
    ).exclude(line_item="")
    for link in links.distinct():
        request(link=link, student=session.student_id, key=str(session.pk))


@transaction.atomic
def request(*, link: LtiLink, student: int, key: str) -> LtiGrade:
    """Queue a job that sends the student's grade; with the same *key*, one job."""
    waiting = {"state": LtiGrade.State.WAITING, "reason": "", "since": timezone.now()}
    grade, _is_new = LtiGrade.objects.update_or_create(
        link=link, student_id=student, defaults=waiting
    )
    ledger.enqueue(SEND, key=f"{SEND}:{grade.pk}:{key}", arguments={}, subject=grade)
    return grade


def send(run: JobRun) -> None:
    """Send one grade; while the platform is away, try again for a day."""
    pk = int(run.job.subject.rpartition(":")[2])
    grade = (
        LtiGrade.objects.select_related("student", "link__course__deployment__platform")
        .select_related("link__assignment__puzzle")
        .get(pk=pk)
    )
    try:
        told = _send(run, grade)
    except client.PlatformError as error:
        if error.is_passing and timezone.now() < grade.since + GIVE_UP:
            waited = int(run.job.result.get("tries", 0))
            run.change(result={"tries": waited + 1})
            run.retry_later(AGAIN[min(waited, len(AGAIN) - 1)], str(error)[:200])
            return
        reason = LtiGrade.Reason.LATE if error.is_passing else LtiGrade.Reason.REFUSED
        told = {
            "state": LtiGrade.State.REFUSED,
            "reason": LtiGrade.Reason.GONE if error.status in {404, 410} else reason,
        }
    with run.finishing():
        LtiGrade.objects.filter(pk=pk).update(**told, at=timezone.now())


def _send(run: JobRun, grade: LtiGrade) -> dict[str, Any]:
    """Send a grade; return what is to be stored of how it went. Raises PlatformError."""
    link, sent = grade.link, {"state": LtiGrade.State.SENT, "reason": ""}
    platform = link.course.deployment.platform
    subjects = LtiPerson.objects.filter(platform=platform, user=grade.student)
    subject = subjects.values_list("subject", flat=True).first()
    if link.assignment is None or subject is None or not platform.is_on:
        return sent  # nothing is to be sent any more
    [line] = assignment_lines([link.assignment], [grade.student], timezone.now())
    counted, finished_at = line.results.get(grade.student), line.finished.get(grade.student_id)
    is_excused = line.statuses.get(grade.student) == Status.EXCUSED
    if counted is None or finished_at is None or not counted.total or is_excused:
        return sent
    score = round((counted.total - counted.helped) / counted.total, 4)
    scopes = [messages.SCORE, *([messages.RESULTS] if link.reads_results else [])]
    token = access_token(platform, scopes)
    if link.reads_results:
        there = _result(link.line_item, subject, token)
        ours = [one for one in (grade.score, grade.accepted) if one is not None]
        if there is not None and not any(_is_same(there, one) for one in ours):
            return {"state": LtiGrade.State.REFUSED, "reason": LtiGrade.Reason.CHANGED}
        if there is not None and _is_same(there, score):  # a worker stopped after it was sent
            return sent | {"score": score, "accepted": score}
        if there is not None:
            grade.accepted = there
    with run.holding():
        grade.score = score
        grade.save(update_fields=["score", "accepted"])
    client.post_json(
        _below(link.line_item, "scores"),
        {
            "userId": subject,
            "scoreGiven": round(score * _MAXIMUM, 2),
            "scoreMaximum": _MAXIMUM,
            "activityProgress": "Completed",
            "gradingProgress": "FullyGraded",
            # AGS 2.0, 3.4.6: of two scores, the platform keeps the later one, in any order.
            "timestamp": finished_at.isoformat(timespec="milliseconds"),
        },
        token=token,
        content_type=_SCORE_TYPE,
    )
    return sent | {"accepted": score}


def _result(line_item: str, subject: str, token: str) -> float | None:
    """Return the grade that the platform has, from 0 to 1, None if none (AGS 2.0, 3.3)."""
    address = _below(line_item, "results")
    joint = "&" if "?" in address else "?"
    told = client.get(
        f"{address}{joint}{urlencode({'user_id': subject})}", accept=_RESULTS_TYPE, token=token
    )
    for one in told if isinstance(told, list) else ():
        if isinstance(one, dict) and str(one.get("userId")) == subject:
            given, most = one.get("resultScore"), one.get("resultMaximum", 1)
            if isinstance(given, int | float) and isinstance(most, int | float) and most > 0:
                return given / most
    return None


def _below(line_item: str, part: str) -> str:
    """Return the address below a line item (AGS 2.0, 3.3.2 and 3.4.2); its query stays."""
    parts = urlsplit(line_item)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{part}"))


def _is_same(one: float, other: float) -> bool:
    return abs(one - other) < _AS_GOOD_AS
