"""Prepared queries: the same rows as Django's, without building a query each time."""

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models.functions import Upper
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from osmosmjerka.accounts.models import BrowserSession, School, User
from osmosmjerka.db import prepared
from osmosmjerka.db.prepared import (
    Insert,
    Prepared,
    Update,
    Writes,
    columns_of,
    instance_of,
    know,
    new_row,
)
from tests.services import wait_until
from vocab.models import Review, StudyDay, Translation, WordProgress

pytestmark = pytest.mark.database

NAMED = Prepared(
    lambda name, since: User.objects.filter(username=name, date_joined__gte=since).values_list(
        *columns_of(User), *columns_of(School, "school__")
    ),
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
            got = instance_of(User, row[: len(columns_of(User))])
            assert got == person
            for column in columns_of(User):
                assert getattr(got, column) == getattr(person, column)
            theirs = instance_of(School, row[len(columns_of(User)) :])
            assert (theirs, theirs.name) == (person.school, person.school.name)
    assert NAMED.row(name="luka", since=timezone.now() + timedelta(days=1)) is None


@pytest.mark.django_db
def test_columns_that_are_left_out_are_read_when_they_are_needed(student):
    only = frozenset({"id", "username"})
    got = instance_of(User, (student.pk, "luka"), only=only)
    assert got.get_deferred_fields() == set(columns_of(User)) - only
    assert got.display_name == student.display_name
    got.display_name = "Luka H."
    got.save()
    student.refresh_from_db()
    assert (student.username, student.display_name) == ("luka", "Luka H.")


@pytest.mark.parametrize("model", [Review, WordProgress, StudyDay])
def test_a_new_row_has_the_values_and_defaults_of_the_constructor(model):
    at = datetime(2026, 11, 24, 9, tzinfo=UTC)
    given = {"student_id": 7} | ({"at": at} if model is Review else {})
    mine, theirs = new_row(model, **given), model(**given)
    for field in model._meta.concrete_fields:
        assert getattr(mine, field.attname) == getattr(theirs, field.attname)
    assert mine._state.adding and mine._state.db is None
    if model is WordProgress:  # what changes is not shared
        mine.state["card"] = 1
        assert new_row(model).state == {}


@pytest.mark.django_db
def test_it_is_built_once(student):
    built = []

    def build(pk):
        built.append(pk)
        return User.objects.filter(pk=pk).values_list("username")

    named = Prepared(build, pk=int)
    assert [named.row(pk=student.pk) for _time in range(3)] == [("luka",)] * 3
    assert len(built) == 1


class CountingLock:
    """A lock that notes who comes to it, before they wait."""

    def __init__(self):
        self.who, self._lock = [], threading.RLock()

    def __enter__(self):
        self.who.append(threading.get_ident())
        self._lock.acquire()

    def __exit__(self, *_error):
        self._lock.release()


@pytest.mark.django_db(transaction=True)
def test_threads_that_need_it_at_once_build_it_once(student, monkeypatch):
    building, built, begin = CountingLock(), [], threading.Barrier(4)
    monkeypatch.setattr(prepared, "_building", building)

    def build(pk):
        built.append(pk)
        wait_until(lambda: len(building.who) == 4)  # all of them have come meanwhile
        return User.objects.filter(pk=pk).values_list("username", "date_joined")

    named = Prepared(build, pk=int)

    def read(_number):
        begin.wait()
        try:
            return named.row(pk=student.pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(read, range(4))) == [("luka", student.date_joined)] * 4
    assert len(built) == 1


@pytest.mark.django_db
def test_a_clock_that_is_read_while_building_is_an_error(student):
    """Otherwise the first call's time would count for ever."""
    late = Prepared(
        lambda pk: BrowserSession.objects.filter(
            user=pk, expire_date__gt=datetime.now(UTC)
        ).values_list("pk"),
        pk=int,
    )
    with pytest.raises(TypeError, match="clock"):
        late.rows(pk=student.pk)


@pytest.mark.django_db
def test_a_place_that_leaves_no_trace_is_an_error(student):
    careless = Prepared(
        lambda pk, number: User.objects.filter(pk=pk).values_list("pk"), pk=int, number=int
    )
    with pytest.raises(TypeError, match="number"):
        careless.rows(pk=student.pk, number=1)


@pytest.mark.django_db
def test_values_of_each_type_find_their_row(student):
    sessions = Prepared(
        lambda key, end: BrowserSession.objects.filter(pk=key, expire_date=end).values_list("pk"),
        key=str,
        end=datetime,
    )
    end = timezone.now()
    BrowserSession.objects.create(pk="key", session_data="", expire_date=end, seen_at=end)
    assert sessions.rows(key="key", end=end) == [("key",)]
    from puzzles.models import PlaySession

    of_id = Prepared(
        lambda session: PlaySession.objects.filter(pk=session).values_list("pk"), session=uuid.UUID
    )
    assert of_id.rows(session=uuid.uuid4()) == []


@pytest.mark.django_db
def test_a_row_that_is_there_is_added_to(student):
    add = Insert(StudyDay, unique=["student", "day"], adding=["reviews", "right"])
    today = timezone.now().date()
    for _time in range(3):
        add([StudyDay(student=student, day=today, reviews=2, right=1)])
    row = StudyDay.objects.get()
    assert (StudyDay.objects.get().reviews, StudyDay.objects.get().right) == (6, 3)
    row.right = 5
    Update(StudyDay, ["right"])([row])
    assert (StudyDay.objects.get().reviews, StudyDay.objects.get().right) == (6, 5)


@pytest.mark.django_db
def test_rows_of_several_tables_are_written_together(student, school):
    add = Insert(StudyDay, unique=["student", "day"], adding=["reviews", "right"])
    today = timezone.now().date()
    StudyDay.objects.create(student=student, day=today, reviews=2, right=1)
    student.display_name, other = "Luka B.", School(name="Other")
    with CaptureQueriesContext(connection) as captured, Writes() as writes:
        writes.add(add, [StudyDay(student=student, day=today, reviews=2, right=1)])
        writes.add(Update(User, ["display_name"]), [student])
        writes.add(Insert(School), [other])
        writes.add(Insert(School), [])
        assert len(captured) == 0  # nothing is written before the end
    assert len(captured) == (1 if connection.vendor == "postgresql" else 3)
    row = StudyDay.objects.get()
    assert (row.reviews, row.right) == (4, 2)
    assert User.objects.get(pk=student.pk).display_name == "Luka B."
    assert School.objects.get(name="Other") == other


@pytest.mark.django_db
def test_several_rows_of_a_table_are_written_together_with_others(student):
    schools = [School(name=f"School {number}") for number in range(3)]
    student.display_name = "Luka B."
    with Writes() as writes:
        writes.add(Insert(School), schools)
        writes.add(Update(User, ["display_name"]), [student])
    assert School.objects.filter(name__startswith="School ").count() == 3
    assert User.objects.get(pk=student.pk).display_name == "Luka B."


@pytest.mark.django_db
def test_if_one_row_cannot_be_written_none_is(student, school):
    twice = StudyDay(student=student, day=timezone.now().date(), reviews=1)
    Insert(StudyDay)([twice])
    with pytest.raises(IntegrityError), transaction.atomic(), Writes() as writes:
        writes.add(Insert(School), [School(name="Other")])
        writes.add(Insert(StudyDay), [twice])
    assert not School.objects.filter(name="Other").exists()


@pytest.mark.django_db
def test_after_an_error_nothing_is_written(student):
    with pytest.raises(ZeroDivisionError), Writes() as writes:
        writes.add(Insert(School), [School(name="Other")])
        _fails = 1 / 0
    assert not School.objects.filter(name="Other").exists()


@pytest.mark.django_db(transaction=True)
# CI runs this on PostgreSQL.
@pytest.mark.skipif(
    not connection.features.has_select_for_update, reason="SQLite locks everything at once"
)
def test_a_locked_row_waits_for_the_lock_and_is_read_as_it_is_then(student):
    named = Prepared(
        lambda pk: User.objects.filter(pk=pk).values_list("display_name"), locks=[User], pk=int
    )
    has_locked, may_end, seen = threading.Event(), threading.Event(), []

    def rename():
        with transaction.atomic():
            named.locked_row(pk=student.pk)
            has_locked.set()
            may_end.wait(30)
            User.objects.filter(pk=student.pk).update(display_name="Later")
        connection.close()

    def read():
        with transaction.atomic():
            seen.append(named.locked_row(pk=student.pk))
        connection.close()

    first, second = threading.Thread(target=rename), threading.Thread(target=read)
    first.start()
    assert has_locked.wait(30)
    assert named.row(pk=student.pk) == ("Luka",)  # control: who does not lock does not wait
    second.start()
    may_end.set()
    first.join(30)
    second.join(30)
    assert seen == [("Later",)]


@pytest.mark.django_db
def test_lists_days_and_ends_of_slices_are_places(student, school, make_person):
    for name in ("ana", "iva", "mia"):
        make_person(User.Role.STUDENT, school, name)
    named = Prepared(
        lambda names, but, most: (
            User.objects.filter(username__in=names)
            .exclude(pk__in=but)
            .order_by("username")
            .values_list("username")[:most]
        ),
        names=list[str],
        but=list[int],
        most=int,
    )

    def found(names, but=(), most=9):
        return [name for (name,) in named.rows(names=names, but=but, most=most)]

    assert found(["mia", "ana", "nobody"]) == ["ana", "mia"]
    assert found(["mia", "ana", "iva", "luka"], but=[student.pk], most=2) == ["ana", "iva"]
    assert found(["luka"]) == ["luka"]
    assert found(["luka"], but=[student.pk]) == []
    assert found([]) == []
    StudyDay.objects.create(student=student, day=timezone.now().date())
    of_day = Prepared(lambda day: StudyDay.objects.filter(day=day).values_list("day"), day=date)
    assert of_day.rows(day=timezone.now().date()) == [(timezone.now().date(),)]
    assert of_day.rows(day=date(2020, 1, 1)) == []


@pytest.mark.django_db
def test_objects_are_those_of_the_queryset(student, school, django_assert_num_queries):
    def build(pks):
        people = User.objects.filter(pk__in=pks).select_related("school").defer("last_login")
        return people.annotate(upper=Upper("username"))

    people = Prepared(build, pks=list[int])
    people.objects(pks=[])  # built
    with django_assert_num_queries(1):
        (got,) = people.objects(pks=[student.pk])
        assert (got, got.school, got.school.name, got.upper) == (
            student, school, school.name, "LUKA",
        )  # fmt: skip
    assert got.get_deferred_fields() == {"last_login"}
    got.display_name = "Changed"
    got.save()
    assert User.objects.get(pk=student.pk).display_name == "Changed"
    with pytest.raises(TypeError, match="no objects"):
        NAMED.objects(name="luka", since=timezone.now())
    with pytest.raises(TypeError, match="prefetch"):
        Prepared(
            lambda pk: User.objects.filter(pk=pk).prefetch_related("memberships"), pk=int
        ).objects(pk=1)


@pytest.mark.django_db
def test_what_objects_know_is_not_read_again(animals, django_assert_num_queries):
    entries = list(animals.entries.all())
    expected = [[one.text for one in entry.translations.all()] for entry in entries]
    know(entries, "translations", Translation.objects.all(), by="entry_id")
    with django_assert_num_queries(0):
        texts = [[one.text for one in entry.translations.all()] for entry in entries]
        assert entries[0].translations.exists()
    assert texts == expected
    assert any(texts)
    with pytest.raises(TypeError, match="only all"):
        entries[0].translations.filter(text="house")


@pytest.mark.django_db
# CI runs this on PostgreSQL.
@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL keeps plans")
def test_the_database_plans_it_once(student):
    def planned():
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE %s",
                           ["%FROM \"accounts_user\"%"])  # fmt: skip
            return cursor.fetchone()[0]

    before = planned()
    for number in range(5):
        NAMED.rows(name=f"luka {number}", since=timezone.now())
    assert planned() == before + 1
    for number in range(5):  # control: what Django builds anew
        list(User.objects.filter(username=f"mia {number}"))
    assert planned() == before + 1
