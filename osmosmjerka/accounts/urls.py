from __future__ import annotations

from django.contrib.auth import views as auth
from django.urls import include, path

from osmosmjerka.accounts import entrance, passkey_views, schools, second_step, views

_classroom = [
    path("people/", views.people, name="classroom-people"),
    path("pupils/new/", views.pupil_new, name="pupil-new"),
    path("pupils/paste/", views.roster, name="roster"),
    path("pupils/move/", views.pupils_move, name="pupils-move"),
    path("cards/", views.print_cards, name="cards"),
    path("change/", views.classroom_change, name="classroom-change"),
    path("code/", views.join_code_reset, name="join-code-reset"),
    path("archive/", views.classroom_archive, name="classroom-archive"),
    path("members/<int:member>/remove/", views.member_remove, name="member-remove"),
    path("members/<int:member>/role/", views.member_role, name="member-role"),
]

_password = [
    path("", entrance.TeachersPasswordReset.as_view(), name="password_reset"),
    path(
        "sent/",
        auth.PasswordResetDoneView.as_view(template_name="accounts/password_sent.html"),
        name="password_reset_done",
    ),
    path("<uidb64>/<token>/", entrance.NewPassword.as_view(), name="password_reset_confirm"),
    path(
        "done/",
        auth.PasswordResetCompleteView.as_view(template_name="accounts/password_done.html"),
        name="password_reset_complete",
    ),
]

_passkeys = [
    path("", passkey_views.overview, name="passkeys"),
    path("options/", passkey_views.new_options, name="passkey-options"),
    path("new/", passkey_views.new, name="passkey-new"),
    path("<int:pk>/remove/", passkey_views.remove, name="passkey-remove"),
]

urlpatterns = [
    path("login/", entrance.PasswordLogin.as_view(), name="login"),
    path("login/code/", second_step.code, name="login-code"),
    path("login/passkey/", passkey_views.log_in, name="login-passkey"),
    path("login/passkey/options/", passkey_views.login_options, name="login-passkey-options"),
    path("me/passkeys/", include(_passkeys)),
    path("me/account/", entrance.own_account, name="own-account"),
    path("me/password/", entrance.own_password, name="own-password"),
    path("me/second-step/", second_step.settings_page, name="second-step"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("password/", include(_password)),
    path("card/", entrance.card, name="card"),
    path("join/", entrance.join, name="join"),
    path("c/<slug:code>/", entrance.class_door, name="class-door"),
    path("c/<slug:code>/join/", entrance.class_join, name="class-join"),
    path("classes/", views.classroom_list, name="classroom-list"),
    path("classes/new/", views.classroom_new, name="classroom-new"),
    path("classes/<int:pk>/", include(_classroom)),
    path("pupils/<int:pk>/", views.pupil, name="pupil"),
    path("pupils/<int:pk>/export/", views.pupil_export, name="pupil-export"),
    path("pupils/<int:pk>/erase/", views.pupil_erase, name="pupil-erase"),
    path("pupils/<int:pk>/merge/", views.pupil_merge, name="pupil-merge"),
    path("pupils/<int:pk>/view/", views.view_as, name="view-as"),
    path("view/stop/", views.view_as_stop, name="view-as-stop"),
    path("me/data/", views.own_data, name="own-data"),
    path("signup/", schools.sign_up, name="sign-up"),
    path("invitations/<slug:token>/", schools.invitation, name="invitation"),
    path("classes/<int:pk>/invite/", schools.class_invite, name="class-invite"),
    path("schools/<int:pk>/", schools.school, name="school"),
    path("schools/<int:pk>/invite/", schools.school_invite, name="school-invite"),
    path(
        "classes/<int:pk>/invitations/<int:invitation>/withdraw/",
        schools.class_withdraw,
        name="class-withdraw",
    ),
    path(
        "schools/<int:pk>/invitations/<int:invitation>/withdraw/",
        schools.school_withdraw,
        name="school-withdraw",
    ),
    path(
        "schools/<int:pk>/teachers/<int:teacher>/second-step/",
        schools.second_step_reset,
        name="second-step-reset",
    ),
    path("schools/<int:pk>/teachers/<int:teacher>/close/", schools.close, name="account-close"),
    path("schools/<int:pk>/teachers/<int:teacher>/role/", schools.school_role, name="school-role"),
    path("schools/<int:pk>/teachers/<int:teacher>/open/", schools.open_again, name="account-open"),
    path("schools/<int:pk>/log/", schools.log, name="school-log"),
    path("pupils/<int:pk>/classes/", views.pupil_classes, name="pupil-classes"),
    path("pupils/<int:pk>/name/", views.pupil_rename, name="pupil-rename"),
]
