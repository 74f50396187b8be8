// Spoken words and two soft chimes. This device remembers whether the student turned sound off.

import { memory } from "./memory.js";

const CHIMES = {
  right: [
    [523.25, 0],
    [783.99, 0.09],
  ],
  wrong: [
    [233.08, 0],
    [207.65, 0.1],
  ],
  done: [
    [523.25, 0],
    [659.25, 0.1],
    [783.99, 0.2],
    [1046.5, 0.3],
  ],
};

export class Sound extends EventTarget {
  #context = null;
  #audio = new Audio();

  on = memory.get("sound") !== "off";

  toggle() {
    this.on = !this.on;
    memory.set("sound", this.on ? "on" : "off");
    if (!this.on) this.#audio.pause();
    this.dispatchEvent(new Event("change"));
  }

  /** Play a word; false if it could not be played. */
  async play(url) {
    if (!url) return false;
    try {
      if (!this.#audio.src.endsWith(url)) this.#audio.src = url;
      this.#audio.currentTime = 0;
      await this.#audio.play();
      return true;
    } catch (error) {
      // A newer word interrupted this one: the sound did not fail.
      return error.name === "AbortError";
    }
  }

  /** Play after a word is found, if the student wants sound. */
  async playIfOn(url) {
    return this.on ? this.play(url) : false;
  }

  /**
   * Last resort: the device's own voice, only in the word's language and only if it runs on the
   * device itself (a remote voice would send the word to a server).
   */
  speak(text, language) {
    const voices = globalThis.speechSynthesis?.getVoices() ?? [];
    const base = language.split("-")[0];
    const voice = voices.find((v) => v.localService && v.lang.split(/[-_]/)[0] === base);
    if (!voice) return false;
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.voice = voice;
    utterance.lang = voice.lang;
    speechSynthesis.cancel();
    speechSynthesis.speak(utterance);
    return true;
  }

  chime(kind) {
    // Browsers play no sound until the student has interacted with the page.
    if (!this.on || !globalThis.AudioContext || navigator.userActivation?.hasBeenActive === false) {
      return;
    }
    this.#context ??= new AudioContext();
    if (this.#context.state === "suspended") this.#context.resume();
    const now = this.#context.currentTime;
    for (const [frequency, delay] of CHIMES[kind]) {
      const tone = this.#context.createOscillator();
      const volume = this.#context.createGain();
      tone.type = "sine";
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(0, now + delay);
      volume.gain.linearRampToValueAtTime(0.07, now + delay + 0.015);
      volume.gain.exponentialRampToValueAtTime(0.0005, now + delay + 0.32);
      tone.connect(volume).connect(this.#context.destination);
      tone.start(now + delay);
      tone.stop(now + delay + 0.35);
    }
  }
}
