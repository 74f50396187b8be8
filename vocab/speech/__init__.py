"""Words made audible: the engines behind one door, their sounds, and where these are kept.

`engine` says what an engine is and how it fails; `espeak` (offline, at once) and `google` (through
gTTS) are the two. `espeak_ng` binds the C library, `espeak_process` keeps it in a process of its
own; `http` and `pacing` keep a service that fails from failing us. `recordings` checks
uploaded sound, `levels` gives all voices one loudness, `mp3` encodes, checks and pads, `cache`
keeps files, `homophones` finds words that sound alike. Settings arrive as arguments.
"""
