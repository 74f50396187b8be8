"""Speak many words with eSpeak NG directly; report sounds per second and where the time goes.

    python -m benchmarks.speech [folder with finder-words.txt] [--sounds 2000] [--language en]

The default folder is OSMOSMJERKA_BENCH, or ../shared/bench. The baseline, measured with the same
words in the same run, is the bare library: samples, without levels, MP3, check and file. The CPU
time is that of this process only. Every file is decoded afterwards by libsndfile; exits with
status 1 if one is silent or broken.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import soundfile

from vocab.speech.cache import SoundCache, SoundKey
from vocab.speech.espeak import MAX_SECONDS, Espeak
from vocab.speech.espeak_ng import NORMAL_RATE, SLOW_RATE, Library
from vocab.speech.espeak_process import speaker

Word = tuple[str, bool]


def measured(label: str, words: list[Word], speak: Callable[[str, bool], object]) -> None:
    """Call *speak* for every word and print the time."""
    wall, cpu = time.perf_counter(), time.process_time()
    for text, slow in words:
        speak(text, slow)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(
        f"{label:44} {len(words) / wall:8.0f} a second   "
        f"{1000 * wall / len(words):6.2f} ms each   {1000 * cpu / len(words):6.2f} ms CPU"
    )


def main() -> int:
    """Run the benchmark; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--sounds", type=int, default=2000)
    parser.add_argument("--language", default="en")
    options = parser.parse_args()
    folder = options.folder or Path(os.environ.get("OSMOSMJERKA_BENCH", "../shared/bench"))
    listed = (folder / "finder-words.txt").read_text(encoding="utf-8").split()
    # Each word at normal speed; then, from the start of the list again, slowly.
    words = [
        (listed[index % len(listed)], index // len(listed) % 2 == 1)
        for index in range(options.sounds)
    ]
    engine, language = Espeak(), options.language
    library, piped, voice = Library(), speaker(), engine.voice(options.language)

    def bare(text: str, slow: bool) -> None:
        library.samples(text, voice, SLOW_RATE if slow else NORMAL_RATE, MAX_SECONDS)

    def through_pipes(text: str, slow: bool) -> None:
        piped.samples(text, voice, SLOW_RATE if slow else NORMAL_RATE, MAX_SECONDS)

    def keep(text: str, slow: bool) -> None:
        sound = engine.speak(text, language, slow=slow)
        cache.put(SoundKey(engine.name, voice, language, text, slow), sound)

    bare("warm", False)
    with tempfile.TemporaryDirectory() as root:
        cache = SoundCache(root, secret="benchmark")  # noqa: S106 - guards nothing here
        measured("baseline: samples alone, library in process", words, bare)
        measured("the same from its own process (Speaker)", words, through_pipes)
        measured(
            "as a checked MP3 (Espeak.speak)", words, lambda t, s: engine.speak(t, language, slow=s)
        )
        measured("and kept, padded and synced (SoundCache.put)", words, keep)
        files = sorted(Path(root).rglob("*.mp3"))
        bad = [path for path in files if not is_heard(path)]
        sizes = Counter(path.stat().st_size for path in files)
    print(f"{len(files)} files of {dict(sizes)} bytes; {len(bad)} silent, broken or too long")
    return 1 if bad or len(files) != len(set(words)) else 0


def is_heard(path: Path) -> bool:
    """Return whether libsndfile decodes the file to 0.2 to 3 seconds of sound."""
    samples, rate = soundfile.read(path, dtype="float32")
    return 0.2 <= len(samples) / rate <= 3 and bool(np.sqrt(np.mean(samples**2)) > 0.02)


if __name__ == "__main__":
    sys.exit(main())
