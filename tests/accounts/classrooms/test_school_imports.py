"""A whole school from a OneRoster file: what changes is shown, done at once, and undone exactly."""

import io

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.auth import cards
from osmosmjerka.accounts.classrooms import roster_imports, school_file, school_imports
from osmosmjerka.accounts.classrooms.school_plan import Options
from osmosmjerka.accounts.models import Classroom, ExternalId, Membership, RosterImport, User
from osmosmjerka.accounts.schools import invitations
from osmosmjerka.jobs import ledger
from tests.accounts.classrooms.school_zip import klass, packed, place, user, whole_school

pytestmark = pytest.mark.database


@pytest.fixture
def admin(make_person, school):
    return make_person(User.Role.SCHOOL_ADMIN, school, "ravnateljica")


@pytest.fixture
def iva(make_person, school):
    """A teacher of the school, who is in the file by her e-mail address."""
    iva = make_person(User.Role.TEACHER, school, "iva")
    iva.email = "Iva@skola.example"
    iva.save()
    return iva


@pytest.fixture
def begin(admin, school):
    def begin(data, **options):
        file = school_file.read(data)
        return school_imports.begin(
            school=school, file=file, actor=admin, options=Options(**options)
        )

    return begin


@pytest.fixture
def run(begin, admin):
    """Import a file at once; return the import and the plan that was carried out."""

    def run(data, **options):
        roster = begin(data, **options)
        return roster, school_imports.import_now(roster=roster, actor=admin)

    return run


def undo(roster, admin):
    job = school_imports.request_undo(roster=roster, actor=admin)
    ledger.run_job(str(job.pk))


def rows_of(of):
    """Return who is in which class of a school, with role and since when; and all people."""
    places = Membership.objects.filter(classroom__school=of, classroom__archived_at=None)
    return (
        sorted(places.values_list("classroom", "classroom__name", "user", "role", "joined_at")),
        sorted(of.people.filter(deleted_at=None).values_list("pk", "display_name", "is_active")),
        sorted(Classroom.objects.filter(school=of).values_list("pk", "roster_id", "archived_at")),
        sorted(ExternalId.objects.filter(school=of).values_list("source", "value", "user")),
    )


def classes_of(school):
    """Return the names in each class of a school, with the role of teachers."""
    found = {}
    for place_ in Membership.objects.filter(
        classroom__school=school, classroom__archived_at=None
    ).order_by("user__display_name"):
        of = found.setdefault(place_.classroom.name, [])
        of.append((str(place_.user), "" if place_.role == "student" else place_.role))
    return found


BASE = whole_school()


def test_a_school_comes_with_its_classes_teachers_and_students(run, iva, school):
    roster, made = run(BASE)
    assert made.problems == []
    assert classes_of(school) == {
        "5a": [("Ana H.", ""), ("Ana H. 2", ""), ("Iva", "owner")],
        # Its teacher has no account yet, so whoever imports owns the class.
        "5b": [("Mia K.", ""), ("Ravnateljica", "owner")],
    }
    assert [line.after for line in school_imports.to_invite(school)] == ["Jure Perić"]
    # Surnames and addresses of the file are not kept.
    roster.refresh_from_db()
    assert roster.school_file is None
    assert "Horvat" not in str(list(roster.lines.values()))
    assert "jure@" not in str(list(roster.lines.values()))


def test_the_same_file_again_changes_nothing(run, iva, school):
    run(BASE)
    before = rows_of(school)
    _roster, again = run(BASE)
    assert again.changes == []
    assert rows_of(school) == before


def test_an_invited_teacher_gets_the_classes(run, iva, school, admin):
    run(BASE)
    [line] = school_imports.to_invite(school)
    assert not school.invitations.exists()  # nothing is sent without a click
    token = school_imports.invite(line=line, actor=admin)
    found = invitations.open_invitation(token)
    jure = invitations.accept_as_new(
        invitation=found, username="jure", display_name="Jure", email="", password="korisnik-123"
    )
    assert ("Jure", "owner") in classes_of(school)["5b"]
    assert not school_imports.to_invite(school).exists()
    _roster, again = run(BASE)
    assert again.changes == []
    assert jure.external_ids.get().value == "t2"


def changed(places, titles=("5a", "5b"), users=("s1", "s2", "s3"), mode="bulk"):
    names = {"s1": ("Ana", "Horvat"), "s2": ("Mia", "Kos"), "s3": ("Ana", "Hrgović")}
    return packed(
        users=[user(key, *names[key]) for key in users],
        classes=[klass(key, title) for key, title in zip("ab", titles, strict=True)],
        places=[place(*each) for each in places],
        mode=mode,
    )


def test_a_student_who_moves_keeps_everything(run, iva, school, admin):
    run(BASE)
    ana = ExternalId.objects.get(value="s1").user
    [place_] = ana.memberships.all()
    cards.issue_cards(students=[ana], actor=admin, classroom=place_.classroom)
    card = ana.card.token_hash
    roster, made = run(changed([("s1", "b"), ("s2", "b"), ("s3", "a")], titles=("5a", "6b")))
    assert made.counts == {"student_moved": 1, "student_moved_from": 1, "renamed_class": 1}
    assert [name for name, _role in classes_of(school)["6b"]] == [
        "Ana H.",
        "Mia K.",
        "Ravnateljica",
    ]
    assert User.objects.get(pk=ana.pk).card.token_hash == card
    # Teachers are not in this file; they are named, and stay.
    assert made.missing_people == ["Iva · 5a"]
    undo(roster, admin)
    assert [name for name, _role in classes_of(school)["5a"]] == ["Ana H.", "Ana H. 2", "Iva"]


def test_who_is_missing_in_a_bulk_file_stays_unless_that_is_ticked(run, iva, school):
    run(BASE)
    less = changed([("s1", "a")], users=("s1",))
    _roster, made = run(less)
    assert made.changes == []
    assert sorted(made.missing_people) == ["Ana H. 2 · 5a", "Iva · 5a", "Mia K. · 5b"]
    _roster, made = run(less, ends_missing=True)
    # The account stays, and so does the only owner of a class.
    assert classes_of(school) == {
        "5a": [("Ana H.", ""), ("Iva", "owner")],
        "5b": [("Ravnateljica", "owner")],
    }
    assert User.objects.get(display_name="Mia K.").is_active


def test_a_delta_file_changes_only_what_it_names(run, iva, school):
    run(BASE)
    mia = ExternalId.objects.get(value="s2").user
    _roster, made = run(
        packed(
            mode="delta",
            users=[user("s4", "Eva", "Novak"), user("s2", "", "", status="tobedeleted")],
            classes=[klass("b", "", "tobedeleted")],
            places=[place("s4", "a"), place("s3", "a", status="tobedeleted")],
        )
    )
    assert made.problems == []
    assert classes_of(school) == {"5a": [("Ana H.", ""), ("Eva N.", ""), ("Iva", "owner")]}
    mia.refresh_from_db()
    assert mia.deleted_at is not None  # in the bin, for 30 days
    assert Classroom.objects.get(name="5b").archived_at is not None


def test_undoing_restores_the_school_exactly(run, iva, classroom, admin, school):
    run(BASE)
    before = rows_of(school)
    everything = packed(
        users=[
            user("s1", "Anica", "Horvat"),
            user("s2", "", "", status="tobedeleted"),
            user("s5", "Luka", ""),
            user("s6", "Vid", "Kos"),
            user("t1", "Iva", "Babić", "teacher"),
        ],
        classes=[klass("a", "6a"), klass("c", "6b"), klass("d", "6d")],
        places=[
            place("s1", "d"),
            place("s5", "c"),
            place("s6", "c"),
            place("t1", "c", "teacher"),
        ],
    )
    roster, made = run(everything, ends_missing=True, renames=True)
    assert made.counts == {
        "renamed_class": 1, "same_class": 1, "new_class": 1, "closed_class": 1,
        "student_moved": 1, "student_moved_from": 1, "student_left": 1, "binned": 1,
        "renamed": 1, "student_known": 1, "student_created": 1, "student_placed": 1,
        "teacher_joined": 1,
    }  # fmt: skip
    assert rows_of(school) != before
    undo(roster, admin)
    assert rows_of(school) == before
    # And an earlier import can then be undone as well.
    assert list(school_imports.undoable(school)) == [RosterImport.objects.earliest("pk")]


def test_whoever_used_an_account_keeps_it_when_the_import_is_undone(run, school, admin):
    roster, _made = run(BASE)
    User.objects.filter(display_name="Mia K.").update(last_login=timezone.now())
    undo(roster, admin)
    assert [str(one) for one in school.people.filter(role="student")] == ["Mia K."]
    assert classes_of(school) == {}


def test_a_student_with_the_name_is_recognised_in_a_class_of_the_name(run, classroom, student):
    _roster, made = run(
        packed(
            users=[user("x", "Luka", "Babić")],
            classes=[klass("k", "6B")],
            places=[place("x", "k")],
        )
    )
    assert made.counts == {"same_class": 1, "student_created": 1, "student_placed": 1}
    student.display_name = "Mato K."
    student.save()
    _roster, made = run(
        packed(
            users=[user("y", "Mato", "Kos")],
            classes=[klass("k", "6b")],
            places=[place("y", "k")],
        )
    )
    assert made.counts == {"student_known": 1}
    assert student.external_ids.get().value == "y"


def test_another_school_is_never_touched(run, school, other_school, make_person, stranger):
    """Not by the same ids, by an address or a class code."""
    theirs = people.create_classroom(name="5a", owner=stranger)
    foreign = make_person("student", other_school, "foreign")
    ExternalId.objects.create(school=other_school, source="oneroster", value="s1", user=foreign)
    Classroom.objects.filter(pk=theirs.pk).update(roster_id="a")
    stranger.email = "iva@skola.example"
    stranger.save()
    before = rows_of(other_school)
    _roster, _made = run(BASE, ends_missing=True, renames=True)
    assert rows_of(other_school) == before
    # A teacher who teaches at both schools has an account at each.
    assert [line.after for line in school_imports.to_invite(school)] == ["Iva Babić", "Jure Perić"]
    gone = packed(
        mode="delta",
        users=[user("s1", "", "", status="tobedeleted")],
        classes=[klass("a", "", "tobedeleted")],
    )
    run(gone)
    assert rows_of(other_school) == before


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"names", "not a OneRoster file"),
        (packed(enrollments=None), "enrollments.csv is missing"),
        (packed(enrollments="a,b"), "column classsourcedid is missing in enrollments.csv"),
        (packed(classes="sourcedId,title\na,ok\nb,\xe8".encode("latin-1")), "classes.csv, line 3"),
        (packed(classes='sourcedId,title\na,"' + "x" * 200_000), "classes.csv, line 2"),
        (
            packed(classes="sourcedId,title,schoolSourcedId\na,5a,o1\nb,5b,o2"),
            "several schools",
        ),
        (packed(users=(user(f"s{n}", "Ana", "K") for n in range(10_001))), "more than 10000 rows"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(data, why):
    with pytest.raises(ValidationError, match=why):
        school_file.read(data)


def test_rows_that_cannot_be_used_are_named_by_file_and_line(run, iva, school):
    _roster, made = run(
        whole_school(
            users=[user("s1", "Ivo", "Kos"), user("s9", "", "")],
            places=[place("s1", "z"), place("nobody", "a"), place("t1", "b", "student")],
        )
    )
    assert [(one.file, one.line) for one in made.problems] == [
        ("users.csv", 7), ("users.csv", 8),
        ("enrollments.csv", 7), ("enrollments.csv", 8), ("enrollments.csv", 9),
    ]  # fmt: skip
    assert [str(one) for one in school.people.filter(role="student").order_by("pk")] == [
        "Ana H.", "Mia K.", "Ana H. 2",
    ]  # fmt: skip


def test_oneroster_1_2_has_roles_in_a_table_of_their_own():
    read = school_file.read(
        packed(
            users="sourcedId,givenName,familyName\nt,Iva,Babić\ns,Ana,Kos\np,Zora,Kos",
            roles="userSourcedId,roleType,role\nt,primary,teacher\nt,secondary,parent\n"
            "s,primary,student\np,primary,parent",
            classes=[klass("a", "5a")],
            places=[place("t", "a", "teacher"), place("s", "a"), place("p", "a", "guardian")],
        )
    )
    assert [(one.id, one.role) for one in read.people] == [("t", "teacher"), ("s", "student")]
    assert len(read.places) == 2
    assert read.problems == []


class Killed(BaseException):
    """What a killed process leaves: the transaction ends without a commit."""


def test_a_worker_killed_in_the_middle_leaves_nothing_half(begin, admin, school, monkeypatch):
    roster = begin(BASE)
    mark = school_imports.preview(roster).mark
    job = school_imports.request_import(roster=roster, actor=admin, mark=mark)
    before = rows_of(school)
    with monkeypatch.context() as patch:

        def killed(*_args, **_kwargs):
            assert rows_of(school) != before  # much is written by now
            raise Killed

        patch.setattr(ExternalId.objects, "bulk_create", killed)
        with pytest.raises(Killed):
            ledger.run_job(str(job.pk))
    assert rows_of(school) == before
    job.refresh_from_db()
    type(job).objects.filter(pk=job.pk).update(state="queued")  # as the sweeper does
    ledger.run_job(str(job.pk))
    roster.refresh_from_db()
    assert roster.state == "added"
    assert len(classes_of(school)["5a"]) == 3


def test_an_undo_that_was_killed_goes_on(run, admin, school, monkeypatch):
    before = rows_of(school)
    roster, _made = run(BASE)
    job = school_imports.request_undo(roster=roster, actor=admin)
    monkeypatch.setattr(school_imports, "_UNDO_AT_ONCE", 3)
    some, steps = school_imports.undo_some, iter(range(100))

    def killed(**told):
        if next(steps) == 2:
            raise Killed
        some(**told)

    monkeypatch.setattr(school_imports, "undo_some", killed)
    with pytest.raises(Killed):
        ledger.run_job(str(job.pk))
    type(job).objects.filter(pk=job.pk).update(state="queued")
    ledger.run_job(str(job.pk))
    roster.refresh_from_db()
    assert roster.state == "undone"
    assert rows_of(school) == before


def test_nothing_is_imported_that_the_preview_did_not_show(begin, admin, school):
    roster = begin(BASE)
    mark = school_imports.preview(roster).mark
    job = school_imports.request_import(roster=roster, actor=admin, mark=mark)
    people.create_classroom(name="5a", owner=admin)  # meanwhile
    before = rows_of(school)
    ledger.run_job(str(job.pk))
    roster.refresh_from_db()
    assert (roster.state, rows_of(school)) == ("waiting", before)
    with pytest.raises(roster_imports.PreviewChanged):
        school_imports.request_import(roster=roster, actor=admin, mark=mark)


def test_the_command_and_the_pages_do_the_same(tmp_path, admin, school, sign_in, iva):
    path = tmp_path / "school.zip"
    path.write_bytes(BASE)
    empty = rows_of(school)
    told = io.StringIO()
    call_command("import_school", str(path), "--as", admin.username, "--dry-run", stdout=told)
    assert "student_created: 3" in told.getvalue()
    assert rows_of(school) == empty
    client = sign_in(admin)
    sent = {"file": SimpleUploadedFile("school.zip", BASE), "shorten": "on"}
    shown = client.post(f"/schools/{school.pk}/rosters/", sent, follow=True)
    page = shown.content.decode()
    assert "3 new students" in page
    assert "1 teacher to invite" in page
    url = shown.request["PATH_INFO"]
    client.post(f"{url}add/", {"mark": shown.context["plan"].mark})
    ledger.run_next("default")
    assert "3 new students" in client.get(url).content.decode()
    by_page = classes_of(school)
    client.post(f"{url}undo/")
    ledger.run_next("default")
    assert rows_of(school) == empty
    call_command("import_school", str(path), "--as", admin.username, stdout=told)
    assert classes_of(school) == by_page
    # Where the teachers of the file are invited.
    [line] = school_imports.to_invite(school)
    invited = client.post(f"/schools/{school.pk}/invite/{line.pk}/").content.decode()
    assert "/invitations/" in invited
