"""What a form says beside its fields."""

import re

from django import forms
from django.template.loader import render_to_string


class ChoiceForm(forms.Form):
    difficulty = forms.ChoiceField(choices=[("easy", "Easy"), ("hard", "Hard")], required=False)
    accent = forms.ChoiceField(choices=[("", "Default"), ("gb", "British")], required=False)
    title = forms.CharField(required=False)
    name = forms.CharField()


def shown(name):
    return render_to_string("_field.html", {"field": ChoiceForm()[name]})


def test_only_what_may_be_left_empty_is_called_optional():
    marked = [name for name in ChoiceForm.base_fields if "(optional)" in shown(name)]
    assert marked == ["accent", "title"]


def test_an_import_of_nothing_is_refused_in_one_sentence(animals, sign_in, teacher):
    page = sign_in(teacher).post(f"/lists/{animals.pk}/import/", {"text": ""}).text
    assert len(re.findall("Choose a file or paste some text", page)) == 1
