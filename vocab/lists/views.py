"""Pages of vocabulary lists."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts.access import is_offered_to_assign
from osmosmjerka.accounts.bin.views import tell_of_bin
from osmosmjerka.db.collation import Alphabetical
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, teacher_required
from vocab import access
from vocab.entries import bulk, table
from vocab.entries import selectors as entries_selectors
from vocab.entries.forms import EntryForm
from vocab.formats import EXPORTS
from vocab.formats.rows import FormatError
from vocab.imports import services as imports
from vocab.imports.results import what_changed
from vocab.lists import covers, pasted, samples, selectors
from vocab.lists import services as list_services
from vocab.lists.forms import AddLinesForm, SamplesForm, VocabularyListForm
from vocab.memory.rules import zone_of
from vocab.models import Import, Share, VocabularyList
from vocab.sentences import said
from vocab.sounds.views import sounds_context
from vocab.text import language_name

LISTS_A_PAGE = 50
ENTRIES_A_PAGE = 25


@teacher_required
@require_safe
def list_overview(request: SignedInRequest) -> HttpResponse:
    """Show the lists that a teacher may see, or those that a search finds."""
    lists = access.vocabulary_lists(request.user, "see")
    asked = selectors.asked_for(request.GET)
    found = selectors.find_lists(selectors.with_sizes(lists), **asked).select_related("owner")
    page = Paginator(found, LISTS_A_PAGE).get_page(request.GET.get("page"))
    matches = selectors.matches(page, asked["search"])
    with timezone.override(zone_of(request.user.school)):
        looks = covers.covers_of(list(page), request.user, timezone.now())
    context = {
        "page": page,
        "cards": [(each, matches.get(each.pk), looks[each.pk]) for each in page],
        "asked": asked,
        "tags": selectors.tags_of(lists),
        "is_search": bool(asked["search"] or asked["tag"]),
    }
    return render(request, "vocab/lists/list_overview.html", context)


@teacher_required
@require_safe
def list_gallery(request: SignedInRequest) -> HttpResponse:
    """Show the lists that colleagues share with a teacher, to find one and copy it."""
    lists = selectors.shared_with(request.user)
    language, size = (request.GET.get(name, "") for name in ("language", "size"))
    search = request.GET.get("q", "")
    counted = selectors.of_size(selectors.with_sizes(lists), size)
    found = selectors.find_lists(counted, search=search, language=language)
    page = Paginator(found.select_related("owner"), LISTS_A_PAGE).get_page(request.GET.get("page"))
    matches = selectors.matches(page, search)
    reader = get_language() or "en"
    context = {
        "page": page,
        "cards": [(each, matches.get(each.pk)) for each in page],
        "asked": {"search": search, "language": language, "size": size},
        "languages": [(tag, language_name(tag, reader)) for tag in selectors.languages_of(lists)],
        "is_search": bool(search or language or size),
    }
    return render(request, "vocab/lists/list_gallery.html", context)


@teacher_required
@require_http_methods(["GET", "POST"])
def list_new(request: SignedInRequest) -> HttpResponse:
    form = VocabularyListForm(
        request.POST or None, initial={"translation_language": get_language() or "en"}
    )
    if request.method == "POST" and form.is_valid():
        wanted = form.cleaned_data
        made = list_services.create_list(
            owner=request.user,
            title=wanted["title"],
            language=wanted["language"],
            translation_languages=[wanted["translation_language"]],
            visibility=wanted["visibility"],
            accents=wanted["accents"],
            playing_rules=wanted["playing_rules"],
            rows=wanted["lines"].rows if wanted["lines"] else (),
        )
        if not wanted["lines"]:
            return redirect("list-import", made.pk)
        count = made.entries.count()
        text = ngettext(
            "List created with %(count)s word.", "List created with %(count)s words.", count
        )
        messages.success(request, text % {"count": count})
        return redirect("list", made.pk)
    return render(request, "vocab/lists/list_new.html", {"form": form, **_previewed(request)})


@teacher_required
@require_http_methods(["GET", "POST"])
def list_samples(request: SignedInRequest) -> HttpResponse:
    """Show the sample lists, with translations in a chosen language; POST copies one."""
    if request.method == "POST":
        with refusal_as_message(request):
            made = list_services.copy_sample(
                owner=request.user,
                language=request.POST.get("language", ""),
                translation_language=request.POST.get("translation_language", ""),
            )
            messages.success(request, _("The list is yours now. Change whatever you like."))
            return redirect("list", made.pk)
        return redirect("list-samples")
    form = SamplesForm(request.GET or {"translation_language": samples.suggested_translation()})
    shown = form.cleaned_data["translation_language"] if form.is_valid() else "en"
    return render(
        request,
        "vocab/lists/list_samples.html",
        {"form": form, "translation_language": shown, "samples": samples.samples_for(shown)},
    )


@teacher_required
@require_POST
def preview(request: SignedInRequest) -> HttpResponse:
    """Show what pasted lines become in a new list, before anything is saved."""
    return render(request, "vocab/lists/_preview.html", _previewed(request))


@teacher_required
@require_POST
def preview_more(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show what pasted lines become in a list, before anything is saved."""
    vocabulary_list = get_object_or_404(access.vocabulary_lists(request.user, "edit"), pk=pk)
    return render(request, "vocab/lists/_preview.html", _previewed(request, vocabulary_list))


def _previewed(
    request: SignedInRequest, vocabulary_list: VocabularyList | None = None
) -> dict[str, object]:
    """Return what a preview of the pasted lines shows; without a list, of a new one."""
    sent, text = request.POST, request.POST.get("lines", "")
    if not text.strip():
        return {}
    is_new = vocabulary_list is None
    vocabulary_list = vocabulary_list or VocabularyList(
        school=request.user.school,
        language=sent.get("language", ""),
        translation_languages=[sent.get("translation_language") or "und"],
    )
    try:
        parsed = pasted.read(text, sent, vocabulary_list.languages)
    except FormatError as error:
        return {"failure": said(error)}
    rules = pasted.rules_of(parsed, vocabulary_list.language, sent) if is_new else None
    if rules is not None:
        vocabulary_list.playing_rules = rules
    preview = pasted.preview_of(parsed, vocabulary_list)
    return {
        "preview": preview,
        "shown": preview.lines[: pasted.SHOWN_LINES],
        "reading": pasted.ReadingForm(
            sent, text, parsed, rules, vocabulary_list.translation_languages
        ),
        "language": vocabulary_list.language,
        "preview_url": reverse("list-preview")
        if is_new
        else reverse("list-preview-more", args=[vocabulary_list.pk]),
    }


@teacher_required
@require_http_methods(["GET", "POST"])
def list_detail(request: SignedInRequest, pk: int) -> HttpResponse:
    action: access.ListAction = "edit" if request.method == "POST" else "see"
    lists = access.vocabulary_lists(request.user, action).select_related("school")
    shared = lists.annotate(is_shared=Exists(Share.objects.filter(vocabulary_list=OuterRef("pk"))))
    vocabulary_list = get_object_or_404(shared, pk=pk)
    form = AddLinesForm(request.POST or None, vocabulary_list=vocabulary_list)
    if request.method == "POST" and form.is_valid():
        try:
            made = imports.import_lines(
                vocabulary_list=vocabulary_list,
                created_by=request.user,
                rows=form.cleaned_data["lines"].rows,
            )
        except ValidationError as error:
            form.add_error("lines", error)
        else:
            if made.state != Import.State.APPLIED:
                return redirect("import", made.pk)
            messages.success(request, what_changed(made))
            return redirect("list", pk)
    asked = entries_selectors.asked_for(request.GET)
    entries = entries_selectors.find_entries(vocabulary_list, **asked).prefetch_related(
        "translations"
    )
    page = Paginator(entries, ENTRIES_A_PAGE).get_page(request.GET.get("page"))
    editable = access.vocabulary_lists(request.user, "edit")
    may = access.list_actions(request.user, vocabulary_list)
    may_edit = "edit" in may
    return render(
        request,
        "vocab/lists/list_detail.html",
        {
            "list": vocabulary_list,
            "form": form,
            **(_previewed(request, vocabulary_list) if form.errors else {}),
            "page": page,
            "rows": table.rows_of(vocabulary_list, list(page)),
            **sounds_context(vocabulary_list),
            "size": vocabulary_list.entries.count(),
            "asked": asked,
            "tags": entries_selectors.tags_of(vocabulary_list),
            "parts_of_speech": entries_selectors.parts_of_speech_of(vocabulary_list),
            "new_form": EntryForm(vocabulary_list=vocabulary_list),
            "targets": editable.exclude(pk=pk).order_by(Alphabetical("title"), "pk")[:100]
            if "move out" in may
            else (),
            "edits": bulk.undoable(vocabulary_list, request.user) if may_edit else (),
            "just_now": timezone.now() - timedelta(hours=1),
            "puzzles": vocabulary_list.puzzles.filter(daily=None).defer(
                "grid", "unplaced", "entries", "settings"
            )[:20],
            "formats": EXPORTS.values(),
            "imports": vocabulary_list.imports.filter(
                state__in=[Import.State.APPLIED, *Import.UNDER_WAY]
            )[:5],
            "may_assign": is_offered_to_assign(request.user),
            "may_edit": may_edit,
            "may_share": "share" in may,
            "has_links": settings.SHARE_LINKS != "off",
            "may_delete": "delete" in may,
        },
    )


@teacher_required
@require_POST
def list_delete(request: SignedInRequest, pk: int) -> HttpResponse:
    vocabulary_list = get_object_or_404(access.vocabulary_lists(request.user, "delete"), pk=pk)
    with refusal_as_message(request):
        list_services.delete_list(vocabulary_list=vocabulary_list, actor=request.user)
        text = _("The list “%(title)s” is now in the bin.") % {"title": vocabulary_list}
        tell_of_bin(request, text, undo=("lists", vocabulary_list.pk))
        return redirect("list-overview")
    return redirect("list", pk)
