"""Pictures of words: what is taken in, who sees them, and where students see them."""

import io
import struct
import zlib
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership, User
from puzzles.play import selectors
from puzzles.play import services as play
from vocab.entries import pictures

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def drawn(kind="PNG", size=(60, 40), mode="RGB", **options):
    file = io.BytesIO()
    Image.new(mode, size, 200).save(file, kind, **options)
    return file.getvalue()


@pytest.fixture
def goose(animals):
    entry = animals.entries.get(term="guska")
    return pictures.keep_picture(entry=entry, data=drawn(), name="goose.png")


def upload(client, entry, data, name="goose.jpg"):
    file = SimpleUploadedFile(name, data)
    return client.post(reverse("entry-picture", args=[entry.pk]), {"picture": file}, follow=True)


def test_a_teacher_uploads_a_picture_and_sees_it_in_the_list(sign_in, teacher, animals):
    client = sign_in(teacher)
    entry = animals.entries.get(term="guska")
    assert "Picture saved" in upload(client, entry, drawn("JPEG")).content.decode()
    page = client.get(reverse("list", args=[animals.pk])).content.decode()
    entry.refresh_from_db()
    address = f"{reverse('entry-file', args=[entry.pk, 'image'])}?v={entry.picture_version}"
    assert address in page
    reply = client.get(address)
    assert reply["Content-Type"] == "image/webp"
    assert "immutable" in reply["Cache-Control"]
    assert Image.open(io.BytesIO(reply.content)).size == (60, 40)
    client.post(reverse("entry-picture", args=[entry.pk]), {"remove": ""})
    assert client.get(address).status_code == 404


def test_a_picture_is_encoded_again_small_upright_and_without_its_place(animals):
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    exif[0x010E] = "taken at home"
    entry = animals.entries.first()
    photo = drawn("JPEG", size=(3000, 2000), exif=exif)
    assert b"taken at home" in photo
    pictures.keep_picture(entry=entry, data=photo, name="photo.jpg")
    kept = entry.image.read()
    assert b"taken at home" not in kept
    assert Image.open(io.BytesIO(kept)).size == (683, 1024)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_of(width, height, pixels):
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    start = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
    return start + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (png_of(100_000, 100_000, bytes(5_000_000)), "100,000 × 100,000 pixels"),
        (png_of(5000, 5000, bytes(10)), "5,000 × 5,000 pixels"),
        (png_of(50, 50, bytes(10)), "damaged"),
        (
            b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
            "is not a PNG",
        ),
        (b"<html>", "is not a PNG"),
        (drawn("BMP"), "is not a PNG"),
        (drawn("JPEG", size=(500, 500))[:300], "damaged"),
    ],
)
def test_what_is_no_picture_or_a_bomb_is_refused_with_the_reason(
    data, reason, sign_in, teacher, animals
):
    entry = animals.entries.first()
    reply = upload(sign_in(teacher), entry, data, "bomb.png")
    assert reply.status_code == 200
    assert reason in reply.content.decode()
    entry.refresh_from_db()
    assert not entry.image


def test_a_range_is_served_as_asked(sign_in, teacher, goose):
    client = sign_in(teacher)
    address = reverse("entry-file", args=[goose.pk, "image"])
    whole = client.get(address).content
    part = client.get(address, headers={"Range": "bytes=4-9"})
    assert part.status_code == 206
    assert part.content == whole[4:10]
    assert part["Content-Range"] == f"bytes 4-9/{len(whole)}"
    beyond = client.get(address, headers={"Range": f"bytes={len(whole)}-"})
    assert beyond.status_code == 416


def test_only_pictures_and_sounds_leave_whatever_is_stored(sign_in, teacher, goose):
    Path(default_storage.path(goose.image.name)).write_bytes(b"<script>alert(1)</script>")
    client = sign_in(teacher)
    assert client.get(reverse("entry-file", args=[goose.pk, "image"])).status_code == 404
    assert client.get(reverse("entry-file", args=[goose.pk, "secret"])).status_code == 404


def test_students_see_it_as_a_clue_and_at_the_end(sign_in, student, goose, make_puzzle):
    puzzle = make_puzzle(words=12)
    client = sign_in(student)
    state = client.get(reverse("api:play", args=[puzzle.code])).json()
    shown = [item["clue"]["picture"] for item in state["items"] if item["clue"]["picture"]]
    assert len(shown) == 1
    assert client.get(shown[0])["Content-Type"] == "image/webp"
    session = play.finish_session(session=play.open_session(puzzle=puzzle, student=student)).session
    words = selectors.play_state(session)["summary"]["practise"]
    assert [word["term"] for word in words if word["picture"]] == ["guska"]


def test_where_the_word_is_heard_or_shown_the_picture_comes_only_after_the_find(
    sign_in, student, goose, make_puzzle
):
    puzzle = make_puzzle(words=12, clue="term")
    client = sign_in(student)
    state = client.get(reverse("api:play", args=[puzzle.code])).json()
    assert not any(item["clue"]["picture"] for item in state["items"])
    placement = puzzle.placements.get(entry=goose)
    address = reverse("api:play-picture", args=[puzzle.code, placement.slot])
    assert client.get(address).status_code == 404
    play.finish_session(session=play.open_session(puzzle=puzzle, student=student))
    assert client.get(address).status_code == 200


def test_the_picture_costs_no_query_a_word(
    student, goose, make_puzzle, django_assert_max_num_queries
):
    session = play.open_session(puzzle=make_puzzle(words=12), student=student)
    selectors.play_state(session)  # what is fixed of the puzzle is read once in each process
    with django_assert_max_num_queries(4):
        selectors.play_state(session)


def test_students_of_the_class_see_it_and_nobody_else(
    sign_in, student, stranger, goose, make_puzzle, classroom, make_person, school
):
    make_puzzle()
    own = reverse("word-picture", args=[goose.pk])
    of_class = reverse("class-word-picture", args=[classroom.pk, goose.pk])
    file = reverse("entry-file", args=[goose.pk, "image"])
    assert sign_in(student).get(own).status_code == 200
    assert sign_in(student).get(file).status_code == 404
    colleague = make_person(User.Role.TEACHER, school)
    assert sign_in(colleague).get(of_class).status_code == 404
    people.join_classroom(classroom=classroom, person=colleague, role=Membership.Role.CO_TEACHER)
    assert sign_in(colleague).get(of_class).status_code == 200
    assert sign_in(colleague).get(file).status_code == 404
    for address in (own, of_class, file):
        assert sign_in(stranger).get(address).status_code == 404
        assert sign_in(make_person(User.Role.STUDENT, school)).get(address).status_code == 404


def test_who_may_only_see_the_list_changes_no_picture(sign_in, stranger, goose):
    goose.vocabulary_list.visibility = "public"
    goose.vocabulary_list.save()
    client = sign_in(stranger)
    assert client.get(reverse("entry-picture", args=[goose.pk])).status_code == 200
    assert upload(client, goose, drawn()).status_code == 404
    with pytest.raises(ValidationError):
        pictures.keep_picture(entry=goose, data=b"", name="x")
