"""Login cards, the class's door, and the locks."""

import json
import re
from datetime import timedelta

import pytest
import segno
from django.contrib.staticfiles import finders
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone
from pypdfium2 import PdfDocument

from osmosmjerka.accounts import codes, people
from osmosmjerka.accounts.auth import card_sheet, cards, lockout, passwords
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import AuditEntry, FailedLogin, LoginCard, Membership, User
from tests.accounts.classrooms.helpers import add_names
from tests.conftest import PASSWORD
from tests.mailing import deliver


@pytest.fixture
def card(student, teacher, classroom):
    return cards.issue_cards(students=[student], actor=teacher, classroom=classroom)[0]


def person_on(client):
    pk = client.session.get("_auth_user_id")
    return User.objects.get(pk=pk) if pk else None


def door(classroom):
    return f"/c/{classroom.join_code}/"


def test_a_card_opens_the_students_account_and_nothing_of_it_is_stored(client, card, student):
    assert client.post("/card/", {"token": card.token}).url == "/"
    assert person_on(client) == student
    stored = json.dumps(list(LoginCard.objects.values()), default=str)
    assert card.token not in stored
    assert card.words.split()[0] not in stored
    assert len(card.token) * 6 >= 128


def test_a_new_card_makes_the_old_one_fail_and_ends_its_sessions(
    client, card, student, teacher, classroom
):
    client.post("/card/", {"token": card.token})
    assert client.get("/").status_code == 200
    LoginCard.objects.update(issued_at=timezone.now() - timedelta(days=7))
    cards.issue_cards(students=[student], actor=teacher, classroom=classroom)
    assert timezone.now() - LoginCard.objects.get().issued_at < timedelta(minutes=5)
    reply = client.get("/words/")
    assert (reply.status_code, reply.url) == (302, "/login/?next=/words/")
    assert client.get("/api/puzzles/").status_code in {401, 403}
    again = Client().post("/card/", {"token": card.token})
    assert "no longer works" in again.content.decode()


def test_another_students_session_goes_on_when_a_card_is_reset(
    card, sign_in, make_person, school, student, teacher, classroom
):
    other = sign_in(make_person(User.Role.STUDENT, school))
    cards.issue_cards(students=[student], actor=teacher, classroom=classroom)
    assert other.get("/").status_code == 200


@pytest.mark.parametrize("token", ["", "x", "x" * 27, "x" * 5000])
def test_what_is_no_card_opens_nothing(client, card, token):
    client.post("/card/", {"token": token})
    assert person_on(client) is None


def test_the_words_of_a_card_open_it_at_the_class_door_however_they_are_typed(
    client, card, student, classroom
):
    typed = card.words.upper().replace(" ", " - ")
    client.post(door(classroom), {"name": " LUKA", "words": typed})
    assert person_on(client) == student


def test_a_wrong_name_and_a_wrong_code_get_the_same_answer(client, card, classroom):
    def answer(name, words):
        page = client.post(door(classroom), {"name": name, "words": words}).content.decode()
        return (
            re.sub(r'(csrf\w+"|X-CSRFToken": ")[^>]+', "", page)
            .replace(name, "NAME")
            .replace(words, "WORDS")
        )

    assert answer("luka", "lamp lamp lamp lamp") == answer("nobody", card.words)


def test_a_refused_login_says_what_to_check_and_keeps_what_was_typed(client, card, classroom):
    def answer(words):
        return client.post(door(classroom), {"name": "Luka", "words": words}).content.decode()

    first, *others = card.words.split()
    page = answer(" ".join(["xq" + first, *others]))
    assert f"No card has this word: xq{first}." in page
    assert "Type your name as it appears at the top of your card." in page
    assert f'value="xq{first} ' in page
    assert page.count('aria-invalid="true"') == 2
    other = next(word for word in codes.WORDS_IN["en"] if word not in card.words)
    assert "Type the four words that are on your card" in answer(f"{other} " * 4)
    assert "Type the four words that are on your card" in answer("one two")


def test_pictures_open_an_account_only_where_the_class_uses_them(client, card, student, classroom):
    tapped = {f"picture-{place}": name for place, name in enumerate(card.pictures)}
    client.post(door(classroom), {"name": "Luka", **tapped})
    assert person_on(client) is None
    assert "Luka" not in client.get(door(classroom)).content.decode()
    classroom.uses_pictures = True
    classroom.save()
    assert "Luka" in client.get(door(classroom)).content.decode()
    client.post(door(classroom), {"name": "Luka", **tapped})
    assert person_on(client) == student


def test_wrong_attempts_lock_the_account_that_is_tried_and_no_other(
    client, card, classroom, teacher, student
):
    for _attempt in range(lockout.FREE_FAILURES):
        client.post(door(classroom), {"name": "Luka", "words": "wrong"})
    locked = client.post(door(classroom), {"name": "Luka", "words": card.words})
    assert "Too many failed attempts" in locked.content.decode()
    assert person_on(client) is None
    mia = classes.add_students(classroom=classroom, names=["Mia"], actor=teacher)
    hers = cards.issue_cards(students=mia, actor=teacher, classroom=classroom)[0]
    client.post(door(classroom), {"name": "Mia", "words": hers.words})
    assert person_on(client) == mia[0]
    # The card itself cannot be guessed, so a neighbour's wrong attempts do not shut it out.
    by_card = Client()
    by_card.post("/card/", {"token": card.token})
    assert person_on(by_card) == student


@pytest.mark.parametrize("way", ["words", "pictures"])
def test_a_new_card_lifts_the_lock_that_says_ask_your_teacher(
    client, card, classroom, teacher, student, way
):
    classroom.uses_pictures = True
    classroom.save()
    for _attempt in range(lockout.FREE_FAILURES):
        client.post(door(classroom), {"name": "Luka", "words": "wrong"})
    locked = client.post(door(classroom), {"name": "Luka", "words": card.words})
    assert "Too many failed attempts" in locked.content.decode()
    new = cards.issue_cards(students=[student], actor=teacher, classroom=classroom)[0]
    tapped = {f"picture-{place}": name for place, name in enumerate(new.pictures)}
    client.post(
        door(classroom), {"name": "Luka"} | ({"words": new.words}, tapped)[way == "pictures"]
    )
    assert person_on(client) == student


def test_a_name_that_does_not_exist_locks_like_one_that_does(client, classroom):
    for _attempt in range(lockout.FREE_FAILURES):
        client.post(door(classroom), {"name": "Nobody", "words": "wrong"})
    locked = client.post(door(classroom), {"name": "Nobody", "words": "wrong"})
    assert "Too many failed attempts" in locked.content.decode()


def as_namesake(victim, card):
    """Give the victim of an attack, who has this card, a classmate with the same name."""
    attacker = card.student
    User.objects.filter(pk=attacker.pk).update(display_name=victim.display_name)


def as_username(victim, card):
    """Name a classmate like the victim's username: the login page takes both."""
    User.objects.filter(pk=card.student.pk).update(display_name=victim.username)


WRONG = {f"picture-{place}": "apple" for place in range(codes.PICTURES_A_CARD)}


def guesses_let_through(classroom, name, own, wrong):
    """Guess at a name, and log in with one's own card before the lock; count what was free."""
    free = 0
    for _round in range(4):
        for _attempt in range(lockout.FREE_FAILURES - 1):
            reply = Client().post(door(classroom), {"name": name} | wrong)
            free += reply.status_code != 429
        Client().post(door(classroom), {"name": name} | own)
    return free


@pytest.mark.parametrize("alike", [as_namesake, as_username])
@pytest.mark.parametrize("way", ["words", "pictures"])
def test_a_namesake_who_logs_in_does_not_reset_the_lock_of_another_card(
    alike, way, card, classroom, student, teacher, monkeypatch
):
    classroom.uses_pictures = True
    classroom.save()
    mallory = classes.add_students(classroom=classroom, names=["Mallory"], actor=teacher)
    (theirs,) = cards.issue_cards(students=mallory, actor=teacher, classroom=classroom)
    alike(student, theirs)
    mallory[0].refresh_from_db()
    name = mallory[0].display_name

    def given(of):
        if way == "words":
            return {"words": of.words}
        return {f"picture-{place}": picture for place, picture in enumerate(of.pictures)}

    wrong = {"words": "wrong"} if way == "words" else WRONG
    assert guesses_let_through(classroom, name, given(theirs), wrong) <= lockout.FREE_FAILURES
    assert Client().post(door(classroom), {"name": name} | given(card)).status_code == 429
    # Control: with one count for the name, as many as one likes.
    FailedLogin.objects.all().delete()
    monkeypatch.setattr(cards, "key_of_card", lambda _student: "of the name")
    guesses = 4 * (lockout.FREE_FAILURES - 1)
    assert guesses_let_through(classroom, name, given(theirs), wrong) == guesses


def test_honest_namesakes_do_not_lock_each_other_out(card, classroom, student, teacher):
    other = classes.add_students(classroom=classroom, names=["Mallory"], actor=teacher)
    (theirs,) = cards.issue_cards(students=other, actor=teacher, classroom=classroom)
    as_namesake(student, theirs)
    for _day in range(2 * lockout.FREE_FAILURES):
        for one in (theirs, card):
            client = Client()
            client.post(door(classroom), {"name": "Luka", "words": one.words})
            assert person_on(client) == one.student


def test_a_right_guess_at_a_locked_card_tells_nothing(db):
    for _attempt in range(lockout.FREE_FAILURES):
        lockout.begin("victim")
    for right in (None, "victim"):
        with pytest.raises(lockout.AccountLocked):
            lockout.count(["victim", f"own-{right}"], right=right)
    counts = FailedLogin.objects.filter(account__startswith="own").values_list("wrong", flat=True)
    assert list(counts) == [1, 1]


def test_one_card_has_one_lock_in_all_classes_and_for_both_names(card, classroom, student, teacher):
    other = people.create_classroom(name="7c", owner=teacher)
    classes.add_to_class(student=student, classroom=other, actor=teacher)
    for number in range(lockout.FREE_FAILURES):
        where, name = ((classroom, "Luka"), (other, student.username))[number % 2]
        Client().post(door(where), {"name": name, "words": "wrong"})
    for where in (classroom, other):
        reply = Client().post(door(where), {"name": "Luka", "words": card.words})
        assert reply.status_code == 429


@pytest.mark.parametrize(
    ("victim", "own"), [("strasse", "straße"), ("ČRT", "črt"), ("ana", "Ana"), ("σας", "σασ")]
)
def test_a_similar_username_does_not_reset_the_lock_of_a_password(victim, own, make_person, school):
    make_person(User.Role.TEACHER, school, own)
    for _attempt in range(lockout.FREE_FAILURES):
        Client().post("/login/", {"username": victim, "password": "wrong"})
    assert Client().post("/login/", {"username": own, "password": PASSWORD}).status_code == 302
    again = Client().post("/login/", {"username": victim, "password": "wrong"})
    assert again.status_code == 429


@pytest.mark.parametrize("forwarded", ["10.0.0.{}", "2001:db8::{}"])
def test_a_forged_address_does_not_lift_a_lock(teacher, forwarded):
    client = Client()
    for number in range(lockout.FREE_FAILURES):
        client.post(
            "/login/",
            {"username": "ana", "password": "wrong"},
            headers={"X-Forwarded-For": forwarded.format(number)},
        )
    client.post(
        "/login/",
        {"username": "ana", "password": PASSWORD},
        headers={"X-Forwarded-For": forwarded.format(99)},
    )
    assert person_on(client) is None


def test_a_lock_ends_and_lasts_longer_each_time(db):
    key = lockout.key_of("password", "ana")
    for _attempt in range(lockout.FREE_FAILURES):
        lockout.begin(key)
    waits = []
    for _round in range(3):
        with pytest.raises(lockout.AccountLocked) as locked:
            lockout.begin(key)
        waits.append(locked.value.wait)
        FailedLogin.objects.update(locked_until=timezone.now() - timedelta(seconds=1))
        lockout.begin(key)
    assert waits[0] < waits[1] < waits[2]
    lockout.lift(key)
    lockout.begin(key)


def test_a_right_password_forgets_the_wrong_ones(client, teacher):
    for _round in range(3):
        for _attempt in range(lockout.FREE_FAILURES - 1):
            client.post("/login/", {"username": "ana", "password": "wrong"})
        assert client.post("/login/", {"username": "ana", "password": PASSWORD}).status_code == 302
        client.logout()


def test_the_api_and_the_admin_stand_behind_the_same_lock(client, teacher):
    for _attempt in range(lockout.FREE_FAILURES):
        client.post(
            "/api/token/", {"username": "ana", "password": "wrong"}, content_type="application/json"
        )
    assert (
        client.post(
            "/api/token/",
            {"username": "ana", "password": PASSWORD},
            content_type="application/json",
        ).status_code
        == 400
    )
    client.post("/login/", {"username": "ana", "password": PASSWORD})
    assert person_on(client) is None


def test_counts_of_wrong_attempts_are_forgotten_after_a_week(db):
    lockout.begin("old")
    FailedLogin.objects.update(last_at=timezone.now() - timedelta(days=8))
    lockout.begin("new")
    assert lockout.forget_old() == 1


def test_the_class_code_leads_to_the_door_and_a_wrong_one_nowhere(client, classroom):
    code = classroom.join_code
    assert client.post("/join/", {"code": f" {code[:4].lower()}-{code[4:]} "}).url == door(
        classroom
    )
    assert "no class" in client.post("/join/", {"code": "ZZZZZZZZ"}).content.decode()
    assert client.get("/c/ZZZZZZZZ/").status_code == 404
    assert not set("01ILO") & set(code)


def test_whoever_has_the_code_of_an_open_class_joins_and_gets_a_card(client, classroom, school):
    classroom.is_join_open = True
    classroom.save()
    page = client.post(f"{door(classroom)}join/", {"display_name": "Bumblebee"}).content.decode()
    pupil = User.objects.get(display_name="Bumblebee")
    assert (pupil.role, pupil.school, pupil.email) == (User.Role.STUDENT, school, "")
    assert person_on(client) == pupil
    words = re.search(r'login-card-words">([^<]+)', page).group(1)
    other = Client()
    other.post(door(classroom), {"name": "bumblebee", "words": words})
    assert person_on(other) == pupil


def test_a_closed_class_takes_nobody_in(client, sign_in, classroom, make_person, school):
    client.post(f"{door(classroom)}join/", {"display_name": "Bumblebee"})
    sign_in(make_person(User.Role.STUDENT, school)).post(f"{door(classroom)}join/")
    assert classroom.memberships.filter(role=Membership.Role.STUDENT).count() == 1


def test_joining_a_second_class_keeps_the_first(sign_in, student, classroom, make_person, school):
    chess = people.create_classroom(name="chess", owner=make_person(User.Role.TEACHER, school))
    chess.is_join_open = True
    chess.save()
    sign_in(student).post(f"/c/{chess.join_code}/join/")
    assert set(student.classrooms.all()) == {classroom, chess}


def test_a_teacher_does_not_join_by_code(sign_in, classroom, stranger):
    classroom.is_join_open = True
    classroom.save()
    sign_in(stranger).post(f"{door(classroom)}join/")
    assert not stranger.memberships.exists()


def test_a_new_class_code_makes_the_old_one_nothing(client, sign_in, teacher, classroom):
    old = classroom.join_code
    sign_in(teacher).post(f"/classes/{classroom.pk}/code/")
    assert client.get(f"/c/{old}/").status_code == 404


def test_a_student_who_is_forgotten_on_a_tablet_is_out_by_the_evening(
    client, card, classroom, teacher, student
):
    """By whatever way the student came in; a teacher stays."""
    passwords.set_for_student(student=student, password=PASSWORD, actor=teacher)
    ways = {
        "/card/": {"token": card.token},
        door(classroom): {"name": "Luka", "words": card.words},
        "/login/": {"username": "luka", "password": PASSWORD},
    }
    for path, body in ways.items():
        pupil = Client()
        assert pupil.post(path, body).url == "/"
        assert pupil.session.get_expiry_age() <= 12 * 3600
    client.post("/login/", {"username": "ana", "password": PASSWORD})
    assert client.session.get_expiry_age() > 24 * 3600


def test_not_me_ends_the_session_and_leads_back_to_the_door(client, card, classroom):
    client.post(door(classroom), {"name": "luka", "words": card.words})
    page = client.get("/").content.decode()
    assert "Not me" in page
    target = re.search(r'name="next" value="(/c/[^"]+)"', page).group(1)
    assert client.post("/logout/", {"next": target}).url == door(classroom)
    assert person_on(client) is None


def test_the_next_student_on_a_tablet_gets_a_session_of_their_own(client, card, classroom, teacher):
    mia = classes.add_students(classroom=classroom, names=["Mia"], actor=teacher)
    hers = cards.issue_cards(students=mia, actor=teacher, classroom=classroom)[0]
    client.post("/card/", {"token": card.token})
    first = client.session.session_key
    session = client.session
    session["left"] = "behind"
    session.save()
    client.post("/card/", {"token": hers.token})
    assert client.session.session_key != first
    assert "left" not in client.session


def test_printing_gives_a_pdf_whose_cards_open_accounts(sign_in, teacher, classroom, student):
    classes.add_students(classroom=classroom, names=["Željko Đ.", "Иван", "مريم"], actor=teacher)
    classroom.uses_pictures = True
    classroom.save()
    reply = sign_in(teacher).post(
        f"/classes/{classroom.pk}/cards/", {"which": "missing", "format": "pdf"}
    )
    assert reply["Content-Type"] == "application/pdf"
    assert "no-store" in reply["Cache-Control"]
    text = PdfDocument(reply.content)[0].get_textpage().get_text_bounded()
    assert classroom.school.name in text
    for expected in ("Luka", "Željko", "Иван", classroom.join_code, "Your words"):
        assert expected in text
    assert LoginCard.objects.count() == 4


def test_each_picture_can_be_shown_and_printed():
    for name in codes.PICTURES:
        for suffix in ("svg", "png"):
            assert finders.find(f"osmosmjerka/pictures/{name}.{suffix}"), name


def test_a_code_on_paper_is_drawn_square_by_square_and_leads_to_the_account(
    sign_in, teacher, classroom, student
):
    """What a phone's camera sees in the middle of each square is the code of the card's address."""
    sheet = card_sheet.write(
        [cards.PaperCard(student, "a" * 43, "one two three four", ())],
        classroom=classroom,
        card_address="https://example.org/card/",
        class_address="https://example.org/c/ABCDE/",
        paper="letter",
    )
    page = PdfDocument(sheet)[0]
    assert [round(side / 72, 1) for side in page.get_size()] == [8.5, 11]
    dots = page.render(scale=8).to_pil().convert("L")
    code = segno.make(f"https://example.org/card/#{'a' * 43}", error="m")
    squares = [*code.matrix_iter(border=0)]
    square = 30 / len(squares)
    seen = [
        "".join(
            ".#"[dots.getpixel(tuple(
                int((start + (place + 0.5) * square) / 25.4 * 72 * 8)
                for start, place in ((15, column), (29, row))
            )) < 128]
            for column in range(len(squares))
        )
        for row in range(len(squares))
    ]  # fmt: skip
    assert seen == ["".join(".#"[module] for module in row) for row in squares]


def test_names_that_no_font_for_print_has_come_as_a_page(sign_in, teacher, classroom):
    made = classes.add_students(classroom=classroom, names=["𓀀𓁐"], actor=teacher)
    reply = sign_in(teacher).post(
        f"/classes/{classroom.pk}/cards/", {"student": [made[0].pk], "format": "pdf"}
    )
    page = reply.content.decode()
    assert "𓀀𓁐" in page
    assert "<svg" in page


def test_a_teacher_prints_no_card_for_a_student_of_another_school(
    sign_in, teacher, classroom, make_person, other_school
):
    guest = make_person(User.Role.STUDENT, other_school)
    people.join_classroom(classroom=classroom, person=guest, role=Membership.Role.STUDENT)
    sign_in(teacher).post(f"/classes/{classroom.pk}/cards/", {"student": [guest.pk]})
    sign_in(teacher).post(f"/classes/{classroom.pk}/cards/", {"which": "all"})
    assert not LoginCard.objects.filter(user=guest).exists()


def test_only_students_have_cards(teacher, classroom):
    with pytest.raises(ValueError, match="no student"):
        cards.issue_cards(students=[teacher], actor=teacher, classroom=classroom)


def test_teachers_get_a_link_by_e_mail_and_students_do_not(client, teacher, student, mailoutbox):
    User.objects.update(email="ana@school.example")
    for _attempt in range(lockout.FREE_FAILURES):
        client.post("/login/", {"username": "ana", "password": "wrong"})
    client.post("/password/", {"email": "ana@school.example"})
    deliver()
    assert len(mailoutbox) == 1
    link = re.search(r"http://testserver(/\S+)", mailoutbox[0].body).group(1)
    page = client.get(link, follow=True)
    new = "another horse, another battery"
    client.post(page.request["PATH_INFO"], {"new_password1": new, "new_password2": new})
    client.post("/login/", {"username": "ana", "password": new})
    assert person_on(client) == teacher
    assert AuditEntry.objects.filter(action="changed password", subject_id=teacher.pk).exists()


@pytest.mark.parametrize("language", ["en", "hr", "pl", "de", "ar"])
def test_there_are_as_many_words_as_are_said_however_they_are_typed(language):
    words = codes.WORDS_IN[language]
    assert len({codes.folded(word) for word in words}) == len(words) == 256
    assert max(map(len, words)) <= 8
    assert len(codes.PICTURES) == 16


def test_every_language_of_the_site_has_words_of_its_own(settings):
    assert set(codes.WORDS_IN) == {language for language, _name in settings.LANGUAGES}


@pytest.mark.parametrize(
    ("word", "typed"),
    [
        ("čaša", "casa"), ("žaba", "ZABA"), ("łódka", "lodka"), ("żółw", "zolw"),
        ("وردة", "ورده"), ("أسد", "اسد"), ("سماء", "سما"), ("حلوى", "حلوي"), ("كتاب", "کتاب"),
    ],
)  # fmt: skip
def test_letters_that_a_keyboard_lacks_are_no_hindrance(word, typed):
    assert codes.folded(word) == codes.folded(typed)
    assert codes.folded(word) != codes.folded(typed + "x")


@pytest.mark.parametrize("language", ["hr", "pl", "ar"])
def test_a_class_has_cards_in_its_language_and_students_type_them(
    language, client, sign_in, teacher, student
):
    own = sign_in(teacher)
    own.cookies["django_language"] = language  # the page is read in it when the class is made
    own.post("/classes/new/", {"name": "7a"})
    classroom = teacher.classrooms.get()
    assert classroom.card_language == language
    people.join_classroom(classroom=classroom, person=student, role="student")
    own.cookies["django_language"] = "en"
    asked = {"student": [student.pk], "format": "page"}
    page = own.post(f"/classes/{classroom.pk}/cards/", asked).content.decode()
    words = re.search(r'login-card-words">([^<]+)', page).group(1)
    assert set(words.split()) <= set(codes.WORDS_IN[language])
    assert f'lang="{language}"' in page
    client.post(door(classroom), {"name": "luka", "words": codes.folded(words)})
    assert person_on(client) == student
    sheet = own.post(f"/classes/{classroom.pk}/cards/", asked | {"format": "pdf"})
    assert sheet["Content-Type"] == "application/pdf"
    path = f"/classes/{classroom.pk}/change/"
    own.post(path, {"name": "7a", "card_language": "xx"})
    assert teacher.classrooms.get().card_language == language
    own.post(path, {"name": "7a", "card_language": "en"})
    assert teacher.classrooms.get().card_language == "en"


def test_a_class_is_not_filled_past_its_limit_at_once(teacher, classroom):
    names = [f"Pupil{number}" for number in range(classes.MAX_STUDENTS)]
    with pytest.raises(ValidationError):  # there is one student in it
        classes.add_students(classroom=classroom, names=names, actor=teacher)
    assert classroom.members.filter(role="student").count() == 1


def test_an_archived_class_is_only_read(sign_in, teacher, classroom):
    classes.archive_classroom(classroom=classroom, actor=teacher)
    own = sign_in(teacher)
    assert own.get(f"/classes/{classroom.pk}/people/").status_code == 200
    for path in ("pupils/new/", "pupils/paste/", "change/", "code/"):
        sent = {"name": "x", "names": "New", "is_join_open": "on"}
        assert own.post(f"/classes/{classroom.pk}/{path}", sent).status_code == 404


@pytest.mark.parametrize(
    ("language", "letters"), [("hr", "čćžšđ"), ("pl", "ąćęłńóśżź"), ("de", "äöüß"), ("ar", "أبت")]
)
def test_usernames_have_words_of_the_classs_language_for_any_keyboard(
    language, letters, sign_in, teacher
):
    teacher.language = language
    teacher.save()
    own = sign_in(teacher)
    own.post("/classes/new/", {"name": "7a"})
    classroom = teacher.classrooms.get()
    names = "\n".join(f"Mia {number}" for number in range(40))
    add_names(own, classroom, {"names": names})
    made = classroom.members.filter(role="student").values_list("username", flat=True)
    assert len(made) == 40
    spoken = codes.WORDS_IN["en" if language == "ar" else language]
    assert any(set(letters) & set(word) for word in codes.WORDS_IN[language])
    for username in made:
        one, other, number = username.split("-")
        assert username.isascii()
        assert {one, other} <= {codes.folded(word) for word in spoken}
        assert number.isdecimal()
