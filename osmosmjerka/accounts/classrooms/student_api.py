"""The students of a class, their accounts and login cards in the API."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.fields import empty
from rest_framework.request import Request
from rest_framework.response import Response

from osmosmjerka.accounts import access
from osmosmjerka.accounts.access import StudentAction, classrooms
from osmosmjerka.accounts.auth import cards, passwords
from osmosmjerka.accounts.classrooms import joining, roster_imports
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.classrooms.requests import (
    class_roster,
    classroom_for,
    door_address,
    managed_classroom,
    running_classroom,
    running_classrooms,
)
from osmosmjerka.accounts.classrooms.roster import (
    MAX_LINES,
    ORDERS,
    Roster,
    parse_file,
    parse_roster,
    roster_of_names,
)
from osmosmjerka.accounts.classrooms.roster_plan import Item
from osmosmjerka.accounts.classrooms.tables import MAX_FILE, MAX_TEXT
from osmosmjerka.accounts.fields import (
    LONGEST_OF_STUDENTS,
    SHORTEST_OF_STUDENTS,
    check_student_password,
    clean_username,
)
from osmosmjerka.accounts.models import (
    Classroom,
    JoinRequest,
    Membership,
    RosterImport,
    User,
)
from osmosmjerka.accounts.people import clean_display_name
from osmosmjerka.accounts.privacy import services as privacy
from osmosmjerka.accounts.schools.api import StudentSerializer
from osmosmjerka.accounts.selectors import members_by_name
from osmosmjerka.i18n import code_pages
from osmosmjerka.rest.fields import IdsField, NamedSerializer, OneOf
from osmosmjerka.rest.pagination import PAGES
from osmosmjerka.rest.requests import (
    PlainJSONParser,
    PlainMultiPartParser,
    teacher_of,
    user_of,
)
from osmosmjerka.rest.schema import refusal
from osmosmjerka.rest.serializers import IdOf, RequestSerializer, about, read_body
from osmosmjerka.rest.views import ApiView
from osmosmjerka.web.addresses import only_here

_STUDENT = Membership.Role.STUDENT


class OneStudentSerializer(StudentSerializer):
    """A student's account, with the classes in which you may see them."""

    classes = NamedSerializer(many=True)


class NewStudentSerializer(RequestSerializer):
    """A student to be added."""

    name = serializers.CharField(max_length=200, help_text="A first name or nickname is enough.")
    is_other = serializers.BooleanField(
        default=False,
        help_text="Whether this is not the student of this name who is in the class already.",
    )


class OptionalSwitch(serializers.BooleanField):
    """A switch that is neither on nor off in a form which does not send it."""

    default_empty_html = empty


class RosterOptionsSerializer(RequestSerializer):
    """How a roster is read; anything omitted is guessed."""

    shorten = OptionalSwitch(
        required=False,
        help_text="Of a roster: shorten surnames to their first letter, which is the default.",
    )
    order = OneOf(
        choices=ORDERS,
        required=False,
        help_text="Of a roster: which name comes first, if no column says which is the surname.",
    )


class NewStudentsSerializer(RosterOptionsSerializer):
    """Students to be added: one by one, or as text."""

    students = serializers.ListField(
        child=NewStudentSerializer(), required=False, allow_empty=False, max_length=MAX_LINES
    )
    roster = serializers.CharField(
        required=False,
        trim_whitespace=False,
        max_length=MAX_TEXT,
        help_text="One student per line, or a table with a header (CSV or tabs).",
    )

    def validate_roster(self, text: str) -> str:
        if not text.strip():
            self.fields["roster"].fail("blank")
        return text

    def validate(self, wanted: dict[str, Any]) -> dict[str, Any]:
        if ("students" in wanted) == ("roster" in wanted):
            raise serializers.ValidationError(
                {"students": [_("Send either students or a roster.")]}
            )
        if "students" in wanted and "shorten" in wanted:
            problem = _(
                "Only names in a roster are shortened. Send a roster, or leave out “shorten”."
            )
            raise serializers.ValidationError({"shorten": [problem]})
        return wanted


class RosterFileSerializer(RosterOptionsSerializer):
    """Students to be added, as a file: CSV or other text, XLSX, or OneRoster (ZIP)."""

    file = serializers.FileField()
    encoding = serializers.ChoiceField(
        choices=code_pages.ENCODINGS,
        required=False,
        help_text="Of a text. Choose one if the `warnings` say that it was guessed wrongly.",
    )


# What was done for a line, by the outcome that a preview would show.
_RESULTS = {
    "new": "added",
    "returning": "added",
    "changed": "renamed",
    "known": "present",
    "alike": "alike",
    "repeated": "repeated",
    "foreign": "skipped",
    "refused": "skipped",
}
RESULTS = list(dict.fromkeys(_RESULTS.values()))


class AddedSerializer(serializers.Serializer[Any]):
    """What was done for one student."""

    line = serializers.IntegerField(help_text="Of the roster, or the number in `students`, from 1.")
    read = serializers.CharField(help_text="The name that was read.")
    result = OneOf(
        choices=RESULTS,
        help_text="`added`: with a new account or, from another class of the school, with the old "
        "one. `renamed`: a known student has a new name. `present`: in the class already. `alike`: "
        "not added, because the surname is shortened and `student` of the class has the same name "
        "then; if it is somebody else, send the name in `students` with `is_other`. `repeated`: an "
        "earlier line has this name. `skipped`: see `problem`.",
    )
    student = serializers.IntegerField(
        allow_null=True, help_text="Null if skipped or the line repeats another."
    )
    name = serializers.CharField(allow_blank=True, help_text="The display name.")
    problem = serializers.CharField(allow_blank=True)


class AddedStudentsSerializer(serializers.Serializer[Any]):
    """What was done for each student, in their order."""

    id = serializers.IntegerField(
        help_text="Of the roster: `DELETE /api/classes/{id}/rosters/{roster_pk}/` undoes it."
    )
    results = AddedSerializer(many=True)
    warnings = serializers.ListField(
        child=serializers.CharField(),
        help_text="What was guessed of a roster, such as the encoding of a file.",
    )


class ClassStudentsView(ApiView, generics.GenericAPIView[Membership]):
    serializer_class = StudentSerializer
    queryset = Membership.objects.none()
    asks = {"get": PAGES}
    parser_classes = (PlainJSONParser, PlainMultiPartParser)

    @extend_schema(responses=StudentSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return the students of a class that you follow, by name."""
        found = classroom_for(request, "see progress", pk)
        members = members_by_name(
            found.memberships.filter(role=_STUDENT).select_related("user__card").order_by()
        )
        page: Any = self.paginate_queryset(members)
        students = [member.user for member in page]
        return self.get_paginated_response(StudentSerializer(students, many=True).data)

    @extend_schema(
        request={
            "application/json": NewStudentsSerializer,
            "multipart/form-data": RosterFileSerializer,
        },
        responses={201: AddedStudentsSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Add students to a class that you teach, with new accounts.

        Send `students` with their names, a `roster`, or a `file` in a multipart form. Who has the
        name of a student of the class is taken for that student, so that sending a roster twice
        adds nobody twice. Ids in a roster, such as `sourcedId`, find students of the school who
        have an account. The response is 400, and nobody is added, if a name in `students` cannot
        be, or the class would be too large.
        """
        found = running_classroom(request, pk)
        is_form = (request.content_type or "").startswith("multipart/")
        wanted = read_body(request, RosterFileSerializer if is_form else NewStudentsSerializer)
        roster = _roster_of(wanted)
        others = [line for line, one in enumerate(wanted.get("students", ()), 1) if one["is_other"]]
        made, items = roster_imports.add_at_once(
            classroom=found,
            roster=roster,
            actor=user_of(request),
            choices=dict.fromkeys(others, "other"),
        )
        told = {
            "id": made.pk,
            "results": [_result(item, item.line in others) for item in items],
            "warnings": roster.warnings,
        }
        return Response(AddedStudentsSerializer(told).data, status=201)


def _roster_of(wanted: dict[str, Any]) -> Roster:
    shorten, order = wanted.get("shorten", True), wanted.get("order", "")
    if "roster" in wanted:
        with about("roster"):
            return parse_roster(wanted["roster"], shorten=shorten, order=order)
    if "file" in wanted:
        data, encoding = wanted["file"].read(MAX_FILE + 1), wanted.get("encoding")
        with about("file"):
            return parse_file(data, shorten=shorten, order=order, encoding=encoding)
    roster = roster_of_names(one["name"] for one in wanted["students"])
    if roster.problems:
        wrong: Any = {line.number - 1: {"name": [line.problem]} for line in roster.problems}
        raise serializers.ValidationError({"students": wrong})
    return roster


def _result(item: Item, is_other: bool) -> dict[str, Any]:
    is_added = is_other and "other" in item.choices
    result = "added" if is_added else _RESULTS[item.outcome]
    if result == "alike" and item.read.casefold() == item.student_name.casefold():
        result = "present"
    return {
        "line": item.line,
        "read": item.read,
        "result": result,
        "student": None if result == "skipped" else item.student,
        "name": item.name if result in {"added", "renamed"} else item.student_name,
        "problem": item.problem,
    }


class RosterSerializer(serializers.ModelSerializer[RosterImport]):
    """Students who were added together."""

    students = serializers.IntegerField(help_text="How many were added or renamed.")

    class Meta:
        model = RosterImport
        fields = ("id", "added_at", "students")


class ClassRostersView(ApiView):
    @extend_schema(responses=RosterSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return what was added to a class in the last 30 days and can be undone, newest first."""
        rosters = roster_imports.undoable(managed_classroom(request, pk)).annotate(
            students=Count("lines")
        )
        return Response(RosterSerializer(rosters, many=True).data)


class ClassRosterView(ApiView):
    @extend_schema(responses={204: None, 400: refusal("This can no longer be undone.")})
    def delete(self, request: Request, pk: int, roster_pk: int) -> Response:
        """Undo adding students, for 30 days.

        Accounts that were created and that nobody has used are deleted; other students are only
        removed from the class. Names that were changed are given back.
        """
        roster = class_roster(request, pk, roster_pk)
        roster_imports.undo(roster=roster, actor=user_of(request))
        return Response(status=204)


class ClassStudentView(ApiView):
    @extend_schema(request=None, responses=StudentSerializer)
    def put(self, request: Request, pk: int, student: int) -> Response:
        """Add a student who has an account at the school to one more class that you teach."""
        person = user_of(request)
        found = running_classroom(request, pk)
        added = get_object_or_404(_students(person, "add to class"), pk=student)
        classes.add_to_class(student=added, classroom=found, actor=person)
        return Response(StudentSerializer(added).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, student: int) -> Response:
        """Remove a student from a class that you teach. The account stays."""
        person = user_of(request)
        found = managed_classroom(request, pk)
        places = access.endable_places(person, found).filter(role=_STUDENT)
        place = get_object_or_404(places.select_related("user", "classroom__school"), user=student)
        classes.remove_member(membership=place, actor=person)
        return Response(status=204)


class MoveStudentsSerializer(RequestSerializer):
    """Who is to move, and where."""

    students = IdsField(allow_empty=False, help_text="Ids of students of the class.")
    classroom = IdOf(running_classrooms, help_text="Another class of the school that you teach.")


class CountSerializer(serializers.Serializer[Any]):
    """To how many this was done."""

    count = serializers.IntegerField()


class MoveStudentsView(ApiView):
    @extend_schema(request=MoveStudentsSerializer, responses=CountSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Move students to another class of the school, with everything they learned.

        The response is 400, and nobody is moved, if one of them is not in the class.
        """
        origin = managed_classroom(request, pk)
        wanted = read_body(request, MoveStudentsSerializer)
        moving = _members(origin, wanted["students"])
        moved = classes.move_students(
            students=moving,
            origin=origin,
            target=wanted["classroom"],
            actor=user_of(request),
        )
        return Response(CountSerializer({"count": moved}).data)


class WaitingSerializer(serializers.ModelSerializer[JoinRequest]):
    """A visitor with the class code who waits to be let in."""

    class Meta:
        model = JoinRequest
        fields = ("id", "name", "created_at")


class WaitingView(ApiView):
    @extend_schema(responses=WaitingSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Return who waits to be let into a class that you teach, the first first."""
        waiting = joining.waiting(managed_classroom(request, pk))
        return Response(WaitingSerializer(waiting, many=True).data)


class RequestsSerializer(RequestSerializer):
    """Who of the waiting is meant."""

    requests = IdsField(allow_empty=False)


class AcceptView(ApiView):
    @extend_schema(request=RequestsSerializer, responses=CountSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Let some of the waiting into the class: each gets an account and sees their card."""
        found, chosen = running_classroom(request, pk), _requests(request)
        count = joining.accept(classroom=found, requests=chosen, actor=user_of(request))
        return Response(CountSerializer({"count": count}).data)


class RefuseView(ApiView):
    @extend_schema(request=RequestsSerializer, responses=CountSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Refuse some of the waiting."""
        count = joining.refuse(
            classroom=running_classroom(request, pk), requests=_requests(request)
        )
        return Response(CountSerializer({"count": count}).data)


def _requests(request: Request) -> list[int]:
    chosen: list[int] = read_body(request, RequestsSerializer)["requests"]
    return chosen


class NewCardsSerializer(RequestSerializer):
    """Who gets a new card: chosen students, or a group."""

    students = IdsField(
        required=False, allow_empty=False, help_text="Ids of students of the class."
    )
    which = OneOf(
        choices=["all", "missing", "never"],
        required=False,
        help_text="All students, those without a card, or those who never logged in.",
    )

    def validate(self, wanted: dict[str, Any]) -> dict[str, Any]:
        if ("students" in wanted) == ("which" in wanted):
            raise serializers.ValidationError(
                {"students": [_("Choose students either by their ids or by `which`.")]}
            )
        return wanted


class CardSerializer(serializers.Serializer[Any]):
    """A login card, as it is to be printed."""

    student = serializers.IntegerField(source="student.pk")
    name = serializers.CharField(source="student.display_name")
    username = serializers.CharField(source="student.username")
    words = serializers.CharField(help_text="Typed with the name on the login page of the class.")
    pictures = serializers.ListField(
        child=serializers.CharField(), help_text="Tapped there, if the class uses pictures."
    )
    url = serializers.SerializerMethodField(help_text="For the QR code; it logs in at once.")

    def get_url(self, card: cards.PaperCard) -> str:
        return f"{self.context['card_address']}#{card.token}"


class CardsSerializer(serializers.Serializer[Any]):
    """New cards. They are shown only now."""

    login_url = serializers.CharField(help_text="The login page of the class.")
    warning = serializers.CharField(
        help_text="Why phones cannot open these links, and what to do; empty if they can."
    )
    cards = CardSerializer(many=True)


class ClassCardsView(ApiView):
    @extend_schema(request=NewCardsSerializer, responses={201: CardsSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Create new login cards for students of a class that you teach.

        The cards are in this response only: they are stored as hashes. A new card immediately
        disables every other way to log in: the old card, the password, sessions and API tokens.
        Students of other schools, who joined with the code, are left out. The response is 400,
        and no card is created, if one of the students is not in the class, or nobody is left.
        """
        found = running_classroom(request, pk)
        wanted = read_body(request, NewCardsSerializer)
        ids = wanted.get("students", ())
        _members(found, ids)
        chosen = classes.students_for_cards(
            classroom=found,
            actor=user_of(request),
            which=wanted.get("which", ""),
            chosen=ids,
        )
        made = cards.issue_cards(students=chosen, actor=user_of(request), classroom=found)
        told = {
            "login_url": door_address(request, found),
            "warning": str(only_here(request) or ""),
            "cards": made,
        }
        context = {"card_address": request.build_absolute_uri(reverse("card"))}
        response = Response(CardsSerializer(told, context=context).data, status=201)
        response["Cache-Control"] = "no-store, private"
        return response


class NewAccountSerializer(RequestSerializer):
    """A student who logs in with a username and a password that you choose."""

    classroom = IdOf(running_classrooms)
    name = serializers.CharField(max_length=80)
    username = serializers.CharField(max_length=150, validators=[User.username_validator])
    password = serializers.CharField(
        write_only=True, min_length=SHORTEST_OF_STUDENTS, max_length=LONGEST_OF_STUDENTS
    )

    def validate_name(self, name: str) -> str:
        return clean_display_name(name)

    def validate_username(self, username: str) -> str:
        return clean_username(username)

    def validate_password(self, password: str) -> str:
        check_student_password(password)
        return password


class StudentsView(ApiView):
    is_for_teachers = True

    @extend_schema(request=NewAccountSerializer, responses={201: OneStudentSerializer})
    def post(self, request: Request) -> Response:
        """Create a student with a username and a password, in a class that you teach.

        Most classes need neither: see `/api/classes/{id}/students/` and login cards. The response
        is 400 if the username is taken, or the class is full.
        """
        person = user_of(request)
        wanted = read_body(request, NewAccountSerializer)
        made = classes.create_student(actor=person, display_name=wanted.pop("name"), **wanted)
        return Response(_told(request, made), status=201)


class StudentNameSerializer(RequestSerializer):
    """Changes to a student's account."""

    name = serializers.CharField(max_length=80, required=False)


class StudentView(ApiView):
    @extend_schema(responses=OneStudentSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Return a student of a class that you teach; for school admins, any of the school."""
        return Response(_told(request, _student(request, "rename", pk)))

    @extend_schema(request=StudentNameSerializer, responses=OneStudentSerializer)
    def patch(self, request: Request, pk: int) -> Response:
        """Give a student another display name."""
        found = _student(request, "rename", pk)
        wanted = read_body(request, StudentNameSerializer)
        if "name" in wanted:
            with about("name"):
                classes.rename_student(
                    student=found, actor=user_of(request), display_name=wanted["name"]
                )
        return Response(_told(request, found))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a student's account. It can be restored from the bin for 30 days.

        You must teach all classes of the student, or be the school's admin.
        """
        found = _student(request, "erase", pk)
        privacy.delete_student(person=found, actor=user_of(request))
        return Response(status=204)


class StudentPasswordSerializer(RequestSerializer):
    """A new password."""

    password = serializers.CharField(
        write_only=True, min_length=SHORTEST_OF_STUDENTS, max_length=LONGEST_OF_STUDENTS
    )


class StudentPasswordView(ApiView):
    @extend_schema(request=StudentPasswordSerializer, responses={204: None})
    def put(self, request: Request, pk: int) -> Response:
        """Give a student a password. Sessions and API tokens end, the login card stays.

        The response is 400 for a common password.
        """
        found = _student(request, "reset card", pk)
        wanted = read_body(request, StudentPasswordSerializer)
        with about("password"):
            passwords.set_for_student(
                student=found, actor=user_of(request), password=wanted["password"]
            )
        return Response(status=204)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Remove a student's password, so that only a login card works. Sessions and tokens end."""
        found = _student(request, "reset card", pk)
        passwords.remove_from_student(student=found, actor=user_of(request))
        return Response(status=204)


def _members(classroom: Classroom, ids: Iterable[int]) -> list[User]:
    """Return students of a class by their ids; a stranger is told from nobody by no word."""
    places = classroom.memberships.filter(role=_STUDENT, user__in=list(ids)).select_related("user")
    found = [place.user for place in places.order_by()]
    if {one.pk for one in found} != set(ids):
        raise serializers.ValidationError({"students": [_("Choose students of this class.")]})
    return found


def _students(person: User, action: StudentAction) -> QuerySet[User]:
    return access.students(person, action).select_related("card", "school")


def _student(request: Request, action: StudentAction, pk: int) -> User:
    return get_object_or_404(_students(teacher_of(request), action), pk=pk)


def _told(request: Request, student: User) -> dict[str, Any]:
    seen = classrooms(request.user, "see progress").filter(memberships__user=student)
    told = dict(StudentSerializer(student).data)
    return told | {"classes": NamedSerializer(seen, many=True).data}
