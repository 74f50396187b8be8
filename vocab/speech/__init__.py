"""Text to speech: engines with a common interface, their sounds, and a cache.

`engine` defines the interface and its errors; `espeak` (offline, immediate) and `google` (through
gTTS) are the two engines. `espeak_ng` binds the C library, `espeak_process` runs it in a separate
process; `http` protects us from a failing service. `recordings` checks uploaded sound,
`levels` gives all voices the same loudness, `mp3` encodes, checks and pads, `cache` stores files,
`homophones` finds words that sound alike. Settings are passed as arguments.
"""
