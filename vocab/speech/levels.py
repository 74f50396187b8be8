"""Equal loudness for all voices, and no silence at the start."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_SILENCE = 0.003  # of full scale: anything that never exceeds it is not speech
_EDGE = 0.01  # of the peak: quieter samples at the ends are silence
_LEAD, _TAIL = 0.05, 0.12  # seconds of silence kept at the ends: loudspeakers start slowly
_LOUDNESS = 0.14  # root mean square of full scale, about -17 dB
_PEAK = 0.95
_MOST_GAIN = 10.0  # more would raise the noise of a room, not a voice


def levelled(wave: npt.NDArray[np.float32], rate: int) -> npt.NDArray[np.int16] | None:
    """Cut the silence at both ends and normalise the loudness; None if nothing is audible.

    *wave* is mono, within -1 and 1, at *rate* Hz; the result is little-endian.
    """
    peak = float(np.abs(wave).max(initial=0.0))
    if peak < _SILENCE:
        return None
    loud = np.flatnonzero(np.abs(wave) > _EDGE * peak)
    speech = wave[loud[0] : loud[-1] + 1]
    rms = float(np.sqrt(np.mean(speech**2)))
    gain = min(_LOUDNESS / rms, _PEAK / peak, _MOST_GAIN)
    whole = [np.zeros(int(_LEAD * rate)), speech * gain, np.zeros(int(_TAIL * rate))]
    return (np.concatenate(whole) * 32767).astype("<i2")
