"""Pages to import and export files."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.web.views import (
    SignedInRequest,
    download,
    refusal_as_message,
    teacher_required,
)
from vocab import access
from vocab.formats import EXPORTS
from vocab.formats.repairs import REPAIRS
from vocab.formats.rows import FormatError, Problem
from vocab.imports import changes
from vocab.imports import services as imports
from vocab.imports.forms import ImportForm, ReadingForm
from vocab.models import Import
from vocab.rows import convert
from vocab.rows.plan import OUTCOMES
from vocab.sentences import said

ROWS_A_PAGE = 100
SHOWN_PROBLEMS = 20


@teacher_required
@require_http_methods(["GET", "POST"])
def import_new(request: SignedInRequest, pk: int) -> HttpResponse:
    vocabulary_list = get_object_or_404(access.vocabulary_lists(request.user, "edit"), pk=pk)
    form = ImportForm(request.POST, request.FILES) if request.method == "POST" else ImportForm()
    if form.is_valid():
        wanted = form.cleaned_data
        try:
            made = imports.start_import(
                vocabulary_list=vocabulary_list,
                created_by=request.user,
                file=wanted["file"] or None,
                text=wanted["text"],
            )
        except FormatError as error:
            form.add_error("file" if wanted["file"] else "text", said(error))
        else:
            return redirect("import", made.pk)
    return render(request, "vocab/imports/import_new.html", {"list": vocabulary_list, "form": form})


def _import(request: SignedInRequest, pk: int) -> Import:
    found: Import = get_object_or_404(access.imports(request.user), pk=pk)
    return found


@teacher_required
@require_safe
def import_detail(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show what an import will do, is doing or has done."""
    return _shown(request, _import(request, pk), None)


def _shown(request: SignedInRequest, import_: Import, form: ReadingForm | None) -> HttpResponse:
    context: dict[str, Any] = {"import": import_, "list": import_.vocabulary_list}
    if import_.playing_rules is not None:  # what its words will be played by
        import_.vocabulary_list.playing_rules = import_.playing_rules
    if import_.state == Import.State.WAITING:
        context |= _dry_run(request, import_)
        context["form"] = form or ReadingForm(import_=import_)
    else:
        context["job"] = imports.job_of(import_)
    if import_.state == Import.State.APPLIED:
        context["why_not_undone"] = imports.why_not_undone(import_)
    return render(request, "vocab/imports/import_detail.html", context)


def _dry_run(request: SignedInRequest, import_: Import) -> dict[str, Any]:
    planned = changes.plan_of(import_)
    problems = [Problem.from_json(problem) for problem in import_.problems]
    errors = [problem for problem in problems if problem.severity == "error"]
    counts = dict.fromkeys(OUTCOMES, 0)
    for item in planned:
        counts[item.outcome] += 1
    counts["wrong"] += len(errors)
    names = {
        "new": pgettext("words", "New"),
        "changed": pgettext("words", "Changed"),
        "same": _("Already in the list"),
        "repeated": _("Duplicates in the file"),
        "wrong": _("Errors"),
    }
    chosen = request.GET.get("show", "")
    if chosen not in counts:
        chosen = next((name for name in OUTCOMES if counts[name]), "new")
    shown: list[Any] = [item for item in planned if item.outcome == chosen]
    if chosen == "wrong":
        shown = [{"line": problem.line, "reason": said(problem)} for problem in errors] + [
            {"line": item.row.line, "term": item.row.term, "reason": said(item.problem)}
            for item in shown
            if item.problem
        ]
        shown.sort(key=lambda wrong: wrong["line"])
    warnings: list[dict[str, Any]] = [
        {
            "line": problem.line,
            "text": said(problem),
            "repairs": [(name, said(REPAIRS[name].label)) for name in problem.repairs],
        }
        for problem in problems
        if problem.severity == "warning"
    ]
    todo = [item for item in planned if item.outcome in ("new", "changed")]
    without_file = changes.without_file(import_, todo)
    if without_file:
        warnings.insert(0, {"line": 0, "text": _files_missing(len(without_file))})
    return {
        "without_file": without_file,
        "outcomes": [(name, names[name], counts[name]) for name in OUTCOMES],
        "chosen": chosen,
        "todo": len(todo),
        "page": Paginator(shown, ROWS_A_PAGE).get_page(request.GET.get("page")),
        "warnings": warnings[:SHOWN_PROBLEMS],
        "more_warnings": max(0, len(warnings) - SHOWN_PROBLEMS),
    }


def _files_missing(count: int) -> str:
    text = ngettext(
        "%(count)s picture or sound is only named; its file is missing. The name will be kept.",
        "%(count)s pictures or sounds are only named; their files are missing. The names will be "
        "kept.",
        count,
    )
    return text % {"count": count}


@teacher_required
@require_POST
def import_settings(request: SignedInRequest, pk: int) -> HttpResponse:
    import_ = _import(request, pk)
    form = ReadingForm(request.POST, import_=import_)
    if form.is_valid():
        settings, columns = form.reading()
        try:
            with refusal_as_message(request):
                imports.read_again(
                    import_=import_,
                    columns=columns,
                    policy=form.cleaned_data["policy"],
                    playing_rules=form.cleaned_data.get("playing_rules"),
                    **settings,
                )
        except FormatError as error:
            form.add_error(None, said(error))
        else:
            return redirect("import", pk)
    return _shown(request, _import(request, pk), form)


@teacher_required
@require_POST
def import_apply(request: SignedInRequest, pk: int) -> HttpResponse:
    import_ = _import(request, pk)
    with refusal_as_message(request):
        if import_.state == Import.State.WAITING:
            imports.apply_import(import_=import_)
        else:
            imports.try_again(import_=import_)
    return redirect("import", pk)


@teacher_required
@require_POST
def import_undo(request: SignedInRequest, pk: int) -> HttpResponse:
    with refusal_as_message(request):
        imports.undo_import(import_=_import(request, pk))
    return redirect("import", pk)


@teacher_required
@require_POST
def import_discard(request: SignedInRequest, pk: int) -> HttpResponse:
    import_ = _import(request, pk)
    with refusal_as_message(request):
        imports.discard_import(import_=import_)
        return redirect("list", import_.vocabulary_list_id)
    return redirect("import", pk)


@teacher_required
@require_safe
def import_progress(request: SignedInRequest, pk: int) -> HttpResponse:
    """Return the fragment with an import's progress; it polls until the import is finished."""
    import_ = _import(request, pk)
    response = render(
        request,
        "vocab/imports/_import_progress.html",
        {"import": import_, "job": imports.job_of(import_)},
    )
    if import_.state in {Import.State.APPLIED, Import.State.UNDONE}:
        response["HX-Refresh"] = "true"
    return response


@teacher_required
@require_safe
def list_export(request: SignedInRequest, pk: int, format: str) -> HttpResponse:
    vocabulary_list = get_object_or_404(access.vocabulary_lists(request.user, "see"), pk=pk)
    if format not in EXPORTS:
        raise Http404
    try:
        return exported(
            vocabulary_list.title, format, convert.export_list(vocabulary_list, format=format)
        )
    except FormatError as error:
        messages.error(request, said(error))
        return redirect("list", pk)


def exported(title: str, format: str, data: bytes) -> HttpResponse:
    """Return a file for download, named after its list."""
    kind = EXPORTS[format]
    name = slugify(title, allow_unicode=True) or "list"
    return download(data, kind.mime, name + kind.suffix)
