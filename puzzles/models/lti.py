"""Models of learning platforms (LTI 1.3): their courses, links and people here, and grades sent."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from osmosmjerka.accounts.models import Classroom, School
from osmosmjerka.db.collation import Alphabetical


class LtiPlatform(models.Model):
    """A learning platform that a school connected, such as Moodle or Canvas."""

    school = models.ForeignKey(School, on_delete=models.CASCADE, related_name="lti_platforms")
    name = models.CharField(pgettext_lazy("learning platform", "name"), max_length=100)
    issuer = models.CharField(
        _("platform ID (issuer)"), max_length=255, help_text=_("Like https://moodle.example.")
    )
    client_id = models.CharField(_("client ID"), max_length=255)
    auth_url = models.URLField(_("authentication request URL"), max_length=500)
    token_url = models.URLField(_("access token URL"), max_length=500)
    keys_url = models.URLField(_("public keyset URL"), max_length=500)
    is_on = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    keys: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict, help_text="The platform's public keys, as read last."
    )
    keys_at = models.DateTimeField(null=True, help_text="When they were asked for last.")

    class Meta:
        verbose_name = _("learning platform")
        verbose_name_plural = _("learning platforms")
        ordering = [Alphabetical("name"), "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["issuer", "client_id"], name="a_platform_is_one_schools"
            )
        ]

    def __str__(self) -> str:
        return self.name


class LtiDeployment(models.Model):
    """A place of a platform at which this site is installed; a launch names it."""

    platform = models.ForeignKey(LtiPlatform, on_delete=models.CASCADE, related_name="deployments")
    deployment_id = models.CharField(max_length=255)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["platform", "deployment_id"], name="a_deployment_is_known_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.platform} · {self.deployment_id}"


class LtiInvitation(models.Model):
    """An address for dynamic registration that works once; only its hash is stored."""

    school = models.ForeignKey(School, on_delete=models.CASCADE, related_name="+")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    token_hash = models.CharField(max_length=64, unique=True)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.school} · {self.until}"


class ToolKey(models.Model):
    """A key with which this site signs what it tells platforms; /lti/keys/ has its public half."""

    kid = models.CharField(max_length=64, unique=True)
    private = models.TextField(help_text="PEM, encrypted by accounts.secrets.")
    made_at = models.DateTimeField(auto_now_add=True)
    retired_at = models.DateTimeField(null=True, help_text="Since when it signs nothing new.")

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.kid


class LtiCourse(models.Model):
    """A course of a platform (“context”), and the class that it is here."""

    deployment = models.ForeignKey(LtiDeployment, on_delete=models.CASCADE, related_name="courses")
    context_id = models.CharField(max_length=255)
    title = models.CharField(max_length=200, blank=True)
    classroom = models.ForeignKey(
        Classroom, on_delete=models.SET_NULL, null=True, related_name="lti_courses"
    )
    memberships_url = models.URLField(max_length=1000, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["deployment", "context_id"], name="a_course_is_known_once"
            )
        ]

    def __str__(self) -> str:
        return self.title or self.context_id


class LtiPerson(models.Model):
    """Who a person of a platform is here."""

    platform = models.ForeignKey(LtiPlatform, on_delete=models.CASCADE, related_name="people")
    platform_id: int
    subject = models.CharField(max_length=255, help_text="The platform's number for the person.")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="lti_people"
    )
    user_id: int
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("account on a learning platform")
        verbose_name_plural = _("accounts on learning platforms")
        constraints = [
            models.UniqueConstraint(fields=["platform", "subject"], name="a_subject_is_one_person")
        ]

    def __str__(self) -> str:
        return f"{self.platform} · {self.user}"


class LtiLink(models.Model):
    """An activity in a course (“resource link”), and the assignment that it opens."""

    course = models.ForeignKey(LtiCourse, on_delete=models.CASCADE, related_name="links")
    resource_link_id = models.CharField(max_length=255)
    assignment = models.ForeignKey(
        "puzzles.Assignment", on_delete=models.SET_NULL, null=True, related_name="lti_links"
    )
    line_item = models.URLField(
        max_length=1000, blank=True, help_text="Where its grades are sent; none: nowhere."
    )
    reads_results = models.BooleanField(
        default=False, help_text="Whether the platform tells the grades that it has."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["course", "resource_link_id"], name="a_resource_link_is_known_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.course} · {self.resource_link_id}"


class LtiNonce(models.Model):
    """A launch that was used: it cannot be used again."""

    value = models.CharField(max_length=64, unique=True)
    until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.value


class LtiGrade(models.Model):
    """A student's grade for an activity, as far as the platform has it."""

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("grade", "waiting")
        SENT = "sent", pgettext_lazy("grade", "sent")
        REFUSED = "refused", pgettext_lazy("grade", "not accepted")

    class Reason(models.TextChoices):
        CHANGED = "changed", _("The grade was changed in the learning platform, so it was kept.")
        REFUSED = "refused", _("The learning platform refused the grade.")
        GONE = "gone", _("The activity no longer exists in the learning platform.")
        LATE = "late", _("The learning platform could not be reached for a day.")

    link = models.ForeignKey(LtiLink, on_delete=models.CASCADE, related_name="grades")
    student = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="lti_grades"
    )
    score = models.FloatField(
        null=True, help_text="From 0 to 1: what was to be sent last, written before it is sent."
    )
    accepted = models.FloatField(null=True, help_text="What the platform accepted last.")
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    reason = models.CharField(max_length=10, choices=Reason, blank=True)
    since = models.DateTimeField(
        default=timezone.now, help_text="When the attempt ended that is to be sent."
    )
    at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("grade on a learning platform")
        verbose_name_plural = _("grades on learning platforms")
        ordering = ["-at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["link", "student"], name="one_grade_an_activity")
        ]

    def __str__(self) -> str:
        return f"{self.link} · {self.student}"
