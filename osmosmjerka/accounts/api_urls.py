"""The API's URLs for people, classes and schools."""

from __future__ import annotations

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from osmosmjerka.accounts.auth import api as auth
from osmosmjerka.accounts.auth import me_api
from osmosmjerka.accounts.bin import api as bin_api
from osmosmjerka.accounts.classrooms import api as classrooms
from osmosmjerka.accounts.classrooms import school_api
from osmosmjerka.accounts.classrooms import student_api as students
from osmosmjerka.accounts.schools import api as schools

router = SimpleRouter()
router.register("classes", classrooms.ClassroomViewSet, basename="class")
router.register("schools", schools.SchoolViewSet, basename="school")

_class = [
    path("students/", students.ClassStudentsView.as_view(), name="class-students"),
    path("students/move/", students.MoveStudentsView.as_view(), name="class-students-move"),
    path("students/<int:student>/", students.ClassStudentView.as_view(), name="class-student"),
    path("rosters/", students.ClassRostersView.as_view(), name="class-rosters"),
    path("rosters/<int:roster_pk>/", students.ClassRosterView.as_view(), name="class-roster"),
    path("waiting/", students.WaitingView.as_view(), name="class-waiting"),
    path("waiting/accept/", students.AcceptView.as_view(), name="class-waiting-accept"),
    path("waiting/refuse/", students.RefuseView.as_view(), name="class-waiting-refuse"),
    path("cards/", students.ClassCardsView.as_view(), name="class-cards"),
    path("invitations/", schools.ClassInvitationsView.as_view(), name="class-invitations"),
    path(
        "invitations/<int:invitation>/",
        schools.ClassInvitationView.as_view(),
        name="class-invitation",
    ),
    path("teachers/", classrooms.ClassTeachersView.as_view(), name="class-teachers"),
    path("teachers/<int:teacher>/", classrooms.ClassTeacherView.as_view(), name="class-teacher"),
]

_school = [
    path("teachers/", schools.SchoolTeachersView.as_view(), name="school-teachers"),
    path("teachers/<int:teacher>/", schools.SchoolTeacherView.as_view(), name="school-teacher"),
    path(
        "teachers/<int:teacher>/two-step/",
        schools.TeacherTwoStepView.as_view(),
        name="school-teacher-two-step",
    ),
    path("students/", schools.SchoolStudentsView.as_view(), name="school-students"),
    path("invitations/", schools.SchoolInvitationsView.as_view(), name="school-invitations"),
    path(
        "invitations/<int:invitation>/",
        schools.SchoolInvitationView.as_view(),
        name="school-invitation",
    ),
    path("rosters/", school_api.SchoolRostersView.as_view(), name="school-rosters"),
    path("rosters/<int:roster_pk>/", school_api.SchoolRosterView.as_view(), name="school-roster"),
    path("log/", schools.SchoolLogView.as_view(), name="school-log"),
]

urlpatterns = [
    path("token/", auth.TokenView.as_view(), name="token"),
    path("tokens/", auth.TokensView.as_view(), name="tokens"),
    path("tokens/current/", auth.CurrentTokenView.as_view(), name="token-current"),
    path("tokens/<int:pk>/", auth.OneTokenView.as_view(), name="token-one"),
    path("me/", me_api.MeView.as_view(), name="me"),
    path("bin/", bin_api.BinView.as_view(), name="bin"),
    path("bin/<slug:section>/<int:pk>/restore/", bin_api.RestoreView.as_view(), name="bin-restore"),
    path("classes/<int:pk>/", include(_class)),
    path("students/", students.StudentsView.as_view(), name="students"),
    path("students/<int:pk>/", students.StudentView.as_view(), name="student"),
    path(
        "students/<int:pk>/password/",
        students.StudentPasswordView.as_view(),
        name="student-password",
    ),
    path("schools/<int:pk>/", include(_school)),
    path("", include(router.urls)),
]
