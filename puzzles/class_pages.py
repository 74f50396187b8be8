"""Helpers for the pages of a class: the class, its students, and tables as files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.accounts.selectors import students_of
from osmosmjerka.i18n.numbers import decimal_mark
from osmosmjerka.web.views import SignedInRequest, download
from puzzles.exports import tables
from vocab.memory.rules import zone_of

Parameters = ParamSpec("Parameters")


def in_school_time(
    view: Callable[Concatenate[SignedInRequest, Parameters], HttpResponse],
) -> Callable[Concatenate[SignedInRequest, Parameters], HttpResponse]:
    """Read and show dates in the time zone of the person's school."""

    def there(
        request: SignedInRequest, /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> HttpResponse:
        with timezone.override(zone_of(request.user.school)):
            return view(request, *args, **kwargs)

    return wraps(view)(there)


def wanted_format(request: SignedInRequest) -> str:
    """Return the file format that the request asks for, or "" for the page itself."""
    wanted = request.GET.get("format", "")
    return wanted if wanted in tables.FORMATS else ""


def table_file(
    file_format: str, title: str, head: Sequence[str], rows: Iterable[Sequence[tables.Value]],
    *about: str,
) -> HttpResponse:  # fmt: skip
    """Return a dashboard's figures as a file to download.

    Its name has *title*, what else it is *about*, and the day. A CSV file is written as a
    spreadsheet in the reader's language reads it.
    """
    parts = [*map(tables.name_of, (title, *about)), timezone.localdate().isoformat()]
    filename = f"{' – '.join(parts)}.{file_format}"
    is_comma = decimal_mark() == ","
    data = tables.table(file_format, head, rows, title=title, is_comma_decimal=is_comma)
    return download(data, tables.FORMATS[file_format], filename)


def followed(request: SignedInRequest, pk: int) -> Classroom:
    return get_object_or_404(classrooms(request.user, "see progress"), pk=pk)


def may_assign(request: SignedInRequest, classroom: Classroom) -> bool:
    return classrooms(request.user, "assign").filter(pk=classroom.pk).exists()


def student_of(classroom: Classroom, pk: int) -> User:
    return one_of(students_of(classroom), pk)


def one_of(students: Iterable[User], pk: int) -> User:
    """Return the student with a key, of those of a class; 404 if there is none."""
    for student in students:
        if student.pk == pk:
            return student
    raise Http404
