import io

import pytest
import soundfile


@pytest.fixture(scope="session")
def decode():
    """Return a function that decodes an MP3 with libsndfile, not with our own code."""

    def decode(mp3):
        samples, rate = soundfile.read(io.BytesIO(mp3), dtype="float32")
        return samples, rate

    return decode
