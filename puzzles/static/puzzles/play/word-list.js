// The word search's list: each line changes from the meaning to the word when it is found.

import { format, h, icon, picture } from "./dom.js";
import { isOpen, stateOf } from "./game.js";

export function speakerButton(sound, { url, term, language, onfail }) {
  if (!url && !term) return null;
  return h(
    "button",
    {
      type: "button",
      class: "icon-button speaker",
      "aria-label": term
        // Translators: verb: hear the word.
        ? format(gettext("Play %(word)s"), { word: term })
        : gettext("Play the word"),
      onclick: async () => {
        if (url && (await sound.play(url))) return;
        if (term && sound.speak(term, language)) return;
        onfail?.();
      },
    },
    icon("speaker"),
  );
}

// As in the stylesheet.
const NARROW = matchMedia("(max-width: 39.99rem), (max-height: 30rem)");

const lengths = (item) => `(${item.length.join(", ")})`;

const SAID = {
  found: () => gettext("found"),
  shown: () => gettext("revealed"),
  open: () => gettext("not found yet"),
};

export class WordList {
  #game;
  #sound;
  #live;
  #onChoose;
  #chosen = null;

  element = h("ul", { class: "words-list", "aria-label": gettext("Words") });

  constructor({ game, sound, live, onChoose }) {
    this.#game = game;
    this.#sound = sound;
    this.#live = live;
    this.#onChoose = onChoose;
    game.addEventListener("change", () => this.render());
    this.render();
  }

  /** The line to which hints refer: the chosen one, or the first that is not found. */
  get current() {
    const open = this.#game.items.filter((item) => !isOpen(item));
    return open.find((item) => item.id === this.#chosen) ?? open[0] ?? null;
  }

  #choose(item) {
    this.#chosen = this.#chosen === item.id ? null : item.id;
    this.#onChoose(this.#chosen);
    this.render();
    this.element.querySelector(`[data-item="${CSS.escape(item.id)}"] .word-choose`)?.focus();
  }

  render() {
    const current = this.current;
    const lines = this.#game.items.map((item, index) => ({
      item,
      line: this.#line(item, index, item === current),
    }));
    // Where a phone has no room for all, those still to be found come first.
    if (NARROW.matches) lines.sort((a, b) => Number(isOpen(a.item)) - Number(isOpen(b.item)));
    // The words beside or below the board scroll for themselves.
    const scroller = this.element.parentElement;
    const scrollTop = scroller?.scrollTop;
    this.element.replaceChildren(...lines.map(({ line }) => line));
    if (scroller) scroller.scrollTop = scrollTop;
  }

  #line(item, index, isNext) {
    const { language, translation_language: meaning } = this.#game.puzzle;
    const open = isOpen(item);
    const shown = open
      ? [
          h("b", { class: "term", lang: language, dir: "auto" }, item.term),
          " ",
          h("small", { lang: meaning, dir: "auto" }, item.translations.join(" · ")),
        ]
      : [
          h("b", { lang: item.clue.language, dir: "auto" }, item.clue.text ?? gettext("Listen")),
          " ",
          h("small", { class: "word-length" }, lengths(item)),
          item.clue.note ? h("small", { class: "word-note" }, item.clue.note) : null,
        ];
    const state = stateOf(item);
    const classes = ["word", `colour-${index % 12}`];
    if (open) classes.push(`is-${state}`);
    else if (isNext) classes.push("is-next");
    return h(
      "li",
      {
        class: classes.join(" "),
        "data-item": item.id,
        "data-state": state,
      },
      h(
        "button",
        {
          type: "button",
          class: "word-choose",
          "aria-pressed": String(this.#chosen === item.id),
          onclick: () => this.#choose(item),
        },
        h("span", { class: "word-mark", "aria-hidden": "true" }, String(index + 1)),
        picture(item.clue.picture),
        h(
          "span",
          { class: "word-text" },
          shown,
          h("span", { class: "visually-hidden" }, `, ${SAID[state]()}`),
        ),
      ),
      speakerButton(this.#sound, {
        url: item.clue.sound,
        term: open ? item.term : null,
        language,
        onfail: () =>
          this.#live.say(
            item.clue.sound
              ? gettext("The sound could not be played.")
              : gettext("There is no sound for this word."),
          ),
      }),
    );
  }
}
