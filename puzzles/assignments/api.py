"""HTTP API of assignments: create, schedule, close, archive; the status of each student."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import generics, serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts.access import ClassroomAction, classrooms
from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.accounts.selectors import students_of, students_of_classes
from osmosmjerka.rest.fields import IdField, IdsField, OneOf
from osmosmjerka.rest.pagination import PAGES
from osmosmjerka.rest.requests import user_of
from osmosmjerka.rest.serializers import (
    CodeOf,
    IdOf,
    RequestSerializer,
    read_body,
    read_query,
    within,
)
from osmosmjerka.rest.views import ApiView
from puzzles import access
from puzzles.assignments import services as assignments
from puzzles.assignments.selectors import in_state
from puzzles.assignments.status import AssignmentLine, Status, assignment_lines, lines_of_classes
from puzzles.kinds import KIND_CHOICES, KINDS
from puzzles.making import choice, drafts
from puzzles.making import services as making
from puzzles.models import MOST_ATTEMPTS, Assignment, Puzzle
from vocab.access import vocabulary_lists
from vocab.models import Entry, VocabularyList

STATUSES = [how.value for how in Status]


class ScheduleSerializer(RequestSerializer):
    """When and how often an assignment is played, and by whom."""

    is_draft = serializers.BooleanField(required=False, help_text="Students do not see a draft.")
    opens_at = serializers.DateTimeField(required=False, allow_null=True)
    due_at = serializers.DateTimeField(required=False, allow_null=True)
    closes_at = serializers.DateTimeField(required=False, allow_null=True)
    attempts = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_ATTEMPTS,
        help_text="How many attempts each student has.",
    )
    counting = OneOf(
        choices=Assignment.Counting.choices, required=False, help_text="Which attempt counts."
    )
    chosen_students = IdsField(required=False, help_text="Ids of students; empty: the whole class.")


class AssignmentChangesSerializer(ScheduleSerializer):
    """Changes to an assignment. It must open, be due and close in this order."""

    is_adaptive = serializers.BooleanField(
        required=False, help_text="Give each student a puzzle of the words they should review."
    )
    pinned = IdsField(
        required=False, help_text="Ids of words that every student gets if it is adaptive."
    )
    excused = IdsField(required=False, help_text="Ids of all students who are excused.")


class GiveSerializer(AssignmentChangesSerializer):
    """What to assign: a puzzle, or words of a list from which a puzzle is created."""

    puzzle = CodeOf(
        lambda person: access.puzzles(person, "manage"),
        required=False,
        help_text="The code of your puzzle; or send `vocabulary_list` and `kind`.",
    )
    vocabulary_list = IdOf(lambda person: vocabulary_lists(person, "make puzzles"), required=False)
    kind = OneOf(choices=KIND_CHOICES, required=False)
    title = serializers.CharField(required=False, allow_blank=True, max_length=200)
    settings = serializers.DictField(required=False, help_text="Settings of this kind of puzzle.")
    entries = IdsField(required=False, help_text="Ids of words of the list; empty: all words.")
    which = serializers.RegexField(
        "^(unknown|hardest|new|tag:.+|pos:.+)$",
        required=False,
        max_length=300,
        help_text="Instead of `entries`: the words that the class does not know yet, its hardest, "
        "the new ones of the last seven days, or those with a tag or part of speech.",
    )

    def validate(self, wanted: dict[str, Any]) -> dict[str, Any]:
        is_made = "vocabulary_list" in wanted and "kind" in wanted
        if ("puzzle" in wanted) == is_made:
            raise serializers.ValidationError(
                {"puzzle": [_("Send either a puzzle, or a list and a puzzle type.")]}
            )
        if "which" in wanted and (not is_made or wanted.get("entries")):
            raise serializers.ValidationError(
                {"which": [_("Choose words of a list either by their ids or by a rule.")]}
            )
        return wanted


class PathSerializer(ScheduleSerializer):
    """What to assign as a path: words of a list, of which a puzzle of each kind is created."""

    vocabulary_list = IdOf(lambda person: vocabulary_lists(person, "make puzzles"))
    title = serializers.CharField(required=False, allow_blank=True, max_length=200)
    entries = IdsField(required=False, help_text="Ids of words of the list; empty: all words.")


class StudentStatusSerializer(serializers.Serializer[Any]):
    """The status of one student."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    status = OneOf(choices=STATUSES)
    attempts = serializers.IntegerField(help_text="How many attempts the student started.")


class CountsSerializer(serializers.Serializer[Any]):
    """How many students have the assignment, and how many have each status."""

    students = serializers.IntegerField()
    done = serializers.IntegerField(help_text="On time or late.")
    started = serializers.IntegerField()
    needing_help = serializers.IntegerField(
        help_text="More than a third of their words took hints or were shown, also at the finish."
    )
    overdue = serializers.IntegerField(help_text="Not finished by the due date.")
    not_started = serializers.IntegerField()


class AssignmentSerializer(serializers.Serializer[Any]):
    """An assignment as shown to those who follow its class."""

    id = serializers.IntegerField(source="assignment.pk")
    classroom = serializers.IntegerField(source="assignment.classroom_id")
    puzzle = serializers.CharField(source="assignment.puzzle.code", help_text="The puzzle's code.")
    title = serializers.CharField(source="assignment.puzzle.title")
    kind = OneOf(source="assignment.puzzle.kind", choices=KIND_CHOICES)
    vocabulary_list = serializers.IntegerField(source="assignment.puzzle.vocabulary_list_id")
    state = OneOf(
        source="assignment.state", choices=Assignment.State.choices, help_text="Follows its dates."
    )
    is_draft = serializers.BooleanField(source="assignment.is_draft")
    opens_at = serializers.DateTimeField(source="assignment.opens_at", allow_null=True)
    due_at = serializers.DateTimeField(source="assignment.due_at", allow_null=True)
    closes_at = serializers.DateTimeField(source="assignment.closes_at", allow_null=True)
    archived_at = serializers.DateTimeField(source="assignment.archived_at", allow_null=True)
    created_at = serializers.DateTimeField(source="assignment.created_at")
    attempts = serializers.IntegerField(source="assignment.attempts")
    counting = OneOf(source="assignment.counting", choices=Assignment.Counting.choices)
    is_adaptive = serializers.BooleanField(source="assignment.is_adaptive")
    pinned = serializers.ListField(source="assignment.pinned", child=serializers.IntegerField())
    chosen_students = serializers.SerializerMethodField(help_text="Ids; empty: the whole class.")
    counts = CountsSerializer(source="*")

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField()))
    def get_chosen_students(self, line: AssignmentLine) -> list[int]:
        return [student.pk for student in line.assignment.chosen_students.all()]


class AssignmentDetailSerializer(AssignmentSerializer):
    """An assignment with the status of each of its students."""

    students = serializers.SerializerMethodField()

    @extend_schema_field(StudentStatusSerializer(many=True))
    def get_students(self, line: AssignmentLine) -> list[dict[str, Any]]:
        return [
            {"id": student.pk, "name": str(student), "status": how.value, "attempts": attempts}
            for student, how, attempts in line.student_lines
        ]


class AdaptedWordSerializer(serializers.Serializer[Any]):
    entry = serializers.IntegerField()
    term = serializers.CharField()


class PreviewSerializer(serializers.Serializer[Any]):
    """The words that one student would get now if it were adaptive, most needed first."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    words = AdaptedWordSerializer(many=True)


def _readable(given: QuerySet[Assignment]) -> QuerySet[Assignment]:
    return (
        given.select_related("puzzle__vocabulary_list", "classroom")
        .defer("puzzle__grid", "puzzle__unplaced")
        .prefetch_related("chosen_students")
    )


def _changes(
    wanted: dict[str, Any], classroom: Classroom, vocabulary_list: VocabularyList
) -> dict[str, Any]:
    """Return the arguments of `assignments.change`. Errors do not tell who a stranger is."""
    changes = {name: wanted[name] for name in AssignmentChangesSerializer().fields & wanted.keys()}
    students = {student.pk: student for student in students_of(classroom)}
    for name in changes.keys() & {"chosen_students", "excused"}:
        if set(changes[name]) - students.keys():
            raise serializers.ValidationError({name: [_("Choose students of this class.")]})
        changes[name] = [students[pk] for pk in changes[name]]
    if "pinned" in changes:
        _entries("pinned", changes["pinned"], vocabulary_list)
    return changes


def _entries(name: str, wanted: list[int], vocabulary_list: VocabularyList) -> list[Entry]:
    """Return the entries of a list by their ids, in this order."""
    known = vocabulary_list.entries.in_bulk(wanted)
    if set(wanted) - known.keys():
        raise serializers.ValidationError({name: [_("Choose words from this list.")]})
    return [known[pk] for pk in dict.fromkeys(wanted)]


_ORDERS: dict[str, Sequence[Any]] = {
    "-created_at": ("-created_at", "-pk"),
    "created_at": ("created_at", "pk"),
    "due_at": (F("due_at").asc(nulls_last=True), "pk"),
}


class FindAssignmentsSerializer(serializers.Serializer[Any]):
    """Which assignments are asked for."""

    state = OneOf(choices=Assignment.State.choices, required=False)
    ordering = OneOf(
        choices=list(_ORDERS), required=False, help_text="By default, the newest first."
    )


class FindOwnAssignmentsSerializer(FindAssignmentsSerializer):
    """Which assignments of all your classes are asked for."""

    classroom = IdField(required=False, help_text="The id of a class.")
    puzzle = serializers.CharField(
        source="puzzle__code", required=False, max_length=50, help_text="A puzzle’s code."
    )


def _find(
    given: QuerySet[Assignment],
    at: datetime,
    *,
    ordering: str = "-created_at",
    state: str | None = None,
    **asked: Any,
) -> QuerySet[Assignment]:
    """Return those of *given* that are asked for at a moment, in order."""
    if state is not None:
        given = given.filter(in_state(state, at))
    return _readable(given.filter(**asked).order_by(*_ORDERS[ordering]))


class ClassAssignmentsView(ApiView, generics.GenericAPIView[Assignment]):
    """The assignments of a class."""

    serializer_class = AssignmentSerializer
    queryset = Assignment.objects.none()
    asks = {"get": [FindAssignmentsSerializer, *PAGES]}

    @extend_schema(responses=AssignmentSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return the assignments of a class that you follow, archived ones too."""
        classroom = get_object_or_404(classrooms(request.user, "see progress"), pk=pk)
        asked, at = read_query(request, FindAssignmentsSerializer), timezone.now()
        page = self.paginate_queryset(_find(classroom.assignments.all(), at, **asked)) or []
        lines = assignment_lines(page, students_of(classroom), at)
        return self.get_paginated_response(AssignmentSerializer(lines, many=True).data)

    @extend_schema(request=GiveSerializer, responses={201: AssignmentDetailSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Assign a puzzle to a class that you teach.

        Send either `puzzle`, or `vocabulary_list` and `kind`, from which a new puzzle is created.
        If the class already has the puzzle, its assignment is changed and restored if archived.
        Returns 201 and the assignment, 404 if the class is archived or not yours, and 400 if a
        student is not in the class, a word is not in the list, the due date is past, or the
        settings are known to be impossible for the words.
        """
        classroom = get_object_or_404(
            classrooms(request.user, "assign").filter(archived_at=None), pk=pk
        )
        wanted = read_body(request, GiveSerializer)
        with within("settings", but=["due_at"]), transaction.atomic():
            assignment = _give(wanted, classroom, user_of(request))
        return Response(_detail(assignment), status=status.HTTP_201_CREATED)


class ClassPathView(ApiView):
    @extend_schema(request=PathSerializer, responses={201: AssignmentSerializer(many=True)})
    def post(self, request: Request, pk: int) -> Response:
        """Assign a puzzle of each kind with the same words to a class that you teach.

        Students see, hear and then type the words. A kind that can ask too few of them is left out.
        Returns 201 and the assignments, 404 if the class is archived or not yours, and 400 if no
        kind can ask the words, a student is not in the class, a word is not in the list or the due
        date is past.
        """
        classroom = get_object_or_404(
            classrooms(request.user, "assign").filter(archived_at=None), pk=pk
        )
        wanted = read_body(request, PathSerializer)
        vocabulary_list = wanted["vocabulary_list"]
        with within("settings", but=["due_at"]):
            puzzles = assignments.give_path(
                created_by=user_of(request),
                vocabulary_list=vocabulary_list,
                entries=[
                    one.pk
                    for one in _entries("entries", wanted.get("entries", []), vocabulary_list)
                ],
                title=wanted.get("title", ""),
                classrooms=[classroom],
                schedule=_changes(wanted, classroom, vocabulary_list),
            )
        given = _readable(Assignment.objects.filter(puzzle__in=puzzles).order_by("pk"))
        lines = assignment_lines(given, students_of(classroom), timezone.now())
        return Response(AssignmentSerializer(lines, many=True).data, status=status.HTTP_201_CREATED)


def _give(wanted: dict[str, Any], classroom: Classroom, person: User) -> Assignment:
    puzzle: Puzzle | None = wanted.get("puzzle")
    vocabulary_list = puzzle.vocabulary_list if puzzle else wanted["vocabulary_list"]
    changes = _changes(wanted, classroom, vocabulary_list)
    entries = _entries("entries", wanted.get("entries", []), vocabulary_list)
    if "which" in wanted:
        entries = _suggested(wanted, classroom, vocabulary_list)
    new: dict[str, Any] = {
        name: wanted[name] for name in ("kind", "title", "settings") if name in wanted
    }
    if puzzle is None and entries:
        return assignments.give_words(
            classroom=classroom,
            vocabulary_list=vocabulary_list,
            entries=entries,
            created_by=person,
            schedule=changes,
            **new,
        )
    if puzzle is None:
        new |= {"vocabulary_list": vocabulary_list, "seed": making.new_seed()}
        if "settings" in new and not changes.get("is_adaptive"):
            made_of = {name: value for name, value in new.items() if name != "title"}
            drafts.refuse_impossible(**made_of, entries=[])
    puzzle = assignments.give(
        created_by=person, classrooms=[classroom], puzzle=puzzle, schedule=changes, **new
    )
    return puzzle.assignments.get(classroom=classroom)


def _suggested(
    wanted: dict[str, Any], classroom: Classroom, vocabulary_list: VocabularyList
) -> list[Entry]:
    kind = KINDS[wanted["kind"]]
    settings = making.clean_settings(kind, wanted.get("settings", {}))
    students = students_of(classroom)
    entries, _unfit = choice.suggested(
        vocabulary_list, wanted["which"], settings["words"], kind, students=students
    )
    if not entries:
        raise serializers.ValidationError({"which": [_("No words in the list match this choice.")]})
    return entries


def _detail(assignment: Assignment) -> dict[str, Any]:
    students = students_of(assignment.classroom)
    [line] = assignment_lines([assignment], students, timezone.now())
    return dict(AssignmentDetailSerializer(line).data)


class AssignmentViewSet(ApiView, viewsets.GenericViewSet[Assignment]):
    """Assignments of classes that you follow. You can change those of classes that you teach."""

    serializer_class = AssignmentDetailSerializer
    queryset = Assignment.objects.none()
    asks = {"list": [FindOwnAssignmentsSerializer, *PAGES]}

    def get_queryset(self) -> QuerySet[Assignment]:
        reads = self.action in {"list", "retrieve"}
        may: ClassroomAction = "see progress" if reads else "assign"
        given = Assignment.objects.filter(classroom__in=classrooms(self.request.user, may))
        return _readable(given)

    @extend_schema(responses=AssignmentSerializer(many=True))
    def list(self, request: Request) -> Response:
        """Return the assignments of all classes that you follow, archived ones too.

        Students get theirs at `/api/todo/`.
        """
        asked, at = read_query(request, FindOwnAssignmentsSerializer), timezone.now()
        page = self.paginate_queryset(_find(self.get_queryset(), at, **asked)) or []
        students = students_of_classes({one.classroom for one in page})
        lines = lines_of_classes(page, students, at)
        return self.get_paginated_response(AssignmentSerializer(lines, many=True).data)

    def retrieve(self, request: Request, pk: int) -> Response:
        """Return an assignment with the status of each student."""
        return Response(_detail(self.get_object()))

    @extend_schema(request=AssignmentChangesSerializer)
    def partial_update(self, request: Request, pk: int) -> Response:
        """Change an assignment: dates, students, excused students and how it is played.

        Only the fields that are sent are changed. Returns the changed assignment, or 400 if the
        dates are not in order or a student is not in the class.
        """
        assignment = self.get_object()
        wanted = read_body(request, AssignmentChangesSerializer)
        changes = _changes(wanted, assignment.classroom, assignment.puzzle.vocabulary_list)
        assignments.change(assignment=assignment, **changes)
        return Response(_detail(self.get_object()))

    @extend_schema(request=None)
    @action(detail=True, methods=["post"])
    def close(self, request: Request, pk: int) -> Response:
        """Close an assignment: nobody can start it; students who have started can finish."""
        return Response(_detail(assignments.close(assignment=self.get_object())))

    @extend_schema(request=None)
    @action(detail=True, methods=["post"])
    def archive(self, request: Request, pk: int) -> Response:
        """Archive an assignment: it still counts in figures, but students no longer see it."""
        return Response(_detail(assignments.archive(assignment=self.get_object())))

    @extend_schema(request=None)
    @action(detail=True, methods=["post"])
    def restore(self, request: Request, pk: int) -> Response:
        """Restore an assignment from the archive."""
        return Response(_detail(assignments.restore(assignment=self.get_object())))

    @extend_schema(responses=PreviewSerializer(many=True))
    @action(detail=True, pagination_class=None)
    def preview(self, request: Request, pk: int) -> Response:
        """Return the words that each student would get now if the assignment were adaptive."""
        return Response(
            [
                {
                    "id": student.pk,
                    "name": str(student),
                    "words": [{"entry": entry.pk, "term": entry.term} for entry in words],
                }
                for student, words in assignments.preview(self.get_object())
            ]
        )
