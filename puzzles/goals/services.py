"""Goals and leaderboards of classes; a class has a leaderboard only if a teacher wants one.

A leaderboard compares effort (correct answers in a week), not knowledge. It names students by a
nickname that they chose from those offered here, shows the first five places, and nobody's place
below them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from django import forms
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from osmosmjerka.accounts.access import Person, classrooms
from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.db.collation import Alphabetical, sort_key
from puzzles.models import ClassGoal, Nickname, OwnGoal, Ranking
from vocab.memory.days import study_day
from vocab.memory.rules import zone_of
from vocab.memory.selectors import known_counts
from vocab.models import StudyDay

SHOWN = 5
RANKED_DAYS = 7
# A goal stays visible for some days after its end, reached or not.
AFTERGLOW = timedelta(days=7)
# Names from the sky: the same in every language, and not names of people.
OFFERED = (
    "Altair", "Andromeda", "Antares", "Aquila", "Arcturus", "Atlas", "Callisto", "Canopus",
    "Capella", "Cassiopeia", "Castor", "Ceres", "Cygnus", "Delphinus", "Deneb", "Draco", "Electra",
    "Europa", "Fomalhaut", "Ganymede", "Halley", "Hydra", "Io", "Juno", "Lynx", "Lyra", "Maia",
    "Mimas", "Mira", "Mizar", "Nova", "Oberon", "Orion", "Pallas", "Pegasus", "Perseus", "Phoenix",
    "Polaris", "Pollux", "Rigel", "Sirius", "Spica", "Titania", "Vega", "Vela", "Vesta",
)  # fmt: skip


class GoalForm(forms.ModelForm[ClassGoal]):
    """A form for the number of words and the date of a goal."""

    class Meta:
        model = ClassGoal
        fields = ["words", "ends_on"]
        widgets = {"ends_on": forms.DateInput({"type": "date"}, format="%Y-%m-%d")}
        # Translators: the label of the last day of a class goal.
        labels = {"words": gettext_lazy("Words to learn"), "ends_on": gettext_lazy("By")}


@dataclass(frozen=True, slots=True)
class Place:
    """One line of a leaderboard."""

    name: str
    right: int
    is_own: bool


@dataclass(frozen=True, slots=True)
class Together:
    """A class's goal with its progress, and its leaderboard as one student sees it."""

    classroom: Classroom
    goal: ClassGoal | None = None
    learned: int = 0
    has_ranking: bool = False
    nicknames: Sequence[Nickname] = ()
    first: Sequence[Place] = ()
    own_name: str = ""
    own_right: int = 0
    offered: Sequence[str] = ()

    @property
    def is_reached(self) -> bool:
        return self.goal is not None and self.learned >= self.goal.words

    @property
    def shown(self) -> int:
        """The length of the progress bar, in words."""
        return min(self.learned, self.goal.words) if self.goal else 0

    @property
    def is_own_shown(self) -> bool:
        return any(place.is_own for place in self.first)


def classes_of_teacher(person: Person) -> QuerySet[Classroom]:
    """Return the classes whose goal and leaderboard *person* may change: none that is archived."""
    return classrooms(person, "assign").filter(archived_at=None)


def classes_of_student(person: Person) -> QuerySet[Classroom]:
    """Return the classes whose goal and leaderboard *person* shares: none that is archived.

    Only their students do: a site admin can play everything, but is on no leaderboard.
    """
    if not isinstance(person, User):
        return Classroom.objects.none()
    places = Membership.objects.filter(user=person, role=Membership.Role.STUDENT)
    return classrooms(person, "play").filter(archived_at=None, pk__in=places.values("classroom"))


@transaction.atomic
def set_goal(*, classroom: Classroom, person: User, words: int, ends_on: date) -> ClassGoal:
    """Set a goal that starts today; it replaces the current one."""
    today = _today(classroom)
    if ends_on < today:
        raise ValidationError({"ends_on": _("Choose a date in the future.")})
    goal = ClassGoal(
        classroom=classroom, created_by=person, words=words, starts_on=today, ends_on=ends_on
    )
    goal.full_clean()
    end_goal(classroom=classroom)
    goal.save()
    return goal


def end_goal(*, classroom: Classroom) -> None:
    """Delete the current goal."""
    _present_goals([classroom.pk], _today(classroom) - AFTERGLOW).delete()


def own_goal(student: User) -> int | None:
    """Return how many words a day the student wants to practise; None without a goal."""
    return OwnGoal.objects.filter(student=student).values_list("words", flat=True).first()


def set_own_goal(*, student: User, words: int | None) -> None:
    """Set how many words a day the student wants to practise; None takes the goal away."""
    if words is None:
        OwnGoal.objects.filter(student=student).delete()
        return
    goal = OwnGoal(student=student, words=words)
    goal.clean_fields(exclude=["student"])
    OwnGoal.objects.update_or_create(student=student, defaults={"words": words})


def switch_ranking(*, classroom: Classroom, is_on: bool) -> None:
    """Switch the leaderboard on or off; students keep their nicknames."""
    if is_on:
        Ranking.objects.get_or_create(classroom=classroom)
    else:
        Ranking.objects.filter(classroom=classroom).delete()


@transaction.atomic
def choose_nickname(*, classroom: Classroom, student: User, name: str) -> None:
    """Set the student's nickname on the leaderboard of a class; "" leaves the leaderboard.

    Raises ValidationError for a name that is not offered or has been taken since.
    """
    own = Nickname.objects.filter(classroom=classroom, student=student)
    if not name:
        own.delete()
        return
    if not Ranking.objects.filter(classroom=classroom).exists():
        raise ValidationError(_("This class has no leaderboard."))
    if own.filter(name=name).exists():
        return
    if name not in nicknames_without(classroom.nicknames.values_list("name", flat=True)):
        raise ValidationError(_("Choose one of the nicknames offered."))
    try:
        with transaction.atomic():
            Nickname.objects.update_or_create(
                classroom=classroom, student=student, defaults={"name": name}
            )
    except IntegrityError:
        raise ValidationError(
            _("Someone else just took this nickname. Choose another one.")
        ) from None


def of_classroom(classroom: Classroom, today: date) -> Together:
    """Return what a teacher of the class sees, including the student behind each nickname."""
    has_ranking = hasattr(classroom, "ranking")
    # Students who left the class are not shown, but keep their nickname in case they return.
    nicknames = classroom.nicknames.filter(_is_member(classroom.pk)).select_related("student")
    shown = list(nicknames.order_by(Alphabetical("name"), "pk")) if has_ranking else []
    return replace(goal_of(classroom, today), has_ranking=has_ranking, nicknames=shown)


def goal_of(classroom: Classroom, today: date) -> Together:
    """Return a class's goal with its progress alone, in two queries."""
    return _together(classroom, _present_goals([classroom.pk], today - AFTERGLOW))


def of_student(student: User, today: date, classes: Sequence[Classroom]) -> list[Together]:
    """Return what a student sees of each of their *classes*, which come with their `ranking`."""
    goals = list(_present_goals([one.pk for one in classes], today - AFTERGLOW))
    return [_seen_by(student, classroom, goals, today) for classroom in classes]


def _together(classroom: Classroom, goals: Iterable[ClassGoal]) -> Together:
    goal = next((one for one in goals if one.classroom_id == classroom.pk), None)
    return Together(classroom, goal, _learned(classroom, goal) if goal else 0)


def _seen_by(
    student: User, classroom: Classroom, goals: Sequence[ClassGoal], today: date
) -> Together:
    line = _together(classroom, goals)
    if not hasattr(classroom, "ranking"):
        return line
    rows = Nickname.objects.filter(classroom=classroom).values_list(
        "student", "name", _is_member(classroom.pk)
    )
    names = {key: name for key, name, is_member in rows if is_member}
    since = today - timedelta(days=RANKED_DAYS - 1)
    days = StudyDay.objects.filter(student__in=names, day__gte=since, day__lte=today).order_by()
    right = dict(days.values_list("student").annotate(Sum("right")))
    key = sort_key()
    ranked = sorted(names, key=lambda pk: (-right.get(pk, 0), key(names[pk])))
    first = [Place(names[pk], right[pk], pk == student.pk) for pk in ranked if right.get(pk, 0) > 0]
    return replace(
        line,
        has_ranking=True,
        first=first[:SHOWN] if student.pk in names else (),  # not for those who look on
        own_name=names.get(student.pk, ""),
        own_right=right.get(student.pk, 0),
        offered=nicknames_without(name for _key, name, _is_member in rows),
    )


def _is_member(classroom: int) -> Exists:
    """Return the condition for nicknames of students who are in the class now."""
    return Exists(
        Membership.objects.filter(
            classroom=classroom, role=Membership.Role.STUDENT, user=OuterRef("student")
        )
    )


def _present_goals(classes: Sequence[int], since: date) -> QuerySet[ClassGoal]:
    """Return the goals of classes that ended on that day or later, or go on."""
    return ClassGoal.objects.filter(classroom__in=classes, ends_on__gte=since)


def _learned(classroom: Classroom, goal: ClassGoal) -> int:
    """Return how many words the students came to know for the goal, and still know."""
    students = User.objects.filter(
        memberships__classroom=classroom, memberships__role=Membership.Role.STUDENT
    )
    return sum(known_counts(students, since=goal.starts_on, until=goal.ends_on).values())


def _today(classroom: Classroom) -> date:
    return study_day(timezone.now(), zone_of(classroom.school))


def nicknames_without(names: Iterable[str]) -> list[str]:
    """Return the nicknames that are offered while *names* are taken."""
    taken = set(names)
    # If the class is larger than the list, the same names with a number.
    numbered = (f"{name} {number}" for number in range(2, 5) for name in OFFERED)
    free = [name for name in OFFERED if name not in taken]
    return free or [name for name in numbered if name not in taken]
