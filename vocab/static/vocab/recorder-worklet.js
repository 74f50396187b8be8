// Runs in the browser's audio thread: sends the microphone's samples to the page.

class Tap extends AudioWorkletProcessor {
  process([input]) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has none
    if (input.length) this.port.postMessage(input[0].slice());
    return true;
  }
}

registerProcessor("tap", Tap);
