// Spoken words, and three notes for what was found, wrong or complete. This device remembers
// whether the student turned sound off.

import { memory } from "./memory.js";

// Frequencies in Hz: up a chord if found, down by half tones if wrong, and up to the octave, the last
// one longest, if complete. What is wrong is lower and softer, so that nobody near is told of it.
const CHIMES = {
  right: { notes: [523.25, 659.25, 783.99], every: 0.07, last: 0.3, volume: 0.07 },
  wrong: { notes: [246.94, 233.08, 220], every: 0.09, last: 0.22, volume: 0.05 },
  done: { notes: [659.25, 783.99, 1046.5], every: 0.13, last: 0.7, volume: 0.07 },
};
const SHORT = 0.24; // seconds of a note that is not the last

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
    const { notes, every, last, volume: loudest } = CHIMES[kind];
    for (const [number, frequency] of notes.entries()) {
      const start = this.#context.currentTime + number * every;
      const end = start + (number === notes.length - 1 ? last : SHORT);
      const tone = this.#context.createOscillator();
      const volume = this.#context.createGain();
      tone.type = "sine";
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(0, start);
      volume.gain.linearRampToValueAtTime(loudest, start + 0.015);
      volume.gain.exponentialRampToValueAtTime(0.0005, end);
      tone.connect(volume).connect(this.#context.destination);
      tone.start(start);
      tone.stop(end);
    }
  }
}
