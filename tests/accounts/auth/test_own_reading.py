"""People choose letters, contrast and motion for themselves; the pages say so on <html>."""

import pytest

from osmosmjerka.accounts.privacy import services as privacy

PATH = "/me/reading/"
ALL = {"letters": "easy", "contrast": "high", "motion": "less"}
WRITTEN = 'data-contrast="high" data-letters="easy" data-motion="less"'


def opening(client, path="/"):
    """The tag <html> of a page."""
    page = client.get(path).content.decode()
    return page[page.index("<html") :].split(">")[0]


@pytest.mark.parametrize("who", ["teacher", "student"])
def test_a_choice_is_on_every_page_of_that_person_and_of_no_other(
    who, teacher, student, make_person, school, sign_in, client
):
    person = {"teacher": teacher, "student": student}[who]
    own = sign_in(person)
    assert "data-" not in opening(own)
    assert "Saved." in own.post(PATH, ALL, follow=True).content.decode()
    for path in ("/", PATH, "/help/"):
        assert WRITTEN in opening(own, path)
    assert "data-" not in opening(sign_in(make_person("student", school, "Iva")))
    assert "data-" not in opening(client, "/login/")
    own.post(PATH, ALL | {"letters": "standard", "motion": "device"})
    assert 'data-contrast="high"' in opening(own)
    assert "data-letters" not in opening(own) and "data-motion" not in opening(own)


def test_the_form_shows_what_was_chosen_and_the_menu_leads_to_it(student, sign_in):
    own = sign_in(student)
    own.post(PATH, ALL)
    assert own.get(PATH).context["form"].initial == ALL
    assert f'href="{PATH}"' in own.get("/").content.decode()


def test_what_is_no_choice_is_refused(student, sign_in):
    response = sign_in(student).post(PATH, ALL | {"letters": '"><script>'})
    assert response.status_code == 200 and response.context["form"].errors
    student.refresh_from_db()
    assert (student.letters, student.contrast) == ("standard", "device")


def test_a_teacher_who_views_a_students_pages_reads_them_in_the_own_way(
    teacher, student, classroom, sign_in
):
    sign_in(student).post(PATH, ALL)
    own = sign_in(teacher)
    own.post(f"/pupils/{student.pk}/view/")
    assert "viewed-as" in own.get("/").content.decode()
    assert "data-" not in opening(own)
    own.post("/view/stop/")
    own.post(PATH, ALL)
    own.post(f"/pupils/{student.pk}/view/")
    assert 'data-contrast="high"' in opening(own)


def test_it_is_exported_with_the_account(student, sign_in):
    sign_in(student).post(PATH, ALL)
    student.refresh_from_db()
    (row,) = privacy.personal_data(student)["accounts.user"]
    assert ALL.items() <= row.items()
