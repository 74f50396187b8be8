"""The API's URLs for people, classes and schools."""

from __future__ import annotations

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from osmosmjerka.accounts.auth import api as auth
from osmosmjerka.accounts.auth import me_api
from osmosmjerka.accounts.bin import api as bin_api
from osmosmjerka.accounts.classrooms import api as classrooms
from osmosmjerka.accounts.classrooms import student_api as students

router = SimpleRouter()
router.register("classes", classrooms.ClassroomViewSet, basename="class")

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
    path("teachers/", classrooms.ClassTeachersView.as_view(), name="class-teachers"),
    path("teachers/<int:teacher>/", classrooms.ClassTeacherView.as_view(), name="class-teacher"),
]

urlpatterns = [
    path("token/", auth.TokenView.as_view(), name="token"),
    path("tokens/", auth.TokensView.as_view(), name="tokens"),
    path("tokens/current/", auth.CurrentTokenView.as_view(), name="token-current"),
    path("tokens/<int:pk>/", auth.OneTokenView.as_view(), name="token-one"),
    path("me/", me_api.MeView.as_view(), name="me"),
    path("bin/", bin_api.BinView.as_view(), name="bin"),
    path("bin/<slug:drawer>/<int:pk>/restore/", bin_api.RestoreView.as_view(), name="bin-restore"),
    path("classes/<int:pk>/", include(_class)),
    path("students/<int:pk>/", students.StudentView.as_view(), name="student"),
    path(
        "students/<int:pk>/password/",
        students.StudentPasswordView.as_view(),
        name="student-password",
    ),
    path("", include(router.urls)),
]
