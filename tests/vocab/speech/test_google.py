"""gTTS's voice, through a service that fails in every way: told in time, few attempts, no file."""

import random
import time
from email.utils import formatdate

import pytest
import trustme

from osmosmjerka.storage.media import MediaFolder
from tests.vocab.speech.google_server import GoogleServer, closed_port
from tests.vocab.speech.pacing import Circuit, TokenBucket
from vocab.speech import mp3
from vocab.speech.cache import SoundCache, SoundKey
from vocab.speech.engine import CannotSpeak, CircuitOpen, ServiceFailed, SpeechError
from vocab.speech.google import Gtts
from vocab.speech.http import Exchange, Limits

TIGHT = Limits(connect=0.3, read=0.25, total=0.4)
KEY = SoundKey("gtts", "hr@com", "hr", "kuća")


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture(scope="module")
def authority():
    return trustme.CA()


@pytest.fixture(scope="module")
def running_server():
    server = GoogleServer()
    yield server
    server.close()


@pytest.fixture
def server(running_server):
    running_server.fault, running_server.retry_after = "", None
    running_server.asked.clear()
    running_server.requests.clear()
    return running_server


def engine(server, *, limits=None, exchange=None, attempts=99, slept=None, **settings):
    settings.setdefault("bucket", TokenBucket(rate=1000, burst=1000))
    settings.setdefault("circuit", Circuit())
    return Gtts(
        base_url=getattr(server, "url", server),
        exchange=exchange or Exchange(limits=limits, proxies={}),
        attempts=attempts,
        first_pause=0.01,
        sleep=time.sleep if slept is None else slept.append,
        rng=random.Random(1),
        **settings,
    )


def own_gtts(**settings):
    return Gtts(circuit=Circuit(), bucket=TokenBucket(rate=1000, burst=1000), **settings)


def speak_into(cache, gtts):
    """Do what a task does: a sound that was made goes into the cache."""
    return cache.put(KEY, gtts.speak("kuća", "hr"))


def test_a_word_comes_as_a_checked_sound(server, decode):
    sound = engine(server).speak("kuća", "hr")
    samples, rate = decode(sound.mp3)
    assert 0.2 < len(samples) / rate < 3
    assert abs(samples).max() > 0.1
    assert sound.seconds == pytest.approx(len(samples) / rate, abs=0.1)
    assert (sound.engine, sound.voice) == ("gtts", "hr@com")


def test_slow_is_asked_for_and_is_slower(server):
    gtts = engine(server)
    normal, slow = gtts.speak("kuća", "hr"), gtts.speak("kuća", "hr", slow=True)
    assert slow.seconds > 1.2 * normal.seconds
    assert server.asked == [("kuća", "hr", None), ("kuća", "hr", True)]


def test_only_the_word_leaves_the_server(server):
    gtts = engine(server)
    gtts.speak("kuća", "hr")
    gtts.speak("kruh", "hr")
    assert [asked[0] for asked in server.asked] == ["kuća", "kruh"]
    for _path, headers, _form in server.requests:
        assert "Cookie" not in headers
        assert "Authorization" not in headers


FAULTS = {
    # fault: what the message says, the most requests
    "hang": ("did not answer in time", 1),
    "drip": ("did not answer in time", 1),
    "drip_head": ("did not answer in time", 1),
    "403": ("status 403", 1),
    "429": ("there were too many", 5),
    "500": ("status 500", 5),
    "html": ("text/html", 5),
    "html_called_json": ("is incomplete", 5),
    "truncated": ("stopped in the middle", 5),
    "truncated_json": ("is incomplete", 5),
    "truncated_sound": ("MP3 file is incomplete", 5),
    "no_sound_at_all": ("not a valid MP3 file", 5),
    "empty": ("is empty", 5),
    "huge": ("more than", 1),
    "elsewhere": ("status 302", 1),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_in_time_after_few_attempts_and_leaves_no_file(server, tmp_path, fault):
    message, most = FAULTS[fault]
    server.fault = fault
    limits = TIGHT if "in time" in message else None
    slept = []
    cache = SoundCache(MediaFolder(tmp_path), secret="s")
    gtts = engine(server, limits=limits, slept=slept)
    with pytest.raises(ServiceFailed, match=message):
        speak_into(cache, gtts)
    # An attempt is cut where it "did not answer in time"; the pauses between them are hundredths.
    assert sum(slept) < 2
    assert len(server.requests) == most
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []

    server.fault = ""
    path = speak_into(cache, engine(server))
    assert mp3.checked(path.read()).seconds > 0.2


def test_a_refused_connection_is_told(tmp_path, caplog):
    slept = []
    gtts = engine(f"http://127.0.0.1:{closed_port()}", slept=slept)
    with pytest.raises(ServiceFailed, match=r"refused the connection\.$"):
        speak_into(SoundCache(MediaFolder(tmp_path), secret="s"), gtts)
    assert "Connection refused" in caplog.text  # the system's words are in the log
    assert len(slept) == 4  # pauses between five attempts
    assert list(tmp_path.iterdir()) == []


def test_a_service_whose_name_is_not_known_is_told_without_the_systems_words(tmp_path, caplog):
    gtts = engine("http://translate.invalid", slept=[])
    with pytest.raises(ServiceFailed) as caught:
        speak_into(SoundCache(MediaFolder(tmp_path), secret="s"), gtts)
    assert caught.value.message.template.startswith("{host} was not found.")
    assert caught.value.message.values == {"host": "translate.invalid"}
    assert "gaierror" in caplog.text


def test_of_fifty_megabytes_only_the_allowed_part_is_read(server):
    server.fault, server.sent = "huge", 0
    with pytest.raises(ServiceFailed, match="more than"):
        engine(server).speak("kuća", "hr")
    assert server.has_ended.wait(timeout=60)
    assert server.sent < 20 * 2**20


@pytest.mark.thorough  # it waits for drops
@pytest.mark.parametrize("fault", ["drip", "drip_head"])
def test_without_the_deadline_a_dripping_answer_keeps_the_worker(server, fault):
    """The control: every single wait is within its time-out, only their sum is long."""
    server.fault = fault
    patient = Exchange(limits=Limits(connect=1, read=1, total=30), proxies={})
    started = time.monotonic()
    assert engine(server, exchange=patient, attempts=1).speak("kuća", "hr").seconds > 0.2
    assert time.monotonic() - started > 1.4


@pytest.mark.parametrize(
    ("made_for", "reason"),
    [("another authority", "unable to get local issuer"), ("another host", "Hostname mismatch")],
)
def test_a_bad_certificate_is_refused_and_nothing_is_sent(
    authority, tmp_path, made_for, reason, caplog
):
    stranger = trustme.CA() if made_for == "another authority" else authority
    name = "localhost" if made_for == "another authority" else "elsewhere.example"
    server = GoogleServer(certificate=stranger.issue_cert(name))
    bundle = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(bundle))
    limits = Limits(connect=2, read=2, total=4)
    try:
        checking = Exchange(limits=limits, verify=str(bundle), proxies={})
        with pytest.raises(ServiceFailed, match=r"is not valid, so nothing was sent\.$"):
            engine(server, exchange=checking).speak("kuća", "hr")
        assert reason in caplog.text
        assert server.requests == []
        # The control: with the check off, the same server is believed.
        blind = Exchange(limits=limits, proxies={}, verify=False)
        with pytest.warns(match="Unverified HTTPS request"):
            assert engine(server, exchange=blind).speak("kuća", "hr").seconds > 0.2
    finally:
        server.close()


def test_a_good_certificate_is_accepted(authority, tmp_path):
    server = GoogleServer(certificate=authority.issue_cert("localhost"))
    bundle = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(bundle))
    try:
        limits = Limits(connect=2, read=2, total=4)
        exchange = Exchange(limits=limits, verify=str(bundle), proxies={})
        assert engine(server, exchange=exchange).speak("kuća", "hr").seconds > 0.2
        server.fault = "drip"
        impatient = Exchange(limits=TIGHT, verify=str(bundle), proxies={})
        with pytest.raises(ServiceFailed, match="in time"):
            engine(server, exchange=impatient, attempts=1).speak("kuća", "hr")
    finally:
        server.close()


def test_requests_go_through_the_schools_proxy(server):
    exchange = Exchange(limits=Limits(), proxies={"http": server.url})
    sound = engine("http://translate.example", exchange=exchange).speak("kuća", "hr")
    assert sound.seconds > 0.2
    assert server.requests[0][0].startswith("http://translate.example/")


def test_the_service_may_say_that_it_has_no_sound(server):
    server.fault = "without_sound"
    gtts = engine(server)
    with pytest.raises(CannotSpeak, match="no sound for “kuća”"):
        gtts.speak("kuća", "hr")
    assert len(server.requests) == 1
    assert not gtts.circuit.is_open


def test_pauses_grow_and_are_drawn(server):
    server.fault = "500"
    slept = []
    with pytest.raises(ServiceFailed):
        engine(server, slept=slept).speak("kuća", "hr")
    assert len(slept) == 4
    for step, pause in enumerate(slept):
        assert 0.005 * 2**step <= pause <= 0.01 * 2**step
    assert len({round(pause / 2**step, 6) for step, pause in enumerate(slept)}) == 4


def test_five_attempts_are_the_most_even_while_the_circuit_is_closed(server):
    server.fault = "500"
    with pytest.raises(ServiceFailed):
        engine(server, attempts=99, circuit=Circuit(failures=99)).speak("kuća", "hr")
    assert len(server.requests) == 5


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after_is_kept(server, form):
    server.fault = "429"
    server.retry_after = "7" if form == "seconds" else formatdate(time.time() + 7, usegmt=True)
    slept = []
    with pytest.raises(ServiceFailed):
        engine(server, slept=slept, attempts=2).speak("kuća", "hr")
    assert slept == [pytest.approx(7, abs=1.5)]


def test_a_long_retry_after_is_handed_on_instead_of_waited_for(server):
    server.fault, server.retry_after = "429", "3600"
    slept = []
    with pytest.raises(ServiceFailed) as caught:
        engine(server, slept=slept).speak("kuća", "hr")
    assert (caught.value.retry_after, slept, len(server.requests)) == (3600, [], 1)


def test_a_passing_failure_is_not_noticed(server):
    class Once(list):
        def append(self, seconds):
            server.fault = ""
            super().append(seconds)

    server.fault = "500"
    slept = Once()
    assert engine(server, slept=slept).speak("kuća", "hr").seconds > 0.2
    assert (len(slept), len(server.requests)) == (1, 2)


def test_the_circuit_opens_half_opens_and_closes(server):
    server.fault = "500"
    clock = Clock()
    gtts = engine(server, attempts=2, circuit=Circuit(failures=5, rest=60, clock=clock))
    for _ in range(3):
        with pytest.raises(ServiceFailed, match="status 500"):
            gtts.speak("kuća", "hr")
    assert len(server.requests) == 5
    assert gtts.circuit.is_open

    with pytest.raises(CircuitOpen, match=r"5 times in a row.*in 60 seconds") as caught:
        gtts.speak("kuća", "hr")
    assert caught.value.retry_after == 60
    clock.now += 59
    with pytest.raises(CircuitOpen):
        gtts.speak("kuća", "hr")
    assert len(server.requests) == 5

    clock.now += 2
    with pytest.raises(ServiceFailed, match="status 500"):
        gtts.speak("kuća", "hr")
    with pytest.raises(CircuitOpen):
        gtts.speak("kuća", "hr")
    assert len(server.requests) == 6

    clock.now += 61
    server.fault = ""
    assert gtts.speak("kuća", "hr").seconds > 0.2
    assert not gtts.circuit.is_open
    assert gtts.speak("kruh", "hr").seconds > 0.2
    assert len(server.requests) == 8


def test_a_service_that_is_slow_once_is_left_alone_at_once(server):
    """Five waits would hold up whatever comes behind them in the queue."""
    clock = Clock()
    slow = Exchange(limits=TIGHT, proxies={})
    gtts = engine(server, exchange=slow, circuit=Circuit(rest=60, clock=clock))
    server.fault = "hang"
    with pytest.raises(ServiceFailed, match="in time"):
        gtts.speak("kuća", "hr")
    with pytest.raises(CircuitOpen):
        gtts.speak("kruh", "hr")
    assert len(server.requests) == 1


def test_a_word_waits_for_its_turn_or_is_sent_away(server):
    slept = []
    gtts = engine(server, slept=slept, bucket=TokenBucket(rate=0.5, burst=1), patience=3)
    gtts.speak("kuća", "hr")
    gtts.speak("kruh", "hr")
    assert slept == [pytest.approx(2, abs=0.5)]
    with pytest.raises(SpeechError, match="Too many words"):
        gtts.speak("more", "hr")
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("language", "voice"),
    [
        ("hr", "hr@com"),
        ("he", "iw@com"),
        ("iw", "iw@com"),
        ("nb", "no@com"),
        ("en-GB", "en@co.uk"),
        ("en-US", "en@com"),
        ("pt-BR", "pt@com.br"),
        ("pt-PT", "pt-PT@pt"),
        ("fr-CA", "fr-CA@ca"),
        ("zh", "zh@com"),
        ("zh-Hans-CN", "zh-CN@com"),
        ("zh-TW", "zh-TW@com"),
        ("zh-HK", "yue@com"),
        ("sr-Latn", "sr@com"),
        ("fil", "tl@com"),
        ("jv", "jw@com"),
    ],
)
def test_a_language_finds_its_voice(language, voice):
    assert own_gtts().voice(language) == voice


@pytest.mark.parametrize("language", ["sl", "mk", "fa", "xx", "not a tag"])
def test_languages_that_google_lacks(language):
    assert not own_gtts().supports(language)
    with pytest.raises(CannotSpeak, match="no voice"):
        own_gtts().speak("kuća", language)


def test_a_text_of_more_than_one_request_is_left_to_the_other_engine(server):
    with pytest.raises(CannotSpeak, match="at most 100"):
        engine(server).speak("kuća " * 30, "hr")
    assert server.requests == []


def test_the_accent_decides_the_host():
    urls = []

    class Listening(Exchange):
        def post(self, url, body, headers):
            urls.append(url)
            raise ServiceFailed("listened")

    for language in ("en-GB", "hr"):
        with pytest.raises(ServiceFailed):
            own_gtts(exchange=Listening(), attempts=1).speak("tea", language)
    assert urls[0].startswith("https://translate.google.co.uk/_/")
    assert urls[1].startswith("https://translate.google.com/_/")
