import pytest

from tests.vocab.speech.google_server import GoogleServer
from tests.vocab.speech.pacing import Circuit, TokenBucket
from vocab.sounds import voices
from vocab.speech.google import Gtts
from vocab.speech.http import Exchange, Limits


@pytest.fixture
def google(settings, monkeypatch):
    """A service on this machine that speaks Google's protocol, and may fail."""
    server = GoogleServer()
    settings.GTTS_ENABLED = True
    settings.GTTS_URL = server.url
    server.clock = 1000.0
    server.voice = Gtts(
        base_url=server.url,
        exchange=Exchange(limits=Limits(connect=0.3, read=0.25, total=0.4), proxies={}),
        bucket=TokenBucket(rate=10_000, burst=10_000),
        circuit=Circuit(clock=lambda: server.clock),
        first_pause=0.01,
        attempts=5,
    )
    monkeypatch.setattr(voices, "_gtts", lambda url: server.voice)
    yield server
    server.close()
