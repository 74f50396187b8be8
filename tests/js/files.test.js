// Text that is searched, and sounds that are sent.

import assert from "node:assert/strict";
import { test } from "node:test";

import { search } from "../../puzzles/static/puzzles/maker/folded.js";
import { wavOf } from "../../vocab/static/vocab/wav.js";

test("a word is found by whoever types it without its accents or capitals", () => {
  assert.ok(search("Kućica Čovječuljka").includes(search("covjec")));
  assert.ok(search("ΦΙΛΊΑ").includes(search("φιλια")));
});

test("a recording is a WAV file of 16 bits with one channel, in its own rate", () => {
  const view = new DataView(wavOf([new Float32Array([0, 1]), new Float32Array([-1])], 44_100));
  const text = (at) => String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(at + i)));
  assert.deepEqual([text(0), text(8), text(12), text(36)], ["RIFF", "WAVE", "fmt ", "data"]);
  assert.equal(view.byteLength, 44 + 3 * 2);
  assert.equal(view.getUint32(4, true), view.byteLength - 8);
  assert.equal(view.getUint16(22, true), 1);
  assert.equal(view.getUint32(24, true), 44_100);
  assert.deepEqual(
    [0, 1, 2].map((i) => view.getInt16(44 + 2 * i, true)),
    [0, 32_767, -32_767],
  );
});

test("a recording that is too loud is cut off, not turned round", () => {
  const view = new DataView(wavOf([new Float32Array([1.7, -1.7])], 8000));
  assert.deepEqual([view.getInt16(44, true), view.getInt16(46, true)], [32_767, -32_767]);
});
