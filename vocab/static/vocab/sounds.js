// Teachers play the words of a list and record words. Recordings are sent as WAV files.

import { toast } from "../osmosmjerka/app.js";
import { wavOf } from "./wav.js";

const LONGEST = 15; // seconds; the server accepts no more

const audio = new Audio();

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-play]");
  if (!button) return;
  try {
    audio.src = button.dataset.play;
    await audio.play();
  } catch (error) {
    if (error.name !== "AbortError") toast(gettext("There is no sound for this word."), "warning");
  }
});

class Recorder {
  #worklet;
  #context = null;
  #stream = null;
  #pieces = [];

  constructor(worklet) {
    this.#worklet = worklet;
  }

  async start() {
    this.#pieces = [];
    this.#stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } });
    this.#context = new AudioContext();
    await this.#context.audioWorklet.addModule(this.#worklet);
    const tap = new AudioWorkletNode(this.#context, "tap");
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- this also opens the port
    tap.port.onmessage = ({ data }) => this.#pieces.push(data);
    this.#context.createMediaStreamSource(this.#stream).connect(tap);
  }

  /** End the recording; return it as a WAV file. */
  async stop() {
    const rate = this.#context.sampleRate;
    for (const track of this.#stream.getTracks()) track.stop();
    await this.#context.close();
    return new File([wavOf(this.#pieces, rate)], "recording.wav", { type: "audio/wav" });
  }
}

function wireRecorder(form) {
  const controls = form.querySelector("[data-recorder]");
  if (!navigator.mediaDevices || !globalThis.AudioWorkletNode) return; // the file field remains
  const button = controls.querySelector("[data-record]");
  const status = controls.querySelector("[data-recorder-status]");
  const listen = form.querySelector("[data-recorded]");
  const file = form.querySelector("input[type=file]");
  const isRecorded = form.querySelector("[name=is_recorded]");
  const recorder = new Recorder(controls.dataset.worklet);
  let timer = null;
  controls.hidden = false;

  const show = (isOn, text) => {
    // Translators: verb, on a button: begin, or stop, to record with the microphone.
    button.textContent = isOn ? gettext("Stop") : gettext("Record");
    button.setAttribute("aria-pressed", String(isOn));
    status.textContent = text;
  };
  const stop = async () => {
    clearTimeout(timer);
    timer = null;
    const sound = await recorder.stop();
    const files = new DataTransfer();
    files.items.add(sound);
    file.files = files.files;
    isRecorded.value = "on";
    listen.src = URL.createObjectURL(sound);
    listen.hidden = false;
    show(false, gettext("Recorded. Listen, then use it or record again."));
  };
  button.addEventListener("click", async () => {
    if (timer !== null) return stop();
    try {
      await recorder.start();
    } catch {
      return show(
        false,
        gettext("The microphone is not available. Allow it in the browser, or upload a file."),
      );
    }
    timer = setTimeout(stop, LONGEST * 1000 - 500);
    return show(true, gettext("Recording…"));
  });
  file.addEventListener("change", () => {
    isRecorded.value = "";
    listen.hidden = true;
  });
}

const form = document.querySelector("[data-recording]");
if (form) wireRecorder(form);
