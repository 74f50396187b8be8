"""A class has a goal in common; a leaderboard only where its teacher wants one, under nicknames."""

from datetime import datetime, time, timedelta

import pytest
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership, User
from osmosmjerka.accounts.privacy import services as privacy
from puzzles.goals import services as goals
from puzzles.models import Nickname
from vocab.memory.days import study_day
from vocab.memory.reviews import review
from vocab.models import Entry, StudyDay

pytestmark = [pytest.mark.django_db, pytest.mark.database]
# The day of study, which begins at four; when tests are collected, they may run after that.
TODAY = study_day(timezone.now(), timezone.get_current_timezone())
DAY = timedelta(days=1)


def today():
    return study_day(timezone.now(), timezone.get_current_timezone())


def study(student, *, right=0, day=None):
    StudyDay.objects.create(student=student, day=day or today(), reviews=right, right=right)


def learn(student, entries, *, since):
    """Recall words without help after four days, the second time on the day *since*."""
    for entry in entries:
        for day in (since - 4 * DAY, since):
            at = timezone.make_aware(datetime.combine(day, time(12)))
            review(
                student=student, entry=entry, mode="typed", skill="meaning_to_form",
                outcome="right", at=at, source=f"{student.pk}:{entry.pk}:{day}",
            )  # fmt: skip


def home(client):
    return client.get("/").content.decode()


def test_all_students_see_how_far_the_class_is_with_its_goal(
    classroom, student, mia, teacher, animals, sign_in
):
    words = list(animals.entries.all())
    learn(student, words[:2], since=today() - DAY)  # before the goal was set
    reply = sign_in(teacher).post(
        f"/classes/{classroom.pk}/goal/", {"words": 10, "ends_on": today() + 7 * DAY}, follow=True
    )
    assert "0 of 10 words" in reply.content.decode()
    learn(student, words[2:6], since=today())
    learn(mia, words[:3], since=today())
    for pupil in (student, mia):
        page = home(sign_in(pupil))
        assert "7 of 10 words learned together" in page
        assert "recalled it without help after 3 days or more" in page
    review(
        student=mia, entry=words[0], mode="typed", skill="meaning_to_form", outcome="wrong",
        at=timezone.now() + DAY, source="forgotten",
    )  # fmt: skip
    assert "6 of 10 words" in home(sign_in(student))
    Entry.objects.filter(pk=words[1].pk).update(deleted_at=timezone.now())
    assert "5 of 10 words" in home(sign_in(student))  # a deleted word is no longer learned
    learn(mia, words[3:12], since=today())
    assert "Goal reached!" in home(sign_in(student))
    sign_in(teacher).post(f"/classes/{classroom.pk}/goal/", {"end": ""})
    assert "learned together" not in home(sign_in(student))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({}, "Enter how many words"),
        ({"words": 0, "ends_on": TODAY + DAY}, "Enter how many words"),
        ({"words": 5, "ends_on": TODAY - DAY}, "date in the future"),
    ],
)
def test_a_goal_without_a_number_or_in_the_past_is_refused(
    body, reason, classroom, teacher, sign_in
):
    reply = sign_in(teacher).post(f"/classes/{classroom.pk}/goal/", body, follow=True)
    assert reason in reply.content.decode()
    assert not classroom.goals.exists()


def test_without_the_teachers_switch_there_is_no_leaderboard(classroom, student, sign_in):
    study(student, right=5)
    client = sign_in(student)
    assert "Nickname" not in home(client)
    client.post(f"/classes/{classroom.pk}/nickname/", {"name": "Vega"})
    assert not Nickname.objects.exists()


def test_a_leaderboard_names_those_who_joined_by_their_nickname(
    classroom, student, mia, teacher, sign_in
):
    sign_in(teacher).post(f"/classes/{classroom.pk}/ranking/", {"on": ""})
    study(student, right=5)
    study(mia, right=7)
    study(student, right=90, day=today() - 8 * DAY)  # a week counts
    client, other = sign_in(student), sign_in(mia)
    client.post(f"/classes/{classroom.pk}/nickname/", {"name": "Vega"})
    page = home(client)
    assert "Vega (you)" in page
    assert "5 correct answers" in page
    assert "7 correct answers" not in page  # she has not joined
    other.post(f"/classes/{classroom.pk}/nickname/", {"name": "Vega"})  # taken
    assert not Nickname.objects.filter(student=mia).exists()
    other.post(f"/classes/{classroom.pk}/nickname/", {"name": "Mia the Great"})  # not offered
    assert not Nickname.objects.filter(student=mia).exists()
    other.post(f"/classes/{classroom.pk}/nickname/", {"name": "Orion"})
    page = home(client)
    assert page.index("Orion") < page.index("Vega (you)")
    assert "Mia" not in page
    teachers = sign_in(teacher).get(f"/classes/{classroom.pk}/").content.decode()
    assert "Orion" in teachers and "Mia" in teachers
    other.post(f"/classes/{classroom.pk}/nickname/", {"name": ""})
    assert "Orion</strong>" not in home(client)
    sign_in(teacher).post(f"/classes/{classroom.pk}/ranking/", {"off": ""})
    assert "Vega" not in home(client)


def test_beyond_the_first_five_nobody_reads_their_place(
    classroom, student, make_person, school, sign_in
):
    goals.switch_ranking(classroom=classroom, is_on=True)
    for number, name in enumerate(goals.OFFERED[:6]):
        pupil = make_person(User.Role.STUDENT, school)
        people.join_classroom(classroom=classroom, person=pupil, role=Membership.Role.STUDENT)
        goals.choose_nickname(classroom=classroom, student=pupil, name=name)
        study(pupil, right=10 + number)
    goals.choose_nickname(classroom=classroom, student=student, name="Vega")
    study(student, right=1)
    [line] = goals.of_student(student, today(), [classroom])
    assert [place.right for place in line.first] == [15, 14, 13, 12, 11]
    assert "Vega, that’s you: 1 correct answer this week." in home(sign_in(student))


def test_a_class_larger_than_the_list_of_names_still_gets_one_each(classroom, make_person, school):
    goals.switch_ranking(classroom=classroom, is_on=True)
    for _number in range(len(goals.OFFERED) + 1):
        pupil = make_person(User.Role.STUDENT, school)
        [name, *_others] = goals.nicknames_without(
            classroom.nicknames.values_list("name", flat=True)
        )
        goals.choose_nickname(classroom=classroom, student=pupil, name=name)
    assert Nickname.objects.filter(name="Altair 2").exists()


def test_who_is_no_student_of_the_class_is_in_no_leaderboard(classroom, mia, make_person, sign_in):
    goals.switch_ranking(classroom=classroom, is_on=True)
    admin = make_person(User.Role.SCHOOL_ADMIN)
    admin.is_superuser = True
    admin.save()
    path = f"/classes/{classroom.pk}/nickname/"
    assert sign_in(admin).post(path, {"name": "Vega"}).status_code == 404
    assert not Nickname.objects.exists()
    sign_in(mia).post(path, {"name": "Vega"})
    assert goals.of_classroom(classroom, today()).nicknames  # the control
    classroom.memberships.get(user=mia).delete()
    assert not goals.of_classroom(classroom, today()).nicknames


def test_strangers_and_students_change_neither_goal_nor_leaderboard(
    classroom, student, stranger, sign_in
):
    for person in (student, stranger):
        client = sign_in(person)
        for path, body in (
            ("goal", {"words": 5, "ends_on": today() + DAY}),
            ("ranking", {"on": ""}),
        ):
            assert client.post(f"/classes/{classroom.pk}/{path}/", body).status_code == 404
    reply = sign_in(stranger).post(f"/classes/{classroom.pk}/nickname/", {"name": "Vega"})
    assert reply.status_code == 404
    assert not classroom.goals.exists() and not hasattr(classroom, "ranking")


def test_a_nickname_goes_with_its_student(classroom, student, mia, teacher):
    goals.switch_ranking(classroom=classroom, is_on=True)
    goals.choose_nickname(classroom=classroom, student=mia, name="Vega")
    privacy.merge_students(kept=student, gone=mia, actor=teacher)
    assert Nickname.objects.get().student == student
    assert mia.merged
    privacy.erase_person(person=student, actor=teacher)
    assert not Nickname.objects.exists()
