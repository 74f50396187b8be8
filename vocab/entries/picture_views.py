"""Pages on which teachers add pictures to words."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from osmosmjerka.web.views import SignedInRequest, teacher_required
from vocab import access
from vocab.entries import pictures
from vocab.rows import convert


class PictureForm(forms.Form):
    """A picture for a word. Django's ImageField would decode it in this process."""

    picture = forms.FileField(
        label=_("Picture file"),
        help_text=_("PNG, JPEG, GIF or WebP, up to 15 MB."),
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/gif,image/webp"}),
    )


@teacher_required
@require_http_methods(["GET", "POST"])
def entry_picture(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a word's picture; replace or remove it."""
    action: access.ListAction = "edit" if request.method == "POST" else "see"
    entry = get_object_or_404(access.entries(request.user, action), pk=pk)
    is_removal = "remove" in request.POST
    form = PictureForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    if is_removal:
        pictures.remove_picture(entry=entry, person=request.user)
        messages.success(
            request, gettext("Picture removed. You can undo this in the list for 30 days.")
        )
        return redirect("entry-picture", pk)
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["picture"]
        try:
            data = file.read(pictures.MAX_BYTES + 1)
            pictures.keep_picture(entry=entry, data=data, name=file.name)
        except ValidationError as error:
            form.add_error("picture", error)
        else:
            messages.success(request, gettext("Picture saved."))
            return redirect("entry-picture", pk)
    context = {
        "entry": entry,
        "list": entry.vocabulary_list,
        "form": form,
        "may_edit": access.entries(request.user, "edit").filter(pk=pk).exists(),
    }
    return render(request, "vocab/entries/entry_picture.html", context)


@teacher_required
@require_safe
def entry_file(request: SignedInRequest, pk: int, name: str) -> HttpResponse:
    """Return an entry's picture, or the sound file with which it was imported."""
    if name not in convert.FILES:
        raise Http404
    entry = get_object_or_404(access.entries(request.user, "see"), pk=pk)
    return pictures.file_response(request, entry, name)
