"""Admin pages for people: search, view, and change what breaks no rule."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from osmosmjerka.accounts import audit
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import AuditEntry, Classroom, Membership, School, User
from osmosmjerka.accounts.schools import invitations
from osmosmjerka.accounts.schools.forms import SchoolForm
from osmosmjerka.accounts.schools.services import update_school
from osmosmjerka.db.collation import Alphabetical
from osmosmjerka.web.admin import NotErasedHere, OnlyRead

admin.site.unregister(Group)  # not used

# What changes who a person is or what they may do: whoever is logged in must log in again.
_ENDS_ACCESS = {"username", "email", "role", "school", "is_active", "is_staff", "is_superuser"}


@admin.register(School)
class SchoolAdmin(NotErasedHere, admin.ModelAdmin[School]):
    form = SchoolForm
    search_fields = ["name"]
    list_display = ["name", "created_at"]

    def save_model(
        self, request: HttpRequest, obj: School, form: forms.ModelForm[Model], change: bool
    ) -> None:
        if change and isinstance(request.user, User):
            update_school(school=obj, actor=request.user, changed=form.changed_data)
        else:
            super().save_model(request, obj, form, change)


class PersonForm(UserChangeForm[User]):
    """The fields of a person that can change without breaking what their classes rely on."""

    language = forms.ChoiceField(
        choices=[("", "–"), *settings.LANGUAGES],
        required=False,
        help_text="Without one, the school's language.",
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        person, role = self.instance, cleaned.get("role", self.instance.role)
        if role == User.Role.STUDENT:
            if cleaned.get("is_staff") or cleaned.get("is_superuser"):
                self.add_error("role", _("A student cannot be an admin."))
            if cleaned.get("email"):
                self.add_error("email", _("Students do not have an e-mail address here."))
        was_student = person.memberships.filter(role=Membership.Role.STUDENT).exists()
        is_turned = was_student != (role == User.Role.STUDENT)
        if is_turned and person.memberships.exists():
            self.add_error("role", _("Remove this person from their classes first."))
        school = cleaned.get("school", person.school)
        if "school" in self.changed_data and was_student and person.memberships.exists():
            self.add_error("school", _("Remove this person from their classes first."))
        if role == User.Role.STUDENT and school is None:
            self.add_error("school", _("A student must belong to a school."))
        return cleaned


class NewPersonForm(AdminUserCreationForm[User]):
    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("role") == User.Role.STUDENT and cleaned.get("school") is None:
            self.add_error("school", _("A student must belong to a school."))
        return cleaned


@admin.register(User)
class PersonAdmin(NotErasedHere, UserAdmin[User]):
    form = PersonForm
    add_form = NewPersonForm
    list_display = ["username", "display_name", "role", "school", "is_active"]
    list_filter = ["role", "is_active", "is_superuser"]
    list_select_related = ["school"]
    search_fields = ["username", "display_name", "email", "school__name"]
    autocomplete_fields = ["school"]
    ordering = [Alphabetical("username")]
    fieldsets = [
        (None, {"fields": ["username", "password"]}),
        (None, {"fields": ["display_name", "role", "school", "email", "language"]}),
        (None, {"fields": ["is_active", "is_staff", "is_superuser"]}),
    ]
    add_fieldsets = [
        (
            None,
            {
                "classes": ["wide"],
                "fields": ["username", "display_name", "role", "school", "usable_password",
                           "password1", "password2"],
            },
        )
    ]  # fmt: skip

    def save_model(
        self, request: HttpRequest, obj: User, form: forms.ModelForm[Model], change: bool
    ) -> None:
        """Save the person; whoever lost a right has no invitation left that needs it."""
        super().save_model(request, obj, form, change)
        if change and isinstance(request.user, User):
            if _ENDS_ACCESS & set(form.changed_data):
                obj.end_access()
                if obj == request.user:
                    update_session_auth_hash(request, obj)
            invitations.withdraw_lost(person=obj, actor=request.user)

    def log_addition(self, request: HttpRequest, obj: User, message: Any) -> Any:
        self._record(request, "made account", obj)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: User, message: Any) -> Any:
        """Also record the change, or a new password, in the school's activity log."""
        self._record(request, "changed account", obj)
        return super().log_change(request, obj, message)

    def _record(self, request: HttpRequest, action: audit.Action, person: User) -> None:
        if isinstance(request.user, User):
            audit.record(request.user, action, person)


class MembershipInline(OnlyRead, admin.TabularInline[Membership, Classroom]):
    """The members of a class, read-only: accounts.classrooms.services changes them."""

    model = Membership
    fields = ("user", "role", "until", "joined_at")
    readonly_fields = ("user", "role", "until", "joined_at")
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        return super().get_queryset(request).select_related("user", "classroom")


class ClassroomForm(forms.ModelForm[Classroom]):
    class Meta:
        model = Classroom
        fields = ["name", "is_join_open", "uses_pictures", "card_language"]
        widgets = {"card_language": forms.Select(choices=[("", "–"), *settings.LANGUAGES])}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("is_join_open") and self.instance.archived_at is not None:
            raise ValidationError(_("This class is archived, so nobody can be added to it."))
        return cleaned


@admin.register(Classroom)
class ClassroomAdmin(NotErasedHere, admin.ModelAdmin[Classroom]):
    """A class. Its owner creates it, and it stays in the owner's school."""

    form = ClassroomForm
    list_display = ["name", "school", "created_at", "archived_at"]
    list_select_related = ["school"]
    search_fields = ["name", "school__name", "join_code"]
    fields = ["school", "name", "join_code", "is_join_open", "uses_pictures", "card_language",
              "archived_at", "erasure_warned_at", "erasure_seen_at", "created_at"]  # fmt: skip
    readonly_fields = ["school", "join_code", "archived_at", "erasure_warned_at",
                       "erasure_seen_at", "created_at"]  # fmt: skip
    inlines = [MembershipInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def save_model(
        self, request: HttpRequest, obj: Classroom, form: forms.ModelForm[Model], change: bool
    ) -> None:
        if isinstance(request.user, User):
            classes.update_classroom(classroom=obj, actor=request.user, **form.cleaned_data)


@admin.register(AuditEntry)
class AuditEntryAdmin(OnlyRead, admin.ModelAdmin[AuditEntry]):
    """The activity log, read-only: entries are only ever appended."""

    list_display = ["at", "school", "actor_id", "action", "subject_kind", "subject_id"]
    list_filter = ["action"]
    list_select_related = ["school"]
    search_fields = ["action", "school__name", "=actor_id", "=subject_id"]
