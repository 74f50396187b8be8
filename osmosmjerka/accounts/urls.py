from __future__ import annotations

from django.contrib.auth import views as auth
from django.urls import URLPattern, URLResolver, include, path

from osmosmjerka.accounts.auth import device_views, passkey_views, two_factor
from osmosmjerka.accounts.auth import views as auth_views
from osmosmjerka.accounts.bin import views as bin_views
from osmosmjerka.accounts.classrooms import (
    card_views,
    door_views,
    joining_views,
    roster_views,
    school_roster_views,
    student_views,
)
from osmosmjerka.accounts.classrooms import views as classroom_views
from osmosmjerka.accounts.privacy import views as privacy_views
from osmosmjerka.accounts.schools import setup_views
from osmosmjerka.accounts.schools import views as school_views
from osmosmjerka.accounts.sign_on import school_views as school_sign_on
from osmosmjerka.accounts.sign_on import views as sign_on_views
from osmosmjerka.accounts.webhooks import views as webhook_views

_roster = [
    path("", roster_views.preview, name="roster-preview"),
    path("class/", roster_views.choose_class, name="roster-class"),
    path("add/", roster_views.add, name="roster-add"),
    path("discard/", roster_views.discard, name="roster-discard"),
    path("undo/", roster_views.undo, name="roster-undo"),
]

_school_roster = [
    path("", school_roster_views.detail, name="school-roster"),
    path("progress/", school_roster_views.progress, name="school-roster-progress"),
    path("add/", school_roster_views.add, name="school-roster-add"),
    path("discard/", school_roster_views.discard, name="school-roster-discard"),
    path("undo/", school_roster_views.undo, name="school-roster-undo"),
]

_webhook = [
    path("test/", webhook_views.test, name="webhook-test"),
    path("switch/", webhook_views.switch, name="webhook-switch"),
    path("remove/", webhook_views.remove, name="webhook-remove"),
    path("again/<int:delivery>/", webhook_views.again, name="webhook-again"),
]

_classroom: list[URLPattern | URLResolver] = [
    path("people/", classroom_views.people, name="classroom-people"),
    path("pupils/new/", student_views.student_new, name="student-new"),
    path("pupils/paste/", roster_views.roster, name="roster"),
    path("pupils/paste/<int:roster_pk>/", include(_roster)),
    path("pupils/waiting/", joining_views.answer, name="waiting-answer"),
    path("pupils/joined/", joining_views.remove_recent, name="joined-remove"),
    path("pupils/move/", student_views.students_move, name="students-move"),
    path("cards/", card_views.print_cards, name="cards"),
    path("change/", classroom_views.classroom_change, name="classroom-change"),
    path("code/", classroom_views.join_code_reset, name="join-code-reset"),
    path("delete/", classroom_views.classroom_delete, name="classroom-delete"),
    path("archive/", classroom_views.classroom_archive, name="classroom-archive"),
    path("restore/", classroom_views.classroom_restore, name="classroom-restore"),
    path("keep/", classroom_views.classroom_keep, name="classroom-keep"),
    path("teachers/", classroom_views.teacher_add, name="teacher-add"),
    path("members/<int:member>/remove/", classroom_views.member_remove, name="member-remove"),
    path("members/<int:member>/role/", classroom_views.member_role, name="member-role"),
]

_password = [
    path("", auth_views.TeachersPasswordReset.as_view(), name="password_reset"),
    path(
        "sent/",
        auth.PasswordResetDoneView.as_view(template_name="accounts/auth/password_sent.html"),
        name="password_reset_done",
    ),
    path("<uidb64>/<token>/", auth_views.NewPassword.as_view(), name="password_reset_confirm"),
    path(
        "done/",
        auth.PasswordResetCompleteView.as_view(template_name="accounts/auth/password_done.html"),
        name="password_reset_complete",
    ),
]

_passkeys = [
    path("", passkey_views.overview, name="passkeys"),
    path("options/", passkey_views.new_options, name="passkey-options"),
    path("new/", passkey_views.new, name="passkey-new"),
    path("<int:pk>/remove/", passkey_views.remove, name="passkey-remove"),
]

_devices = [
    path("", device_views.overview, name="devices"),
    path("end/", device_views.end_everywhere, name="devices-end"),
    path("<slug:pk>/end/", device_views.end, name="device-end"),
]

_sign_on = [
    path("", sign_on_views.begin, name="sign-on"),
    path("back/", sign_on_views.back, name="sign-on-back"),
]

_own_school_accounts = [
    path("", sign_on_views.own, name="sign-on-own"),
    path("<int:provider>/connect/", sign_on_views.connect, name="sign-on-connect"),
    path("<int:identity>/disconnect/", sign_on_views.disconnect, name="sign-on-disconnect"),
]

_sign_on_service = [
    path("", school_sign_on.change, name="sign-on-change"),
    path("test/", school_sign_on.test, name="sign-on-test"),
    path("switch/", school_sign_on.switch, name="sign-on-switch"),
    path("remove/", school_sign_on.remove, name="sign-on-remove"),
    path("people/<int:identity>/", school_sign_on.disconnect, name="sign-on-disconnect-other"),
]

urlpatterns = [
    path("login/", sign_on_views.LogIn.as_view(), name="login"),
    path("login/with/<int:provider>/", include(_sign_on)),
    path("login/code/", two_factor.code, name="login-code"),
    path("login/passkey/", passkey_views.log_in, name="login-passkey"),
    path("login/passkey/options/", passkey_views.login_options, name="login-passkey-options"),
    path("me/passkeys/", include(_passkeys)),
    path("me/devices/", include(_devices)),
    path("me/school-accounts/", include(_own_school_accounts)),
    path("me/tokens/", device_views.token_new, name="token-new"),
    path("me/tokens/<int:pk>/revoke/", device_views.token_revoke, name="token-revoke"),
    path("me/account/", auth_views.own_account, name="own-account"),
    path("me/reading/", auth_views.own_reading, name="own-reading"),
    path("me/password/", auth_views.own_password, name="own-password"),
    path("me/second-step/", two_factor.settings_page, name="second-step"),
    path("logout/", sign_on_views.LogOut.as_view(), name="logout"),
    path("password/", include(_password)),
    path("card/", auth_views.card, name="card"),
    path("join/", door_views.join, name="join"),
    path("join/waiting/", door_views.waiting, name="waiting"),
    path("c/<slug:code>/", door_views.class_door, name="class-door"),
    path("c/<slug:code>/join/", door_views.class_join, name="class-join"),
    path("classes/", classroom_views.classroom_list, name="classroom-list"),
    path("classes/new/", classroom_views.classroom_new, name="classroom-new"),
    path("classes/<int:pk>/", include(_classroom)),
    path("pupils/<int:pk>/", student_views.student, name="student"),
    path("pupils/<int:pk>/export/", privacy_views.student_export, name="student-export"),
    path("pupils/<int:pk>/erase/", privacy_views.student_delete, name="student-delete"),
    path("pupils/<int:pk>/merge/", student_views.student_merge, name="student-merge"),
    path("pupils/<int:pk>/view/", privacy_views.view_as, name="view-as"),
    path("view/stop/", privacy_views.view_as_stop, name="view-as-stop"),
    path("bin/", bin_views.overview, name="bin"),
    path("bin/<slug:section>/<int:pk>/restore/", bin_views.restore, name="bin-restore"),
    path("bin/<slug:section>/<int:pk>/erase/", bin_views.erase, name="bin-erase"),
    path("me/data/", privacy_views.own_data, name="own-data"),
    path("setup/", setup_views.set_up, name="setup"),
    path("signup/", school_views.sign_up, name="sign-up"),
    path("invitations/<slug:token>/", school_views.invitation, name="invitation"),
    path("classes/<int:pk>/invite/", school_views.class_invite, name="class-invite"),
    path("schools/<int:pk>/", school_views.school, name="school"),
    path("schools/<int:pk>/invite/", school_views.school_invite, name="school-invite"),
    path(
        "classes/<int:pk>/invitations/<int:invitation>/withdraw/",
        school_views.class_withdraw,
        name="class-withdraw",
    ),
    path(
        "schools/<int:pk>/invitations/<int:invitation>/withdraw/",
        school_views.school_withdraw,
        name="school-withdraw",
    ),
    path(
        "schools/<int:pk>/teachers/<int:teacher>/second-step/",
        school_views.second_step_reset,
        name="second-step-reset",
    ),
    path(
        "schools/<int:pk>/teachers/<int:teacher>/close/", school_views.close, name="account-close"
    ),
    path(
        "schools/<int:pk>/teachers/<int:teacher>/role/",
        school_views.school_role,
        name="school-role",
    ),
    path(
        "schools/<int:pk>/teachers/<int:teacher>/open/",
        school_views.open_again,
        name="account-open",
    ),
    path("schools/<int:pk>/rosters/", school_roster_views.upload, name="school-roster-new"),
    path("schools/<int:pk>/rosters/<int:roster_pk>/", include(_school_roster)),
    path(
        "schools/<int:pk>/invite/<int:roster_line>/",
        school_roster_views.invite,
        name="school-roster-invite",
    ),
    path("schools/<int:pk>/sign-in/", school_sign_on.overview, name="sign-on-services"),
    path("schools/<int:pk>/sign-in/<int:provider>/", include(_sign_on_service)),
    path("schools/<int:pk>/webhooks/", webhook_views.overview, name="webhooks"),
    path("schools/<int:pk>/webhooks/<int:webhook>/", include(_webhook)),
    path("schools/<int:pk>/log/", school_views.log, name="school-log"),
    path("pupils/<int:pk>/classes/", student_views.student_classes, name="student-classes"),
    path("pupils/<int:pk>/name/", student_views.student_rename, name="student-rename"),
    path("pupils/<int:pk>/password/", student_views.student_password, name="student-password"),
    path(
        "pupils/<int:pk>/password/remove/",
        student_views.student_password_remove,
        name="student-password-remove",
    ),
]
