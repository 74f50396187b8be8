"""Whom the claims of a sign-in service mean: nobody gets an account that is not theirs.

Each row of the table is an attack by somebody who controls what a service says, with a control:
the same claims with the safeguard off, or the person for whom they are right.
"""

import pytest
from django.core.exceptions import ValidationError

from osmosmjerka.accounts.models import ExternalId, Identity, IdentityProvider, User
from osmosmjerka.accounts.privacy import services as privacy
from osmosmjerka.accounts.schools import invitations
from osmosmjerka.accounts.sign_on import services
from osmosmjerka.accounts.sign_on.services import SignOnRefused

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def service(school, **settings):
    return IdentityProvider.objects.create(
        school=school, name="Accounts", issuer="https://login.example", client_id="x", **settings
    )


def verified(email, subject="1", **more):
    return {"sub": subject, "email": email, "email_verified": True, "name": "Ana Horvat"} | more


def meant(provider, claims, **how):
    """Return the person whom claims mean, None if they are refused."""
    try:
        return services.person_of(provider, claims, **how)
    except SignOnRefused:
        return None


@pytest.fixture
def admin(make_person, school):
    return make_person("school_admin", school=school)


@pytest.fixture
def colleague(make_person, school):
    person = make_person("teacher", school=school)
    person.email = "ivo@school.example"
    person.save()
    return person


@pytest.fixture
def of_roster(student, school):
    ExternalId.objects.create(school=school, source="number", value="4711", user=student)
    return student


# A person is known by the service's number ------------------------------------------------------


def test_who_signed_in_once_is_known_by_the_number_alone(school, colleague):
    provider = service(school, email_domain="school.example")
    assert meant(provider, verified("ivo@school.example")) == colleague
    assert meant(provider, verified("other@school.example")) == colleague
    assert Identity.objects.get().subject == "1"


def test_nothing_but_number_and_name_is_stored(school, colleague):
    provider = service(school, role_claim="groups", teacher_value="staff")
    made = meant(
        provider, verified("eva@school.example", groups=["staff"], picture="https://x", phone="1")
    )
    stored = str(User.objects.filter(pk=made.pk).values().get())
    stored += str(Identity.objects.filter(user=made).values().get())
    assert "Ana Horvat" in stored  # the control
    assert "eva@" not in stored and "https://x" not in stored


# Attacks


def test_a_service_of_another_school_opens_no_account(
    school, other_school, colleague, of_roster, make_person
):
    own = service(school, email_domain="school.example", roster_claim="number")
    foreign = service(other_school, email_domain="school.example", roster_claim="number")
    for claims, owner in [
        (verified("ivo@school.example"), colleague),
        ({"sub": "2", "number": "4711"}, of_roster),
    ]:
        assert meant(foreign, claims) is None
        assert meant(own, claims) == owner  # the control
    # Nor does it once the person's connection was written by somebody into its rows.
    Identity.objects.create(provider=foreign, subject="9", user=colleague)
    assert meant(foreign, {"sub": "9"}) is None


@pytest.mark.parametrize("role", ["student", "school_admin"])
def test_only_teachers_are_found_by_their_address(school, colleague, role):
    provider = service(school, email_domain="school.example")
    User.objects.filter(pk=colleague.pk).update(role=role)
    assert meant(provider, verified("ivo@school.example")) is None
    User.objects.filter(pk=colleague.pk).update(role="teacher")
    assert meant(provider, verified("ivo@school.example")) == colleague  # the control


@pytest.mark.parametrize("right", ["is_superuser", "is_staff"])
def test_who_manages_the_site_never_comes_in_by_a_schools_service(school, colleague, right):
    provider = service(school, email_domain="school.example")
    User.objects.filter(pk=colleague.pk).update(**{right: True})
    assert meant(provider, verified("ivo@school.example")) is None
    Identity.objects.create(provider=provider, subject="1", user=colleague)
    assert meant(provider, {"sub": "1"}) is None
    User.objects.filter(pk=colleague.pk).update(**{right: False})
    assert meant(provider, {"sub": "1"}) == colleague  # the control


@pytest.mark.parametrize(
    "claims",
    [
        {"email": "ivo@school.example", "email_verified": False},
        {"email": "ivo@school.example", "email_verified": "true"},
        {"email": "ivo@school.example"},
        {"email": "ivo@school.example.evil.example", "email_verified": True},
        {"email": "ivo@evil.example", "email_verified": True},
        {"email": ["ivo@school.example"], "email_verified": True},
        {"email": "ıvo@school.example", "email_verified": True},
        {"preferred_username": "ivo@school.example", "upn": "ivo@school.example"},
    ],
)
def test_an_address_that_is_not_verified_or_of_another_domain_opens_nothing(
    school, colleague, claims
):
    provider = service(school, email_domain="school.example")
    assert meant(provider, {"sub": "1"} | claims) is None
    assert meant(provider, verified("Ivo@School.example")) == colleague  # the control


def test_without_a_domain_nobody_is_found_by_an_address(school, colleague):
    provider = service(school)
    assert meant(provider, verified("ivo@school.example")) is None


def test_an_address_that_two_teachers_have_opens_neither(school, colleague, make_person):
    other = make_person("teacher", school=school)
    User.objects.filter(pk=other.pk).update(email="ivo@school.example")
    provider = service(school, email_domain="school.example")
    assert meant(provider, verified("ivo@school.example")) is None


@pytest.mark.parametrize(("tenant", "claim"), [("school.example", "hd"), ("1-2-3", "tid")])
def test_an_account_of_another_domain_or_tenant_is_refused(school, colleague, tenant, claim):
    provider = service(school, email_domain="school.example", tenant=tenant)
    claims = verified("ivo@school.example")
    for other in ({}, {claim: "other"}, {claim: [tenant]}):
        assert meant(provider, claims | other) is None
    assert meant(provider, claims | {claim: tenant}) == colleague  # the control


@pytest.mark.parametrize("state", ["deactivated", "in the bin"])
def test_a_deactivated_account_and_one_in_the_bin_stay_closed(school, of_roster, teacher, state):
    provider = service(school, roster_claim="number")
    assert meant(provider, {"sub": "1", "number": "4711"}) == of_roster  # the control
    if state == "in the bin":
        privacy.delete_student(person=of_roster, actor=teacher)
    else:
        User.objects.filter(pk=of_roster.pk).update(is_active=False)
    assert meant(provider, {"sub": "1", "number": "4711"}) is None


def test_a_number_that_is_given_to_another_student_does_not_open_the_old_account(school, of_roster):
    provider = service(school, roster_claim="number")
    assert meant(provider, {"sub": "1", "number": "4711"}) == of_roster
    assert meant(provider, {"sub": "2", "number": "4711"}) is None


@pytest.mark.parametrize("value", ["", None, [], ["4711"], {"a": 1}, True, "4712"])
def test_only_the_exact_number_of_the_roster_opens_an_account(school, of_roster, value):
    provider = service(school, roster_claim="number")
    assert meant(provider, {"sub": "1", "number": value}) is None
    assert meant(provider, {"sub": "1", "number": 4711}) == of_roster  # the control


def test_a_claim_that_is_true_is_no_number(school, of_roster):
    ExternalId.objects.update(value="True")
    assert meant(service(school, roster_claim="number"), {"sub": "1", "number": True}) is None


def test_a_person_who_moved_to_another_school_is_not_let_in(school, other_school, colleague):
    provider = service(school, email_domain="school.example")
    assert meant(provider, verified("ivo@school.example")) == colleague  # the control
    User.objects.filter(pk=colleague.pk).update(school=other_school)
    assert meant(provider, verified("ivo@school.example")) is None


# Invitations and new accounts


def test_an_invited_teacher_gets_an_account_once(school, admin, other_school):
    _invitation, token = invitations.invite(school=school, role="teacher", actor=admin)
    assert meant(service(other_school), {"sub": "1"}, invitation=token) is None
    assert meant(service(school), {"sub": "1"}, invitation="wrong") is None
    provider = IdentityProvider.objects.get(school=school)
    made = meant(provider, {"sub": "1", "name": "Eva Kralj"}, invitation=token)
    assert (made.role, made.school, made.display_name) == ("teacher", school, "Eva Kralj")
    assert not made.has_usable_password()
    assert meant(provider, {"sub": "2"}, invitation=token) is None
    assert meant(provider, {"sub": "1"}) == made


def test_accounts_are_created_only_for_the_roles_that_the_school_wants(school):
    provider = service(school, role_claim="groups", teacher_value="staff", student_value="pupils")
    teacher = meant(provider, {"sub": "1", "groups": ["staff", "x"], "name": "Eva Kralj"})
    student = meant(provider, {"sub": "2", "groups": "pupils", "name": "Ana Marija Horvat"})
    assert (teacher.role, teacher.display_name) == ("teacher", "Eva Kralj")
    assert (student.role, student.display_name) == ("student", "Ana H.")
    assert student.email == ""
    for claims in ({"groups": ["guests"]}, {}, {"groups": None}, {"groups": ["Staff"]}):
        assert meant(provider, {"sub": "3"} | claims) is None
    IdentityProvider.objects.update(teacher_value="", student_value="")
    provider.refresh_from_db()
    assert meant(provider, {"sub": "4", "groups": ["staff", ""]}) is None


def test_a_site_that_is_closed_to_new_teachers_creates_none(school, admin, settings):
    settings.REGISTRATION = "closed"
    provider = service(school, role_claim="groups", teacher_value="staff")
    _invitation, token = invitations.invite(school=school, role="teacher", actor=admin)
    assert meant(provider, {"sub": "1", "groups": ["staff"]}, invitation=token) is None
    settings.REGISTRATION = "invitation"
    assert meant(provider, {"sub": "1", "groups": ["staff"]})  # the control


# One's own connection


def test_a_school_account_and_an_account_here_are_connected_once(school, colleague, teacher):
    provider = service(school)
    services.connect(provider=provider, claims={"sub": "1"}, person=colleague)
    with pytest.raises(SignOnRefused):
        services.connect(provider=provider, claims={"sub": "1"}, person=teacher)
    with pytest.raises(SignOnRefused):
        services.connect(provider=provider, claims={"sub": "2"}, person=colleague)


def test_the_only_way_to_log_in_cannot_be_disconnected(school, colleague):
    provider = service(school)
    services.connect(provider=provider, claims={"sub": "1"}, person=colleague)
    identity = colleague.identities.get()
    colleague.set_unusable_password()
    colleague.save()
    with pytest.raises(ValidationError):
        services.disconnect(identity=identity, actor=colleague)
    colleague.set_password("a staple of correct horses")
    colleague.save()
    services.disconnect(identity=identity, actor=colleague)
    assert not colleague.identities.exists()


def test_merged_students_keep_the_school_account(school, classroom, teacher, make_person):
    kept, gone = (make_person("student", school=school) for _one in range(2))
    provider = service(school)
    services.connect(provider=provider, claims={"sub": "1"}, person=gone)
    privacy.merge_students(kept=kept, gone=gone, actor=teacher)
    assert meant(provider, {"sub": "1"}) == kept
    gone.refresh_from_db()
    privacy.split_students(gone=gone)
    assert Identity.objects.get().user == gone


# The service of the whole site


def test_the_service_of_the_environment_ends_with_its_settings(settings, colleague):
    settings.SIGN_ON_ISSUER, settings.SIGN_ON_CLIENT_ID = "https://login.example", "x"
    settings.SIGN_ON_EMAIL_DOMAIN = "school.example"
    provider = services.of_settings()
    assert services.provider_of(0) == provider
    assert services.provider_of(provider.pk) is None
    assert meant(provider, verified("ivo@school.example")) == colleague
    settings.SIGN_ON_ISSUER = ""
    assert services.provider_of(0) is None


def test_the_page_of_the_login_does_not_list_every_schools_service(school, other_school):
    own, _other = service(school), service(other_school)
    assert services.offered("") == []
    assert services.offered(str(own.pk)) == [own]
    assert services.offered("x; drop") == []
    other_school.delete()
    assert services.offered("") == [own]
    own.is_on = False
    own.save()
    assert services.offered(str(own.pk)) == []
