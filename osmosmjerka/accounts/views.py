"""Pages about classes and their people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts import (
    access,
    audit,
    card_sheet,
    cards,
    classes,
    invitations,
    privacy,
    retention,
    services,
)
from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.forms import (
    ClassroomForm,
    ClassroomSettingsForm,
    PupilForm,
    RenameForm,
    RosterForm,
)
from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.accounts.view_as import KEY as VIEW_AS
from osmosmjerka.http import SignedInRequest, signed_in, teacher_required


@teacher_required
@require_safe
def classroom_list(request: SignedInRequest) -> HttpResponse:
    pupils = Count("memberships", filter=Q(memberships__role=Membership.Role.STUDENT))
    shown = classrooms(request.user, "see").annotate(pupils=pupils)
    return render(
        request,
        "accounts/classroom_list.html",
        {
            "classrooms": shown.filter(archived_at=None),
            "archived": shown.exclude(archived_at=None),
        },
    )


@teacher_required
@require_http_methods(["GET", "POST"])
def classroom_new(request: SignedInRequest) -> HttpResponse:
    form = ClassroomForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            classroom = services.create_classroom(
                name=form.cleaned_data["name"], owner=request.user
            )
        except ValueError as error:
            form.add_error(None, str(error))
        else:
            return redirect("classroom-people", classroom.pk)
    return render(request, "accounts/classroom_new.html", {"form": form})


@teacher_required
@require_http_methods(["GET", "POST"])
def pupil_new(request: SignedInRequest, pk: int) -> HttpResponse:
    classroom = _running(request, pk)
    form = PupilForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        pupil = services.create_pupil(classroom=classroom, actor=request.user, **form.cleaned_data)
        messages.success(request, _("%(pupil)s is in the class.") % {"pupil": pupil})
        return redirect("classroom-people", classroom.pk)
    return render(request, "accounts/pupil_new.html", {"form": form, "classroom": classroom})


@teacher_required
@require_safe
def people(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show who is in the class, their cards, and how others come in."""
    seen = classrooms(request.user, "see progress").select_related("school")
    classroom = get_object_or_404(seen, pk=pk)
    memberships = classroom.memberships.select_related("user__card").order_by(
        "user__display_name", "user_id"
    )
    pupils = [m for m in memberships if m.role == Membership.Role.STUDENT]
    may_manage = classrooms(request.user, "manage people").filter(pk=pk).exists()
    may_archive = classrooms(request.user, "archive").filter(pk=pk).exists()
    whole = access.pupils(request.user, "erase").filter(memberships__classroom=classroom)
    return render(
        request,
        "accounts/people.html",
        {
            "classroom": classroom,
            "pupils": pupils,
            "teachers": [m for m in memberships if m.role != Membership.Role.STUDENT],
            "roles": [r for r in Membership.Role.choices if r[0] != Membership.Role.STUDENT],
            "without_card": sum(not hasattr(m.user, "card") for m in pupils),
            "may_manage": may_manage,
            "may_archive": may_archive,
            "invitations": invitations.still_open().filter(classroom=classroom)
            if may_archive
            else (),
            "reached": set(
                access.pupils(request.user, "reset card")
                .filter(memberships__classroom=classroom)
                .values_list("pk", flat=True)
            ),
            "whole": set(whole.values_list("pk", flat=True)),
            "others": classrooms(request.user, "manage people")
            .filter(archived_at=None, school=classroom.school_id)
            .exclude(pk=pk),
            "form": ClassroomSettingsForm(instance=classroom),
            "door": _door(request, classroom),
            "erased_at": retention.erased_at(classroom),
        },
    )


@teacher_required
@require_http_methods(["GET", "POST"])
def roster(request: SignedInRequest, pk: int) -> HttpResponse:
    """Make accounts for a whole class from names or a file; cards are printed next."""
    classroom = _running(request, pk)
    is_sent = request.method == "POST"
    form = RosterForm(request.POST, request.FILES) if is_sent else RosterForm()
    if is_sent and form.is_valid():
        read = form.cleaned_data["roster"]
        try:
            made = classes.add_pupils(classroom=classroom, names=read.names, actor=request.user)
        except ValidationError as error:
            form.add_error(None, list(error.messages))
        else:
            _tell_of_roster(request, len(made), read)
            return redirect("classroom-people", classroom.pk)
    return render(request, "accounts/roster.html", {"form": form, "classroom": classroom})


def _tell_of_roster(request: HttpRequest, made: int, read: Any) -> None:
    added = ngettext("%(count)s pupil added.", "%(count)s pupils added.", made) % {"count": made}
    messages.success(request, added + " " + _("Now print their login cards."))
    for problem in read.problems[:5]:
        messages.warning(
            request,
            _("Line %(line)s was left out: %(problem)s")
            % {"line": problem.line, "problem": problem.message},
        )
    if len(read.problems) > 5:
        messages.warning(
            request, _("%(count)s more lines were left out.") % {"count": len(read.problems) - 5}
        )
    if read.ignored_columns:
        messages.info(
            request,
            _("Not kept, because nobody needs it here: %(columns)s.")
            % {"columns": ", ".join(read.ignored_columns)},
        )


@teacher_required
@require_POST
def print_cards(request: SignedInRequest, pk: int) -> HttpResponse:
    """Make new cards and hand them over on paper at once; they are kept nowhere."""
    classroom = _managed(request, pk)
    pupils = access.pupils(request.user, "reset card").filter(
        memberships__classroom=classroom, memberships__role=Membership.Role.STUDENT
    )
    which = request.POST.get("which", "")
    if which == "missing":
        pupils = pupils.filter(card=None)
    elif which != "all":
        pupils = pupils.filter(pk__in=_numbers(request.POST.getlist("pupil")))
    chosen = list(pupils.order_by("display_name", "pk").distinct())
    if not chosen:
        messages.error(request, _("Choose pupils of your school to print cards for."))
        return redirect("classroom-people", pk)
    made = cards.issue_cards(pupils=chosen, actor=request.user, classroom=classroom)
    if request.POST.get("format") == "pdf":
        try:
            with translation.override(classroom.language_of_cards):
                sheet = card_sheet.write(
                    made,
                    classroom=classroom,
                    card_address=request.build_absolute_uri(reverse("card")),
                    class_address=_door(request, classroom),
                )
        except card_sheet.LettersMissing as error:
            messages.warning(request, str(error))
        else:
            response = HttpResponse(sheet, content_type="application/pdf")
            response["Content-Disposition"] = 'attachment; filename="login-cards.pdf"'
            return response
    return card_page(request, classroom, made)


def card_page(
    request: HttpRequest,
    classroom: Classroom,
    made: Sequence[cards.PaperCard],
    *,
    is_own: bool = False,
) -> HttpResponse:
    """Show cards as a page that the browser prints, in any script."""
    address = request.build_absolute_uri(reverse("card"))
    shown = [(card, card_sheet.qr_svg(f"{address}#{card.token}")) for card in made]
    return render(
        request,
        "accounts/cards.html",
        {
            "classroom": classroom,
            "cards": shown,
            "door": _door(request, classroom).partition("://")[2],
            "is_own": is_own,
        },
    )


@teacher_required
@require_POST
def classroom_change(request: SignedInRequest, pk: int) -> HttpResponse:
    classroom = _running(request, pk)
    form = ClassroomSettingsForm(request.POST, instance=classroom)
    if form.is_valid():
        classes.update_classroom(classroom=classroom, actor=request.user, **form.cleaned_data)
        messages.success(request, _("Kept."))
    else:
        messages.error(request, _("The class needs a name."))
    return redirect("classroom-people", pk)


@teacher_required
@require_POST
def join_code_reset(request: SignedInRequest, pk: int) -> HttpResponse:
    classes.reset_join_code(classroom=_running(request, pk), actor=request.user)
    messages.success(request, _("The class has a new code. The old one leads nowhere now."))
    return redirect("classroom-people", pk)


@teacher_required
@require_POST
def pupils_move(request: SignedInRequest, pk: int) -> HttpResponse:
    """Move the chosen pupils to another class that the teacher manages."""
    origin = _managed(request, pk)
    target = get_object_or_404(
        classrooms(request.user, "manage people").filter(archived_at=None),
        pk=_number(request.POST.get("classroom")),
    )
    chosen = User.objects.filter(pk__in=_numbers(request.POST.getlist("pupil")))
    try:
        moved = classes.move_pupils(pupils=chosen, origin=origin, target=target, actor=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(
            request,
            ngettext("%(count)s pupil moved.", "%(count)s pupils moved.", moved) % {"count": moved},
        )
    return redirect("classroom-people", pk)


@teacher_required
@require_safe
def pupil(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show one pupil's account and what can be done with it."""
    shown = get_object_or_404(access.pupils(request.user, "rename"), pk=pk)
    seen = classrooms(request.user, "see progress")
    managed = classrooms(request.user, "manage people")
    return render(
        request,
        "accounts/pupil.html",
        {
            "pupil": shown,
            "classrooms": seen.filter(memberships__user=shown),
            "managed": managed.filter(memberships__user=shown, archived_at=None).first(),
            "places": shown.memberships.filter(
                role=Membership.Role.STUDENT, classroom__in=managed
            ).select_related("classroom"),
            "others": managed.filter(archived_at=None, school=shown.school_id).exclude(
                memberships__user=shown
            ),
            "card": getattr(shown, "card", None),
            "is_whole": access.pupils(request.user, "erase").filter(pk=pk).exists(),
            "form": RenameForm(initial={"display_name": shown.display_name}),
        },
    )


@teacher_required
@require_POST
def pupil_classes(request: SignedInRequest, pk: int) -> HttpResponse:
    """Put a pupil into one more class."""
    shown = get_object_or_404(access.pupils(request.user, "add to class"), pk=pk)
    target = get_object_or_404(
        classrooms(request.user, "manage people").filter(archived_at=None),
        pk=_number(request.POST.get("classroom")),
    )
    try:
        classes.add_to_class(pupil=shown, classroom=target, actor=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("%(pupil)s is in the class.") % {"pupil": shown})
    return redirect("pupil", pk)


@teacher_required
@require_POST
def pupil_rename(request: SignedInRequest, pk: int) -> HttpResponse:
    pupil = get_object_or_404(access.pupils(request.user, "rename"), pk=pk)
    form = RenameForm(request.POST)
    if form.is_valid():
        classes.rename_pupil(
            pupil=pupil, actor=request.user, display_name=form.cleaned_data["display_name"]
        )
        messages.success(request, _("Kept."))
    else:
        messages.error(request, _("Write a name with letters."))
    return redirect("pupil", pk)


@teacher_required
@require_POST
def pupil_export(request: SignedInRequest, pk: int) -> HttpResponse:
    """Hand over all data of a pupil to who answers for every class of theirs."""
    shown = get_object_or_404(access.pupils(request.user, "export"), pk=pk)
    return _export(shown, request.user)


@signed_in
@require_http_methods(["GET", "POST"])
def own_data(request: SignedInRequest) -> HttpResponse:
    """Tell people what is kept of them, and hand it over."""
    if request.method == "POST":
        return _export(request.user, request.user)
    context = {"record_store": settings.XAPI_URL}
    return render(request, "accounts/own_data.html", context)


def _export(person: User, actor: User) -> HttpResponse:
    response = HttpResponse(
        privacy.export_person(person=person, actor=actor), content_type="application/zip"
    )
    response["Content-Disposition"] = f'attachment; filename="data-{person.pk}.zip"'
    return response


@teacher_required
@require_POST
def pupil_erase(request: SignedInRequest, pk: int) -> HttpResponse:
    """Erase a pupil for good; the log-in name is typed to make sure."""
    shown = get_object_or_404(access.pupils(request.user, "erase"), pk=pk)
    if request.POST.get("username", "").strip() != shown.username:
        messages.error(request, _("Type the log-in name exactly to erase the pupil."))
        return redirect("pupil", pk)
    privacy.erase_person(person=shown, actor=request.user)
    messages.success(request, _("The pupil and everything that was kept of them is erased."))
    return redirect("classroom-list")


@teacher_required
@require_POST
def pupil_merge(request: SignedInRequest, pk: int) -> HttpResponse:
    """Make one account of two; the other is named by its log-in name."""
    reached = access.pupils(request.user, "merge")
    kept = get_object_or_404(reached, pk=pk)
    gone = reached.exclude(pk=pk).filter(username=request.POST.get("username", "").strip()).first()
    if gone is None:
        messages.error(request, _("You have no other pupil with this log-in name."))
    else:
        privacy.merge_pupils(kept=kept, gone=gone, actor=request.user)
        messages.success(request, _("The two accounts are one now."))
    return redirect("pupil", pk)


@teacher_required
@require_POST
def view_as(request: SignedInRequest, pk: int) -> HttpResponse:
    """Begin to look at a pupil's pages."""
    shown = get_object_or_404(access.pupils(request.user, "view as"), pk=pk)
    audit.record(actor=request.user, action="viewed as", subject=shown, school=shown.school)
    request.session[VIEW_AS] = shown.pk
    return redirect("home")


@signed_in
@require_POST
def view_as_stop(request: SignedInRequest) -> HttpResponse:
    pk = request.session.pop(VIEW_AS, None)
    return redirect("home") if pk is None else redirect("pupil", pk)


@teacher_required
@require_POST
def member_remove(request: SignedInRequest, pk: int, member: int) -> HttpResponse:
    classroom = _managed(request, pk)
    membership = get_object_or_404(classroom.memberships, pk=member)
    _refuse_teachers_place(request, classroom, membership)
    try:
        classes.remove_member(membership=membership, actor=request.user)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return redirect("classroom-people", pk)


@teacher_required
@require_POST
def member_role(request: SignedInRequest, pk: int, member: int) -> HttpResponse:
    """Change a teacher's place in the class; only who may archive it may."""
    classroom = get_object_or_404(classrooms(request.user, "archive"), pk=pk)
    membership = get_object_or_404(classroom.memberships, pk=member)
    try:
        classes.set_role(
            membership=membership, role=request.POST.get("role", ""), actor=request.user
        )
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    return redirect("classroom-people", pk)


@teacher_required
@require_POST
def classroom_archive(request: SignedInRequest, pk: int) -> HttpResponse:
    """Archive a class; with a name for it, start the next year's class from it."""
    classroom = get_object_or_404(
        classrooms(request.user, "archive").filter(archived_at=None), pk=pk
    )
    name = " ".join(request.POST.get("name", "").split())[:100]
    if name:
        try:
            following = classes.start_next_year(classroom=classroom, name=name, actor=request.user)
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
            return redirect("classroom-people", pk)
        messages.success(request, _("%(class)s is ready.") % {"class": following})
        return redirect("classroom-people", following.pk)
    classes.archive_classroom(classroom=classroom, actor=request.user)
    messages.success(request, _("The class is archived."))
    return redirect("classroom-people", pk)


def _refuse_teachers_place(
    request: SignedInRequest, classroom: Classroom, membership: Membership
) -> None:
    """Answer 404 to a co-teacher who would take another teacher out of the class."""
    if membership.role != Membership.Role.STUDENT and membership.user != request.user:
        get_object_or_404(classrooms(request.user, "archive"), pk=classroom.pk)


def _managed(request: SignedInRequest, pk: int) -> Classroom:
    return get_object_or_404(
        classrooms(request.user, "manage people").select_related("school"), pk=pk
    )


def _running(request: SignedInRequest, pk: int) -> Classroom:
    """Return a class whose people may still change: an archived one is only read."""
    return get_object_or_404(
        classrooms(request.user, "manage people").filter(archived_at=None), pk=pk
    )


def _door(request: HttpRequest, classroom: Classroom) -> str:
    return request.build_absolute_uri(reverse("class-door", args=[classroom.join_code]))


def _number(text: str | None) -> int:
    """Return a number from a form, 0 where there is none."""
    return (
        int(text)
        if text is not None and text.isascii() and text.isdigit() and len(text) < 18
        else 0
    )


def _numbers(texts: Sequence[str]) -> list[int]:
    return [_number(text) for text in texts[:1000]]
