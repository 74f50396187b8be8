"""Files into lists and back: the preview, applying, undoing, and the same list again."""

import json
import re
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from hypothesis import given, settings

from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from tests.conftest import rows
from tests.vocab.formats.bombs import MP3, PNG
from tests.vocab.formats.lists import ROUND_TRIPS, lists
from vocab.formats import FORMATS, parse, write
from vocab.formats.rows import Row
from vocab.imports import changes
from vocab.imports import services as imports
from vocab.lists import services as list_services
from vocab.memory import reviews
from vocab.models import Entry, Import, ImportChange, Review, VocabularyList
from vocab.rows import convert, plan
from vocab.sounds import services as sounds

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def read(animals, teacher):
    """Start an import of a text into the animals."""

    def read(text, **options):
        return imports.start_import(
            vocabulary_list=animals, created_by=teacher, text=text, **options
        )

    return read


def outcomes(import_):
    return [(item.row.line, item.outcome) for item in imports.plan_of(import_)]


CHANGING = "term,translation,hint\nlabud,swan\nguska,wild goose\nsova,owl,at night\nsova,bird\n,x\n"


def test_a_preview_says_what_is_new_changed_there_repeated_and_wrong(read, animals):
    before = convert.checksum(animals)
    dry = read(CHANGING)
    assert outcomes(dry) == [(2, "same"), (3, "changed"), (4, "new"), (5, "repeated")]
    goose = imports.plan_of(dry)[1]
    assert goose.changes == [plan.Change("translation:en", "goose", "wild goose")]
    assert [problem["line"] for problem in dry.problems] == [6]
    assert convert.checksum(animals) == before


@pytest.mark.database
def test_an_import_is_applied_and_undone_exactly(read, animals):
    before = convert.checksum(animals)
    dry = read(CHANGING)
    assert imports.apply_import(import_=dry) is None
    owl = animals.entries.get(term="sova")
    assert [t.text for t in owl.translations.all()] == ["owl", "bird"]
    assert owl.hint == "at night"
    assert owl.tiles == ["S", "O", "V", "A"]
    assert animals.entries.get(term="guska").translations.get().text == "wild goose"
    dry.refresh_from_db()
    assert (dry.state, dry.added, dry.changed) == ("applied", 1, 1)
    assert Job.objects.filter(kind=sounds.RENDER).count() == 2  # of the list, and of the import
    imports.undo_import(import_=dry)
    assert convert.checksum(animals) == before
    assert not animals.entries.filter(term="sova").exists()


@pytest.mark.database
def test_an_import_is_neither_applied_nor_undone_twice(read):
    dry = read("sova,owl")
    for verb, state in ((imports.apply_import, "Imported"), (imports.undo_import, "Undone")):
        again = Import.objects.get(pk=dry.pk)
        verb(import_=dry)
        with pytest.raises(ValidationError, match=f"The import is: {state}"):
            verb(import_=again)


@pytest.mark.database
def test_what_was_edited_after_an_import_is_not_lost_by_undoing_it(read, animals):
    dry = read("sova,owl")
    imports.apply_import(import_=dry)
    list_services.write_rows(vocabulary_list=animals, rows=rows({"vuk": "wolf"}))
    with pytest.raises(ValidationError, match="changed after"):
        imports.undo_import(import_=dry)
    assert animals.entries.filter(term__in=["sova", "vuk"]).count() == 2


@pytest.mark.database
def test_what_students_did_with_an_imported_word_outlives_undoing_it(read, animals, student):
    dry = read("sova,owl")
    imports.apply_import(import_=dry)
    owl = animals.entries.get(term="sova")
    reviews.review(
        student=student, entry=owl, mode="typed", skill="form", outcome="right", source="x",
        at=owl.created_at,
    )  # fmt: skip
    imports.undo_import(import_=dry)
    assert Review.objects.get().entry_id == owl.pk
    assert not animals.entries.filter(pk=owl.pk).exists()
    imports.apply_import(import_=read("sova,owl"))
    assert animals.entries.filter(term="sova").count() == 1


@pytest.mark.database
@pytest.mark.parametrize(
    ("policy", "expected"),
    [("replace", ["wild goose"]), ("add", ["goose", "wild goose"]), ("keep", ["goose"])],
)
def test_a_word_that_is_there_is_replaced_added_to_or_left(read, animals, policy, expected):
    imports.apply_import(import_=read("guska,wild goose", policy=policy))
    texts = animals.entries.get(term="guska").translations.all()
    assert [translation.text for translation in texts] == expected


def test_a_word_with_an_id_is_found_again_under_another_name(read, animals):
    goose = animals.entries.get(term="guska")
    imports.apply_import(import_=read(f"id,term\n{goose.guid},divlja guska\nxyz,labud\n"))
    goose.refresh_from_db()
    assert goose.term == "divlja guska"
    assert animals.entries.count() == 12


def test_a_new_name_that_another_word_has_is_wrong(read, animals):
    goose = animals.entries.get(term="guska")
    dry = read(f"id,term\n{goose.guid},labud\n")
    assert outcomes(dry) == [(2, "wrong")]


@pytest.mark.database
@pytest.mark.parametrize("is_renaming_first", [True, False])
def test_a_row_takes_the_name_that_another_row_of_the_file_gives_up(
    is_renaming_first, read, animals
):
    goose = animals.entries.get(term="guska")
    lines = [f"{goose.guid},divlja guska,wild goose", ",guska,tame goose"]
    text = "\n".join(["id,term,translation", *(lines if is_renaming_first else lines[::-1])])
    before = convert.checksum(animals)
    dry = read(text)
    assert sorted(outcome for _line, outcome in outcomes(dry)) == ["changed", "new"]
    imports.apply_import(import_=dry)
    goose.refresh_from_db()
    assert goose.term == "divlja guska"
    assert [t.text for t in animals.entries.get(term="guska").translations.all()] == ["tame goose"]
    imports.undo_import(import_=dry)
    animals.refresh_from_db()
    assert convert.checksum(animals) == before


@pytest.mark.database
@pytest.mark.parametrize("is_renaming_first", [True, False])
def test_two_rows_that_want_one_name_become_one_word_and_that_is_said(
    is_renaming_first, read, animals
):
    goose = animals.entries.get(term="guska")
    lines = [f"{goose.guid},sova,goose", ",sova,owl"]
    dry = read("\n".join(["id,term,translation", *(lines if is_renaming_first else lines[::-1])]))
    [again] = [item for item in imports.plan_of(dry) if item.outcome == "repeated"]
    assert f"line {2 if is_renaming_first else 3}" in again.problem.sentence
    imports.apply_import(import_=dry)
    assert [t.text for t in animals.entries.get(term="sova").translations.all()] == ["goose", "owl"]
    assert animals.entries.count() == 12


@pytest.mark.database
def test_names_move_along_a_chain_and_back_and_a_swap_is_refused(read, animals):
    goose, swan = animals.entries.get(term="guska"), animals.entries.get(term="labud")
    before = convert.checksum(animals)
    dry = read(f"id,term\n{swan.guid},crni labud\n{goose.guid},labud\n")
    imports.apply_import(import_=dry)
    goose.refresh_from_db()
    assert goose.term == "labud"
    imports.undo_import(import_=dry)
    assert convert.checksum(animals) == before
    swap = read(f"id,term\n{swan.guid},guska\n{goose.guid},labud\n")
    assert outcomes(swap) == [(2, "wrong"), (3, "wrong")]


def test_nothing_of_a_file_is_dropped(read, animals):
    text = "term,translation,register,translation:de,language,image\nsova,owl,poetic,Eule,bs,a.png"
    imports.apply_import(import_=read(text))
    owl = animals.entries.get(term="sova")
    assert owl.extra == {"register": "poetic", "language": "bs", "image": "a.png"}
    animals.refresh_from_db()
    assert animals.translation_languages == ["en", "de"]
    assert owl.translations.get(language="de").text == "Eule"


def test_what_is_too_long_is_wrong_and_named(read):
    dry = read(f"sova,{'x' * 501}\nvuk,wolf")
    wrong, new = imports.plan_of(dry)
    assert (wrong.outcome, new.outcome) == ("wrong", "new")
    assert "501" in wrong.problem.sentence


def test_the_guess_can_be_changed(read):
    dry = read("sova - owl\nvuk - wolf")
    assert dry.settings["delimiter"] == " - "
    imports.read_again(import_=dry, **{**dry.settings, "delimiter": "\t"})
    assert [row["term"] for row in dry.rows] == ["sova - owl", "vuk - wolf"]


@pytest.mark.parametrize(
    ("text", "between_words"),
    [
        # A browser ends its lines so.
        ("sova::owl\r\n\r\nvuk::wolf\r\ngrey\r\n", {"row_separator": "1"}),
        ("sova::owl\r\n\r\nvuk::wolf\r\ngrey\r\n", {"own_row_separator": "\\n\\n"}),
        ("sova::owl##vuk::wolf\ngrey", {"own_row_separator": "##"}),
    ],
)
def test_both_of_quizlets_separators_can_be_ones_own(sign_in, teacher, read, text, between_words):
    dry = read(text)
    client = sign_in(teacher)
    form = client.get(reverse("import", args=[dry.pk])).context["form"]
    sent = {field.name: field.value() or "" for field in form}
    client.post(
        reverse("import-settings", args=[dry.pk]), sent | {"own_delimiter": "::"} | between_words
    )
    dry.refresh_from_db()
    assert [(row["term"], row["translations"]) for row in dry.rows] == [
        ("sova", {"": ["owl"]}),
        ("vuk", {"": ["wolf\ngrey"]}),
    ]


def test_the_guess_is_seen_at_a_glance(sign_in, teacher, read):
    file = SimpleUploadedFile("a.csv", "riječ;prijevod\nčaša;glass\nđak;pupil\n".encode("cp1250"))
    dry = read("", file=file)
    page = sign_in(teacher).get(reverse("import", args=[dry.pk])).content.decode()
    summary = page.partition("<summary>")[2].partition("</summary>")[0]
    for guessed in ("Semicolon", "cp1250", "The first line contains column names"):
        assert guessed in summary


@pytest.mark.database
def test_what_was_applied_meanwhile_is_not_made_to_wait_again(read, animals, monkeypatch):
    dry = read("sova,owl")
    seen = Import.objects.get(pk=dry.pk)
    reading = imports._read

    def read_slowly(*arguments):
        imports.apply_import(import_=dry)
        reading(*arguments)

    monkeypatch.setattr(imports, "_read", read_slowly)
    with pytest.raises(ValidationError, match="The import is: Imported"):
        imports.read_again(import_=seen)
    assert Import.objects.get(pk=dry.pk).state == "applied"


@pytest.fixture
def empty_list(teacher):
    def make():
        return list_services.create_list(
            owner=teacher, title="Kopija", language="hr", translation_languages=["en"]
        )

    return make


def content(vocabulary_list):
    result = []
    for row in convert.rows_of(vocabulary_list).values():
        result.append({**row.as_json(), "line": 0})
    return result


@settings(ROUND_TRIPS, max_examples=ROUND_TRIPS.max_examples // 3)  # each is written many times
@given(lists)
def test_exporting_and_importing_gives_the_same_list(teacher, empty_list, drawn):
    first = empty_list()
    dry = Import(vocabulary_list=first, created_by=teacher)
    dry.rows = [row.as_json() for row in drawn]
    dry.save()
    imports.apply_import(import_=dry)
    first.refresh_from_db()
    for format in FORMATS:
        second = empty_list()
        second.translation_languages = first.translation_languages
        second.save()
        if not first.entries.exists():
            continue
        # The sandbox has its own tests; here the same parser runs in this process.
        parsed = parse(convert.export_list(first, format=format), format=format)
        again = Import(vocabulary_list=second, created_by=teacher)
        again.rows = json.loads(json.dumps([row.as_json() for row in parsed.rows]))
        again.save()
        imports.apply_import(import_=again)
        assert content(second) == content(first), format


def test_a_package_brings_its_sounds_and_pictures_and_takes_them_along(teacher, empty_list):
    data = write(
        [Row(term="pas", translations={"": ["dog"]}, audio="pas.mp3", image="pas.png")],
        "apkg",
        media={"pas.mp3": MP3, "pas.png": PNG},
    )
    first, second = empty_list(), empty_list()
    for target in (first, second):
        dry = imports.start_import(
            vocabulary_list=target,
            created_by=teacher,
            file=SimpleUploadedFile("pas.apkg", data),
        )
        imports.apply_import(import_=dry)
        dog = target.entries.get()
        assert dog.audio.read() == MP3
        assert dog.image.read() == PNG
        data = convert.export_list(target, format="apkg")
    assert content(first) == content(second)


def test_a_file_cannot_point_at_the_files_of_another_list(teacher, empty_list):
    theirs, mine = empty_list(), empty_list()
    Entry.objects.create(vocabulary_list=theirs, term="pas", key="pas", image="entries/secret.png")
    dry = imports.start_import(
        vocabulary_list=mine, created_by=teacher, text="term,image\npas,secret.png"
    )
    imports.apply_import(import_=dry)
    assert not mine.entries.get().image
    assert mine.entries.get().extra == {"image": "secret.png"}


def many(count):
    return "\n".join(f"riječ {number}\tword {number}" for number in range(count))


@pytest.mark.database
def test_a_large_import_is_a_job_with_progress_and_undone_by_one(
    read, animals, teacher, sign_in, monkeypatch, django_capture_on_commit_callbacks
):
    monkeypatch.setattr(changes, "CHUNK", 200)
    before = convert.checksum(animals)
    dry = read(many(600) + "\nguska\twild goose")
    said = []
    monkeypatch.setattr(
        ledger.JobRun, "report", lambda run, percent, message="": said.append(percent)
    )
    client = sign_in(teacher)
    client.post(reverse("import-apply", args=[dry.pk]))
    dry.refresh_from_db()
    assert dry.state == "applying"
    page = client.get(reverse("import", args=[dry.pk])).content.decode()
    assert "<progress" in page
    ledger.run_job(str(imports.job_of(dry).pk))
    assert animals.entries.count() == 612
    assert len(set(said)) >= 4
    assert said == sorted(said)
    assert client.get(reverse("import-progress", args=[dry.pk])).headers["HX-Refresh"] == "true"
    client.post(reverse("import-undo", args=[dry.pk]))
    ledger.run_job(str(imports.job_of(dry).pk))
    dry.refresh_from_db()
    assert dry.state == "undone"
    assert convert.checksum(animals) == before


@pytest.mark.database
def test_lines_pasted_under_a_list_are_undone_too(sign_in, teacher, animals):
    client, before = sign_in(teacher), convert.checksum(animals)
    url = reverse("list", args=[animals.pk])
    client.post(url, {"lines": "sova,owl\nguska,wild goose"})
    assert animals.entries.filter(term="sova").exists()
    made = Import.objects.get()
    assert reverse("import", args=[made.pk]) in client.get(url).content.decode()
    client.post(reverse("import-undo", args=[made.pk]))
    assert convert.checksum(animals) == before
    page = client.post(url, {"lines": f"term,translation,tags\nvuk,wolf,{'x' * 61}"})
    assert "Line 2" in page.content.decode()
    assert convert.checksum(animals) == before
    # More than a request should write: a worker does, and the page shows how far it is.
    page = client.post(url, {"lines": many(600)})
    assert page.url == reverse("import", args=[Import.objects.first().pk])


@pytest.mark.database
def test_nobody_changes_a_list_while_a_worker_writes_an_import_into_it(
    read, animals, sign_in, teacher
):
    client = sign_in(teacher)
    other, dry = read("vuk,wolf"), read(many(600))
    imports.apply_import(import_=dry)
    goose = animals.entries.get(term="guska")
    attempts = (
        (reverse("entry-edit", args=[goose.pk]), {"term": "guščić", "version": goose.version}),
        (reverse("entry-add", args=[animals.pk]), {"term": "vuk"}),
        (reverse("list", args=[animals.pk]), {"lines": "vuk,wolf"}),
        (reverse("entry-place", args=[goose.pk]), {"step": "up"}),
        (
            reverse("entries-bulk", args=[animals.pk]),
            {"action": "tag", "tag": "x", "entries": [goose.pk]},
        ),
        (reverse("import-apply", args=[other.pk]), {}),
        (
            reverse("list-settings", args=[animals.pk]),
            {"title": "X", "visibility": "private", "accents": "warn"}
            | {"language": "hr", "translation_language": "en"},
        ),
    )
    before = convert.checksum(animals)
    for url, data in attempts:
        said = client.post(url, data, follow=True).content.decode()
        assert "An import into this list is in progress" in said, url
    assert convert.checksum(animals) == before
    # Who left the import's page finds it again.
    assert reverse("import", args=[dry.pk]) in client.get(f"/lists/{animals.pk}/").content.decode()
    ledger.run_job(str(imports.job_of(dry).pk))
    client.post(*attempts[0])
    assert animals.entries.filter(term="guščić").exists()


@pytest.mark.database
def test_an_import_that_is_interrupted_goes_on_and_is_still_undone_exactly(
    read, animals, monkeypatch
):
    monkeypatch.setattr(changes, "CHUNK", 5)
    before = convert.checksum(animals)
    dry = read(many(12) + "\nguska\twild goose")
    Import.objects.filter(pk=dry.pk).update(state="applying")
    dry.refresh_from_db()
    calls = []

    def die_at_the_third(percent, message):
        calls.append(percent)
        if len(calls) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        imports.carry_out(dry, "apply", die_at_the_third)
    assert animals.entries.count() == 16
    dry = Import.objects.get(pk=dry.pk)
    imports.carry_out(dry, "apply", lambda *_said: None)
    assert animals.entries.count() == 24
    imports.undo_import(import_=dry)
    assert convert.checksum(animals) == before
    assert ImportChange.objects.count() == 0


def test_a_teacher_imports_a_file_through_the_pages(sign_in, teacher, animals):
    client = sign_in(teacher)
    made = client.post(
        reverse("list-import", args=[animals.pk]),
        {"file": SimpleUploadedFile("words.csv", CHANGING.encode())},
    )
    page = client.get(made.url).content.decode()
    assert "Import 2 words" in page
    for show, text in (
        ("changed", "<del>goose</del>"),
        ("wrong", "There is no word in this line."),
        ("repeated", "The same word as in line 4"),
        ("same", "labud"),
    ):
        assert text in client.get(f"{made.url}?show={show}").content.decode()
    dry = Import.objects.get()
    data = {"delimiter": "1", "row_separator": "0", "encoding": "0", "policy": "add"}
    data |= {"has_header": "on", "column_0": "term", "column_1": "translation"}
    client.post(reverse("import-settings", args=[dry.pk]), data | {"column_2": "note"})
    dry.refresh_from_db()
    assert dry.columns == [["term", "term"], ["translation", "translation"], ["hint", "note"]]
    assert dry.policy == "add"
    client.post(reverse("import-apply", args=[dry.pk]))
    assert animals.entries.get(term="sova").note == "at night"
    assert "Undo" in client.get(made.url).content.decode()
    client.post(reverse("import-undo", args=[dry.pk]))
    assert "The import was undone" in client.get(made.url).content.decode()


@pytest.mark.database
def test_a_file_that_is_sent_twice_has_one_preview(sign_in, teacher, animals, monkeypatch):
    client, url = sign_in(teacher), reverse("list-import", args=[animals.pk])

    def send(content=CHANGING):
        return client.post(url, {"file": SimpleUploadedFile("words.csv", content.encode())}).url

    first = send()
    assert send() == first
    assert send("vuk,wolf\n") != first
    assert Import.objects.count() == 2
    imports.apply_import(import_=Import.objects.earliest("pk"))
    assert send() != first
    # The same a day later is another import.
    monkeypatch.setattr(imports, "SECOND_CLICK", timedelta())
    send()
    assert Import.objects.count() == 4


def test_a_preview_tells_which_sounds_and_pictures_have_no_file(sign_in, teacher, empty_list):
    data = write(
        [
            Row(term="pas", translations={"": ["dog"]}, audio="pas.mp3", image="pas.png"),
            Row(term="maca", translations={"": ["cat"]}, audio="maca.mp3"),
        ],
        "apkg",
        media={"pas.mp3": MP3},
    )
    target = empty_list()
    dry = imports.start_import(
        vocabulary_list=target, created_by=teacher, file=SimpleUploadedFile("pets.apkg", data)
    )
    client, url = sign_in(teacher), reverse("import", args=[dry.pk])
    page = client.get(url).content.decode()
    assert "2 pictures or sounds are only named" in page
    assert "Picture: pas.png (file missing)" in page
    assert "Sound: maca.mp3 (file missing)" in page
    assert page.count("(file missing)") == 2
    imports.apply_import(import_=dry)
    # What the words have already is not missing, and a changed name is.
    again = imports.start_import(
        vocabulary_list=target,
        created_by=teacher,
        text=f"term,audio,note\npas,{target.entries.get(term='pas').audio.name[8:]},x\nmaca,m.mp3,y",
    )
    page = client.get(reverse("import", args=[again.pk]) + "?show=changed").content.decode()
    assert "1 picture or sound is only named" in page
    assert "<ins>m.mp3</ins> (file missing)" in page
    assert page.count("(file missing)") == 1


def test_a_file_that_cannot_be_read_is_refused_with_its_reason(sign_in, teacher, animals):
    client = sign_in(teacher)
    url = reverse("list-import", args=[animals.pk])
    page = client.post(url, {"file": SimpleUploadedFile("x.pdf", b"%PDF-1.4")}).content.decode()
    assert "This is a PDF" in page
    assert "Choose a file" in client.post(url, {}).content.decode()
    assert Import.objects.count() == 0


def test_a_preview_is_discarded_with_its_file(
    sign_in, teacher, read, settings, django_capture_on_commit_callbacks
):
    dry = read("sova,owl")
    with django_capture_on_commit_callbacks() as kept_until_then:
        sign_in(teacher).post(reverse("import-discard", args=[dry.pk]))
    assert list((settings.MEDIA_ROOT / "imports").iterdir())
    for callback in kept_until_then:
        callback()
    assert list((settings.MEDIA_ROOT / "imports").iterdir()) == []
    assert not Import.objects.exists()


def test_a_list_is_exported_from_its_page(sign_in, teacher, animals):
    reply = sign_in(teacher).get(reverse("list-export", args=[animals.pk, "delimited"]))
    assert reply.headers["Content-Disposition"].startswith("attachment; ")
    assert [row.term for row in parse(reply.content).rows][:2] == ["krokodil", "labud"]


def test_the_page_says_which_anki_notes_an_export_cannot_update(sign_in, teacher, animals):
    page = sign_in(teacher).get(reverse("list", args=[animals.pk])).content.decode()
    assert "Anki skips notes of a package (.apkg) that it already has with another" in page


def test_a_stranger_can_neither_import_nor_see_nor_apply_nor_export(
    sign_in, stranger, student, read, animals
):
    dry = read("sova,owl")
    for person in (stranger, student):
        client = sign_in(person)
        for name, arguments in (
            ("list-import", [animals.pk]),
            ("list-export", [animals.pk, "delimited"]),
            ("import", [dry.pk]),
            ("import-progress", [dry.pk]),
        ):
            assert client.get(reverse(name, args=arguments)).status_code == 404
        for name in ("import-apply", "import-undo", "import-discard", "import-settings"):
            assert client.post(reverse(name, args=[dry.pk])).status_code == 404
        assert client.post(f"/api/lists/{animals.pk}/import/", {"text": "x"}).status_code == 404
        assert client.post(f"/api/imports/{dry.pk}/apply/").status_code == 404
    assert not animals.entries.filter(term="sova").exists()


def test_the_api_imports_takes_back_and_exports(sign_in, teacher, animals, read):
    client = sign_in(teacher)
    made = client.post(
        f"/api/lists/{animals.pk}/import/",
        json.dumps({"text": CHANGING, "policy": "add", "settings": {"delimiter": ","}}),
        content_type="application/json",
    )
    assert made.status_code == 201, made.content
    assert [item["outcome"] for item in made.json()["plan"]] == [
        "same",
        "changed",
        "new",
        "repeated",
    ]
    assert made.json()["problems"][0]["line"] == 6
    number = made.json()["id"]
    assert client.post(f"/api/imports/{number}/apply/").json()["state"] == "applied"
    assert client.post(f"/api/imports/{number}/apply/").status_code == 400
    assert animals.entries.filter(term="sova").exists()
    assert client.post(f"/api/imports/{number}/undo/").json()["progress"] == 100
    assert client.get(f"/api/imports/{number}/").json()["state"] == "undone"
    file = client.get(f"/api/lists/{animals.pk}/export/xlsx/")
    assert len(parse(file.content).rows) == 12
    assert client.get(f"/api/lists/{animals.pk}/export/nothing/").status_code == 404
    assert client.delete(f"/api/imports/{number}/").status_code == 400  # it was applied
    waiting = read("orao,eagle")
    assert client.delete(f"/api/imports/{waiting.pk}/").status_code == 204
    assert client.get(f"/api/imports/{waiting.pk}/").status_code == 404


def test_the_api_offers_a_repair_and_makes_it(sign_in, teacher, animals):
    client, url = sign_in(teacher), f"/api/lists/{animals.pk}/import/"
    body = {"text": "sova\nowl\n\norao\neagle\n"}
    made = client.post(url, json.dumps(body), content_type="application/json").json()
    assert [problem["repairs"] for problem in made["problems"]] == [["join"]]
    assert len(made["plan"]) == 4
    body["repair"] = made["problems"][0]["repairs"][0]
    repaired = client.post(url, json.dumps(body), content_type="application/json").json()
    assert [(item["line"], item["term"], item["translations"]) for item in repaired["plan"]] == [
        (1, "sova", {"en": ["owl"]}),
        (4, "orao", {"en": ["eagle"]}),
    ]
    assert repaired["settings"]["repair"] == "join"
    body["repair"] = "mend"
    refused = client.post(url, json.dumps(body), content_type="application/json")
    assert "There is no repair “mend”" in refused.text


def test_a_file_is_repaired_on_the_page_of_its_import(sign_in, teacher, read):
    client, dry = sign_in(teacher), read("sova\nowl\n\norao\neagle\n")
    url = reverse("import", args=[dry.pk])
    assert "words and translations are on lines of their own" in client.get(url).text
    data = {
        "delimiter": "0",
        "row_separator": "0",
        "policy": "add",
        "column_0": "term",
        "repair": ["join"],
    }
    client.post(reverse("import-settings", args=[dry.pk]), data)
    dry.refresh_from_db()
    assert [row["term"] for row in dry.rows] == ["sova", "orao"]
    client.post(
        reverse("import-settings", args=[dry.pk]),
        data | {"repair": [], "column_1": "translation"},
    )
    dry.refresh_from_db()
    assert len(dry.rows) == 4


def test_an_offered_repair_is_made_by_one_button(sign_in, teacher, read):
    client, dry = sign_in(teacher), read("sova owl\norao eagle\nvuk wolf\nlisica fox\n")
    url = reverse("import", args=[dry.pk])
    page = client.get(url)
    [form] = re.findall(r'<form [^>]*id="reading"[^>]*>', page.text)
    buttons = re.findall(r'<button [^>]*form="reading"[^>]*>[^<]*', page.text)
    [(name, label)] = [re.search(r'value="(.*)">(.*)', one, re.S).groups() for one in buttons]
    assert label == "Split at the last space"
    sent = {one.html_name: one.value() or "" for one in page.context["form"]} | {"repair": [name]}
    repaired = client.post(re.search('action="(.*?)"', form)[1], sent, follow=True)
    assert repaired.redirect_chain[-1][0] == url
    dry.refresh_from_db()
    assert [(row["term"], row["translations"]) for row in dry.rows][:2] == [
        ("sova", {"": ["owl"]}),
        ("orao", {"": ["eagle"]}),
    ]
    assert 'form="reading"' not in repaired.text  # it is offered no more


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({}, "file"),
        ({"text": "a,b", "settings": {"nothing": 1}}, "nothing"),
        ({"text": "a,b", "settings": {"delimiter": 5}}, "delimiter"),
        ({"text": "a,b", "settings": {"has_header": "maybe"}}, "has_header"),
        ({"text": "a", "columns": []}, "columns"),
        ({"text": "a", "columns": {"column 1": ["term"]}}, "column 1"),
    ],
)
def test_the_api_says_what_is_wrong_with_a_request(sign_in, teacher, animals, body, named):
    url = f"/api/lists/{animals.pk}/import/"
    reply = sign_in(teacher).post(url, json.dumps(body), content_type="application/json")
    assert reply.status_code == 400
    assert named in reply.content.decode()
    assert "damaged" not in reply.content.decode()


def test_an_empty_new_list_leads_to_the_choice_of_a_file(sign_in, teacher):
    reply = sign_in(teacher).post(
        reverse("list-new"),
        {"title": "Ptice", "language": "hr", "translation_language": "en", "visibility": "private"},
    )
    made = VocabularyList.objects.get(title="Ptice")
    assert reply.url == reverse("list-import", args=[made.pk])


def test_a_failed_import_names_its_job_and_not_the_fault(sign_in, teacher, read):
    failed = read("sova,owl")
    Import.objects.filter(pk=failed.pk).update(state=Import.State.APPLYING)
    job = Job.objects.create(
        kind=imports.JOB,
        key=f"import:{failed.pk}:apply",
        subject=ledger.subject_of(failed),
        state=Job.State.FAILED,
        error="OSError: No space left on device",
    )
    page = sign_in(teacher).get(f"/imports/{failed.pk}/progress/").text
    assert f'<code dir="ltr">{job.pk}</code>' in page
    assert "No space left" not in page


def test_a_column_is_given_a_language_that_the_list_does_not_have_yet(animals, sign_in, teacher):
    client = sign_in(teacher)
    made = client.post(
        reverse("list-import", args=[animals.pk]), {"text": "sova;owl;Eule\nvrana;crow;Krähe"}
    )
    page = client.get(made.url)
    column = page.context["form"]["column_2"]
    names = [str(name) for _field, name in column.field.choices]
    assert names[:2] == ["Word", "Translation (English)"]
    assert "Translation" not in names  # it would be the same
    assert names.count("Translation (English)") == 1
    assert names.index("Translation (English)") < names.index("Skip")
    assert names.index("Skip") < names.index("Translation (Croatian)")  # all that there are
    sent = {field.html_name: field.value() for field in page.context["form"]}
    sent = {name: value for name, value in sent.items() if value not in (None, False)}
    changed = sent | {"column_2": "translation:de"}
    client.post(made.url + "settings/", changed)
    client.post(made.url + "apply/")
    animals.refresh_from_db()
    assert animals.translation_languages == ["en", "de"]
    owl = animals.entries.get(term="sova")
    assert [(one.language, one.text) for one in owl.translations.all()] == [
        ("en", "owl"),
        ("de", "Eule"),
    ]
    again = client.post(
        reverse("list-import", args=[animals.pk]),
        {"text": "Croatian;German;English\nsova;Waldkauz;owl"},
        follow=True,
    )
    assert [str(field.field.initial) for field in again.context["form"].column_fields()] == [
        "term",
        "translation:de",
        "translation",
    ]
    assert "Translation (German)" in again.text  # of the change from Eule to Waldkauz
    assert "(de)" not in again.text


def test_recent_imports_say_what_was_added_and_what_was_changed(animals, sign_in, teacher):
    client, path = sign_in(teacher), f"/lists/{animals.pk}/"

    def recent():
        return client.get(path).text.partition("Recent imports")[2].partition("</li>")[0]

    answer = client.post(path, {"lines": "guska\tgander\nlabud\tcob"}, follow=True)
    assert "2 words changed." in answer.text
    assert "2 words changed." in recent()
    assert "added" not in recent()
    client.post(path, {"lines": "guska\tgoose\tx\nsova\towl"})
    client.post(path, {"lines": "čaplja\theron"})
    assert "1 word added." in recent()
    assert "changed" not in recent()
    client.post(path, {"lines": "čaplja\theron"})
    assert "Nothing changed." in recent()
