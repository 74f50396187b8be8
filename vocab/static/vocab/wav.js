// Encode samples as a WAV file: RIFF with 16-bit PCM, one channel.

const HEADER = 44;

/** Return the bytes of a WAV file; *pieces* are Float32Arrays within -1 and 1. */
export function wavOf(pieces, sampleRate) {
  const count = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const view = new DataView(new ArrayBuffer(HEADER + 2 * count));
  const text = (at, letters) =>
    [...letters].forEach((letter, i) => view.setUint8(at + i, letter.charCodeAt(0)));
  text(0, "RIFF");
  view.setUint32(4, HEADER - 8 + 2 * count, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true); // length of the format chunk
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true); // channels
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, 2 * sampleRate, true); // bytes per second
  view.setUint16(32, 2, true); // bytes per sample
  view.setUint16(34, 16, true); // bits per sample
  text(36, "data");
  view.setUint32(40, 2 * count, true);
  let at = HEADER;
  for (const piece of pieces) {
    for (const sample of piece) {
      view.setInt16(at, Math.round(Math.max(-1, Math.min(1, sample)) * 0x7fff), true);
      at += 2;
    }
  }
  return view.buffer;
}
