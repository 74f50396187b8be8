"""A teacher's sound controls through the HTTP API: what the pages do, by the same services."""

import io
import json

import pytest
import soundfile
from django.core.files.uploadedfile import SimpleUploadedFile

from osmosmjerka.jobs.models import Job
from tests.vocab.sounds.test_sound_pages import run_all, tone
from vocab.models import Pronunciation
from vocab.sounds import services as sounds

pytestmark = pytest.mark.django_db


def send(client, method, path, body):
    return getattr(client, method)(
        f"/api/{path}", json.dumps(body), content_type="application/json"
    )


def sounds_of(client, entry):
    return client.get(f"/api/entries/{entry.pk}/sounds/").json()


def test_a_words_sounds_are_listed_with_their_origin_and_can_be_heard(client, entry):
    run_all()
    told = sounds_of(client, entry)
    assert told["term"] == "labud"
    assert [(s["speed"], s["engine"], s["origin"], s["is_heard"]) for s in told["sounds"]] == [
        ("normal", "espeak", "made", True),
        ("slow", "espeak", "made", True),
    ]
    lengths = [
        len(soundfile.read(io.BytesIO(client.get(told[speed]).content))[0])
        for speed in ("normal", "slow")
    ]
    assert lengths[1] > 1.2 * lengths[0]


def test_a_sound_is_made_again(client, entry):
    run_all()
    reply = send(client, "post", f"entries/{entry.pk}/sounds/anew/", {"speed": "slow"})
    assert (reply.status_code, reply.json()["state"]) == (202, "queued")
    assert Job.objects.get(kind=sounds.REMAKE).arguments["speed"] == "slow"
    assert send(client, "post", f"entries/{entry.pk}/sounds/anew/", {}).status_code == 400


def test_an_engine_is_chosen_and_given_back(client, entry):
    path = f"entries/{entry.pk}/sounds/engine/"
    chosen = send(client, "put", path, {"engine": "espeak"}).json()
    assert {(s["origin"], s["state"]) for s in chosen["sounds"]} == {("chosen", "waiting")}
    refused = send(client, "put", path, {"engine": "gtts"})  # turned off in tests
    assert refused.status_code == 400
    assert "turned off" in refused.text
    assert send(client, "put", path, {"engine": ""}).json()["sounds"] == []


def test_an_own_sound_is_uploaded_checked_and_heard(client, entry):
    run_all()
    path = f"/api/entries/{entry.pk}/sounds/own/"
    upload = SimpleUploadedFile("mine.wav", tone(), content_type="audio/wav")
    told = client.post(path, {"sound": upload, "speed": "slow"}).json()
    heard = [s for s in told["sounds"] if s["is_heard"]]
    assert {(s["speed"], s["origin"]) for s in heard} == {("normal", "made"), ("slow", "uploaded")}
    page = SimpleUploadedFile("mine.mp3", b"<html>no sound</html>", content_type="audio/mpeg")
    refused = client.post(path, {"sound": page})
    assert refused.status_code == 400
    assert "cannot be read" in refused.json()["detail"]


def test_a_job_that_failed_is_still_called_parked_here(client, animals):
    run_all()
    Job.objects.filter(kind=sounds.RENDER).update(state=Job.State.FAILED)
    told = client.get(f"/api/lists/{animals.pk}/voice/").json()
    assert told["making"]["state"] == "parked"


def test_the_voice_of_a_list_is_read_and_chosen(client, animals):
    run_all()
    told = client.get(f"/api/lists/{animals.pk}/voice/").json()
    assert (told["engine"], told["engines"], told["accents"]) == ("", ["espeak"], [])
    assert told["making"]["state"] == "done"
    changed = send(
        client,
        "patch",
        f"lists/{animals.pk}/voice/",
        {"engine": "espeak", "is_spoken_slowly": True},
    )
    assert changed.status_code == 200, changed.content
    assert changed.json()["is_spoken_slowly"]
    animals.refresh_from_db()
    assert (animals.voice_engine, animals.is_spoken_slowly) == ("espeak", True)
    for body in ({"accent": "en-GB"}, {"engine": "gtts"}, {"engine": "siri"}):
        assert send(client, "patch", f"lists/{animals.pk}/voice/", body).status_code == 400


def test_a_lists_sounds_are_all_made_again(client, animals):
    run_all()
    before = dict(Pronunciation.objects.values_list("text", "updated_at"))
    path = f"lists/{animals.pk}/voice/anew/"
    assert send(client, "post", path, {"speeds": ["normal"]}).status_code == 202
    run_all()
    anew = Pronunciation.objects.filter(speed="normal", updated_at__gt=max(before.values()))
    assert anew.count() == 12
    assert send(client, "post", path, {"speeds": ["fast"]}).status_code == 400


def test_who_may_see_but_not_edit_hears_and_changes_nothing(
    sign_in, make_person, school, animals, entry
):
    animals.visibility = "school"
    animals.save()
    colleague = sign_in(make_person("teacher", school))
    assert colleague.get(f"/api/entries/{entry.pk}/sounds/").status_code == 200
    assert colleague.get(f"/api/entries/{entry.pk}/sounds/normal/").status_code == 200
    assert colleague.get(f"/api/entries/{entry.pk}/sounds/fast/").status_code == 404
    assert colleague.get(f"/api/lists/{animals.pk}/voice/").status_code == 200
    changes = [
        ("post", f"entries/{entry.pk}/sounds/anew/", {"speed": "slow"}),
        ("put", f"entries/{entry.pk}/sounds/engine/", {"engine": "espeak"}),
        ("post", f"entries/{entry.pk}/sounds/own/", {}),
        ("patch", f"lists/{animals.pk}/voice/", {"engine": "espeak"}),
        ("post", f"lists/{animals.pk}/voice/anew/", {}),
    ]
    for method, path, body in changes:
        assert send(colleague, method, path, body).status_code == 404, path


def test_a_student_of_the_class_hears_no_word_but_in_a_game(sign_in, student, make_puzzle, entry):
    make_puzzle("finder")
    pupil = sign_in(student)
    for path in (
        f"/api/entries/{entry.pk}/sounds/",
        f"/api/entries/{entry.pk}/sounds/normal/",
        f"/api/lists/{entry.vocabulary_list_id}/voice/",
        f"/entries/{entry.pk}/sound/normal/",
    ):
        assert pupil.get(path).status_code == 404
