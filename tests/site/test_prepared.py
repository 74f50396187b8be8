"""Prepared queries: the same rows as Django's, without building a query each time."""

import uuid
from datetime import date, datetime, timedelta

import pytest
from django.db import connection
from django.db.models import BooleanField, Exists, OuterRef
from django.utils import timezone

from osmosmjerka.accounts.models import BrowserSession, Membership, School, User
from osmosmjerka.db.prepared import Prepared, columns_of, object_of
from puzzles.models import Move, PlaySession
from tests.puzzles.practice.test_practice import find_all
from vocab.models import StudyDay, WordProgress

pytestmark = pytest.mark.database

NAMED = Prepared(
    User,
    lambda name, since: User.objects.filter(username=name, date_joined__gte=since),
    [*columns_of(User), *columns_of(School, "school__")],
    name=str,
    since=datetime,
)


@pytest.mark.django_db
def test_it_gives_the_rows_that_the_queryset_gives(student, school, make_person):
    make_person(User.Role.STUDENT, school, "mia")
    long_ago = timezone.now() - timedelta(days=1)
    for name in ("luka", "mia", "nobody", "%s", "'; --"):
        rows = NAMED.rows(name=name, since=long_ago)
        people = User.objects.filter(username=name).select_related("school")
        assert len(rows) == len(people)
        for row, person in zip(rows, people, strict=True):
            got = object_of(User, row[: len(columns_of(User))])
            assert got == person
            for column in columns_of(User):
                assert getattr(got, column) == getattr(person, column)
            theirs = object_of(School, row[len(columns_of(User)) :])
            assert (theirs, theirs.name) == (person.school, person.school.name)
    assert NAMED.row(name="luka", since=timezone.now() + timedelta(days=1)) is None


@pytest.mark.django_db
@pytest.mark.parametrize("model", [Move, PlaySession, WordProgress])
def test_values_of_all_types_are_those_of_the_model(model, make_puzzle, student):
    find_all(make_puzzle(words=4), student)
    owner = "session__student" if model is Move else "student"
    every = Prepared(
        model,
        lambda person: model.objects.filter(**{owner: person}).order_by("pk"),
        columns_of(model),
        person=int,
    )
    expected = list(model.objects.filter(**{owner: student}).order_by("pk"))
    assert expected
    assert every.rows(person=student.pk) == [
        tuple(getattr(row, column) for column in columns_of(model)) for row in expected
    ]


@pytest.mark.django_db
def test_annotations_are_read_as_their_fields(student, classroom):
    of_class = Membership.objects.filter(user=OuterRef("pk"))
    people = Prepared(
        User,
        lambda pk: User.objects.filter(pk=pk).annotate(is_in_class=Exists(of_class)),
        ["username"],
        {"is_in_class": BooleanField()},
        pk=int,
    )
    assert people.row(pk=student.pk) == ("luka", True)


@pytest.mark.django_db
def test_columns_that_are_left_out_are_read_when_they_are_needed(student):
    only = ("id", "username")
    got = object_of(User, (student.pk, "luka"), only=only)
    assert got.get_deferred_fields() == set(columns_of(User)) - set(only)
    assert got.display_name == student.display_name
    got.display_name = "Luka H."
    got.save()
    student.refresh_from_db()
    assert (student.username, student.display_name) == ("luka", "Luka H.")


@pytest.mark.django_db
def test_it_is_built_once(student, django_assert_num_queries):
    built = []

    def build(pk):
        built.append(pk)
        return User.objects.filter(pk=pk)

    named = Prepared(User, build, ["username"], pk=int)
    assert [named.row(pk=student.pk) for _time in range(3)] == [("luka",)] * 3
    assert len(built) == 1
    with django_assert_num_queries(1):
        named.row(pk=student.pk)


@pytest.mark.django_db
def test_a_place_that_leaves_no_trace_is_an_error(student):
    careless = Prepared(
        User, lambda pk, number: User.objects.filter(pk=pk), ["id"], pk=int, number=int
    )
    with pytest.raises(TypeError, match="number"):
        careless.rows(pk=student.pk, number=1)


@pytest.mark.django_db
def test_values_of_each_type_find_their_row(student):
    sessions = Prepared(
        BrowserSession,
        lambda key, end: BrowserSession.objects.filter(pk=key, expire_date=end),
        ["session_key"],
        key=str,
        end=datetime,
    )
    end = timezone.now()
    BrowserSession.objects.create(pk="key", session_data="", expire_date=end, seen_at=end)
    assert sessions.rows(key="key", end=end) == [("key",)]
    of_id = Prepared(
        PlaySession,
        lambda session: PlaySession.objects.filter(pk=session),
        ["id"],
        session=uuid.UUID,
    )
    assert of_id.rows(session=uuid.uuid4()) == []


@pytest.mark.django_db
def test_any_number_of_ids_is_one_value(student, school, make_person, django_assert_num_queries):
    people = [student, *(make_person(User.Role.STUDENT, school, f"s{n}") for n in range(40))]
    of_ids = Prepared(
        User,
        lambda ids, others: User.objects.filter(pk__any_of=ids).exclude(school__any_of=others),
        ["id"],
        ids=list,
        others=list,
    )
    for wanted in ([], people[:1], people[3:], people):
        ids = {one.pk for one in wanted}
        assert {pk for (pk,) in of_ids.rows(ids=ids, others=[])} == ids
        assert of_ids.rows(ids=ids, others=[school.pk]) == []
    with django_assert_num_queries(1):
        assert User.objects.filter(pk__any_of=range(5000), username="luka").get() == student


@pytest.mark.django_db
def test_a_day_is_a_value(student):
    day = date(2026, 11, 28)
    StudyDay.objects.create(student=student, day=day, reviews=3)
    of_day = Prepared(
        StudyDay, lambda day: StudyDay.objects.filter(day__lte=day), ["day", "reviews"], day=date
    )
    assert of_day.rows(day=day) == [(day, 3)]
    assert of_day.rows(day=day - timedelta(days=1)) == []


@pytest.mark.django_db
# CI runs this on PostgreSQL.
@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL keeps plans")
def test_the_database_plans_it_once(student):
    """What the two settings are for: values are sent apart, and a statement is prepared."""

    def planned():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE %s",
                ['%"accounts_user"."display_name"%'],
            )
            return cursor.fetchone()[0]

    before = planned()
    for _time in range(5):
        NAMED.row(name="luka", since=timezone.now())
    assert planned() == before + 1
