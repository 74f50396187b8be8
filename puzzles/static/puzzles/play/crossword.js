// Crossword: grid and clues side by side; a clue bar and on-screen keys on a phone.

import { Clues, nameOf } from "./clues.js";
import { CrosswordBoard } from "./crossword-board.js";
import { CrosswordModel } from "./crossword-model.js";
import { format, h, icon } from "./dom.js";
import { Draft } from "./draft.js";
import { isOpen } from "./game.js";
import { key, same } from "./geometry.js";
import { onScreenKeys } from "./keys.js";
import { memory } from "./memory.js";
import { shake } from "./motion.js";
import { play } from "./page.js";
import { Alphabet } from "./tiles.js";

const GROWTH = 900; // ms to wait after the last letter for the rest of its digraph
const REWRITING = 900; // ms after which a word whose letters are typed over is submitted

class Crossword {
  #last = null; // the piece typed last and its cell: the next may complete a digraph
  #growing = null; // a cell whose letter may still grow: {cell, wasFilled, timer}
  #rewritten = { slots: new Set(), timer: null }; // full words in which a letter was typed over
  #asked = new Map(); // slot → tiles last sent, so that the same answer is not sent twice
  #note = null; // the message of the last check about accents
  #explicit = new Set(); // slots whose wrong letters the student asked to see

  constructor({ game, stage, live, sound, toast, progress }) {
    Object.assign(this, { game, live, sound, toast });
    const { puzzle } = game;
    this.alphabet = new Alphabet(puzzle.settings.alphabet ?? [], puzzle.language);
    this.draft = new Draft(game.state.session.id, (cells, keepalive) =>
      game.saveDraft(cells, keepalive),
    );
    this.model = new CrosswordModel({
      ...game.state,
      draft: { ...game.state.draft, ...this.draft.unsent },
    });
    this.clues = new Clues(game, this.model, sound, live, {
      choose: (slot, focus) => this.choose(slot, focus),
      next: (by) => this.move(() => this.model.nextSlot(by), true),
      turn: () => this.move(() => this.model.turn(), true),
      answer: (slot, text) => this.answer(slot, text),
    });
    this.board = new CrosswordBoard(this.model, puzzle, {
      onType: (text) => this.type(text),
      onMove: (move) => this.move(move),
      onBackspace: () => this.backspace(),
      onDelete: () => this.write(this.model.cursor, ""),
      clueOf: (slot) => `${nameOf(slot)}, ${this.clues.clueText(slot)}`,
    });
    this.#lay(stage, progress);
    // Submit what waits for more letters before the page is closed.
    addEventListener("pagehide", () => {
      this.#settle();
      this.#submitRewritten();
    });
    game.addEventListener("answer", ({ detail }) => this.#answered(detail));
    game.addEventListener("change", () => {
      for (const item of game.items) this.model.take(item);
      this.render();
    });
    this.render();
  }

  #lay(stage, progress) {
    const { puzzle } = this.game;
    this.sheet = h(
      "div",
      { class: "board" },
      h("div", { class: "board-sheet" }, this.board.element),
    );
    const keys = onScreenKeys(this.alphabet.letters, {
      language: puzzle.language,
      direction: puzzle.direction,
      onType: (letter) => this.type(letter, true),
      onBackspace: () => this.backspace(),
      onTurn: () => this.move(() => this.model.turn()),
    });
    const wanted = memory.get("keys") ?? (matchMedia("(pointer: coarse)").matches ? "on" : "off");
    const toggle = h(
      "button",
      {
        type: "button",
        class: "button button--small keys-toggle",
        onclick: () => show(keys.hidden),
      },
      icon("keyboard"),
      gettext("On-screen keyboard"),
    );
    // No keys for a script with an unknown alphabet: keys from the answers would reveal them.
    toggle.hidden = !this.alphabet.letters.length;
    const show = (shown, remember = true) => {
      keys.hidden = !shown;
      toggle.setAttribute("aria-pressed", String(shown));
      this.board.useOwnKeys(shown && matchMedia("(pointer: coarse)").matches);
      if (remember) memory.set("keys", shown ? "on" : "off");
    };
    show(wanted === "on" && !toggle.hidden, false);
    stage.append(
      h(
        "section",
        { class: "board-side", "aria-label": gettext("Puzzle") },
        this.sheet,
        h("div", { class: "crossword-foot" }, this.clues.bar, keys),
        h("div", { class: "crossword-tools" }, toggle),
      ),
      h(
        "section",
        { class: "words", "aria-label": gettext("Clues") },
        progress,
        this.clues.element,
      ),
    );
  }

  render() {
    this.board.render();
    this.clues.render();
  }

  // ---- moving ----

  move(move, focus = false) {
    this.#last = null;
    const before = this.model.slotHere;
    move();
    if (this.model.slotHere !== before) this.#submitRewritten();
    this.render();
    this.clues.reveal();
    if (focus) this.board.focus();
    const slot = this.model.slotHere;
    if (slot && slot !== before) {
      this.live.say(h("span", {}, `${nameOf(slot)}: `, this.clues.seenText(slot)));
    }
  }

  choose(slot, focus) {
    if (this.model.slotHere === slot && !focus) return;
    this.move(() => this.model.enter(slot), focus);
    const { clue } = this.game.item(slot.id);
    if (!clue.text) this.sound.playIfOn(clue.sound);
  }

  // ---- typing ----

  /** Fill in what was typed or pressed; on-screen keys are never joined to the previous letter. */
  type(text, whole = false) {
    if (this.game.isFinished) return;
    for (const tile of whole ? [text] : this.alphabet.tiles(text)) {
      if (!whole && this.#grow(tile)) continue;
      const cell = this.model.cursor;
      this.write(cell, tile, whole);
      this.#last = whole ? null : { piece: tile, cell };
      this.model.step(1);
    }
    this.render();
  }

  // Complete the digraph that began in the previous cell, such as J after L.
  #grow(tile) {
    const both = this.#last && this.alphabet.merge(this.#last.piece, tile);
    if (!both) return false;
    this.write(this.#last.cell, both);
    this.#last.piece = both;
    return true;
  }

  write(cell, letter, whole = false) {
    const wasFilled = Boolean(this.model.letter(cell));
    if (
      this.game.isFinished ||
      this.model.letter(cell) === letter ||
      !this.model.set(cell, letter)
    ) {
      return;
    }
    this.draft.set(key(cell), letter);
    this.board.mark([cell], false);
    this.#settle(cell);
    if (letter && !whole && this.alphabet.mayGrow(letter)) {
      this.#growing = { cell, wasFilled, timer: setTimeout(() => this.#settle(), GROWTH) };
    } else if (letter) this.#written(cell, wasFilled);
    this.render();
  }

  // A word is submitted when its last gap is filled. If a full word is typed over, it is submitted
  // after its last letter or a pause: the steps in between are not answers.
  #written(cell, wasFilled) {
    const isEnd = same(this.model.slotHere.cells.at(-1), cell);
    for (const slot of this.model.slotsAt(cell)) {
      if (!wasFilled || (isEnd && slot === this.model.slotHere)) this.#submitIfFull(slot);
      else this.#rewritten.slots.add(slot);
    }
    clearTimeout(this.#rewritten.timer);
    this.#rewritten.timer = setTimeout(() => this.#submitRewritten(), REWRITING);
  }

  #submitRewritten() {
    clearTimeout(this.#rewritten.timer);
    // Each slot that is submitted leaves the set.
    const slots = [...this.#rewritten.slots];
    slots.forEach((slot) => this.#submitIfFull(slot));
  }

  /** Stop waiting for a letter to grow and use it as it is, unless *cell* was just changed. */
  #settle(cell = null) {
    const growing = this.#growing;
    if (!growing) return;
    clearTimeout(growing.timer);
    this.#growing = null;
    if (!cell || !same(growing.cell, cell)) this.#written(growing.cell, growing.wasFilled);
  }

  backspace() {
    this.#last = null;
    const { cursor } = this.model;
    if (!this.model.letter(cursor) || this.model.isLocked(cursor)) this.model.step(-1);
    this.write(this.model.cursor, "");
    this.render();
  }

  /** Answer with a whole word typed beside its clue; return a problem in words, or null. */
  answer(slot, text) {
    const tiles = this.alphabet.tiles(text);
    if (!tiles.length) return null;
    if (tiles.length !== slot.cells.length) {
      return format(
        ngettext(
          "%(name)s has %(length)s letter; you typed %(typed)s.",
          "%(name)s has %(length)s letters; you typed %(typed)s.",
          slot.cells.length,
        ),
        { name: nameOf(slot), length: slot.cells.length, typed: tiles.length },
      );
    }
    slot.cells.forEach((cell, i) => this.write(cell, tiles[i], true));
    this.#submitIfFull(slot);
    return null;
  }

  // ---- answers ----

  #submitIfFull(slot) {
    this.#rewritten.slots.delete(slot);
    const tiles = this.model.pattern(slot);
    if (isOpen(this.game.item(slot.id)) || !tiles.every(Boolean)) return;
    if (this.#asked.get(slot.id) === tiles.join(" ")) return;
    this.#submit(slot, tiles);
  }

  async #submit(slot, tiles) {
    if (tiles.every(Boolean)) this.#asked.set(slot.id, tiles.join(" "));
    const result = await this.game.attempt({ item: slot.id, tiles });
    if (result.queued) {
      this.live.say(result.message || gettext("Saved on this device until you are online again."));
    }
    return result;
  }

  #answered({ attempt, answer }) {
    const slot = this.model.slot(attempt.item);
    if (!slot) return;
    if (answer.outcome === "wrong" || answer.outcome === "checked") {
      this.#note = answer.note ?? this.#note;
      if (this.#explicit.has(slot.id)) this.board.mark(answer.wrong_cells ?? [], true);
      else if (attempt.tiles.every(Boolean)) {
        this.sound.chime("wrong");
        this.live.say(
          format(gettext("%(name)s is not correct yet."), { name: nameOf(slot) }),
          "wrong",
        );
      }
      return;
    }
    if (!answer.item) return;
    this.model.take(answer.item);
    this.board.mark(slot.cells, false);
    if (answer.outcome !== "found") return;
    this.sound.chime("right");
    this.sound.playIfOn(answer.item.clue.sound);
    const sentence = format(gettext("Found %(word)s: %(meaning)s. %(found)s of %(total)s."), {
      word: answer.item.term,
      meaning: answer.item.translations.join(", "),
      found: answer.found,
      total: answer.total,
    });
    this.live.say(answer.note ? `${sentence} ${answer.note}` : sentence, "right");
  }

  /** Check a letter, a word or all; only letters that are filled in are checked. */
  async check(scope) {
    this.board.focus();
    const here = this.model.slotHere;
    const slots = (scope === "all" ? this.model.slots : [here]).filter(
      (slot) => slot && !isOpen(this.game.item(slot.id)),
    );
    let wrong = 0;
    let asked = 0;
    this.#note = null;
    for (const slot of slots) {
      const tiles = slot.cells.map((cell) =>
        scope !== "letter" || same(cell, this.model.cursor) ? this.model.letter(cell) : "",
      );
      if (!tiles.some(Boolean)) continue;
      asked += 1;
      this.#explicit.add(slot.id);
      const { answer, error } = await this.#submit(slot, tiles);
      this.#explicit.delete(slot.id);
      if (error) throw error;
      wrong += answer?.wrong_cells?.length ?? 0;
    }
    this.render();
    if (!asked) this.live.say(gettext("There is nothing to check yet. Type some letters first."));
    else if (wrong) {
      shake(this.sheet);
      this.live.say(
        format(
          ngettext(
            "%(count)s wrong letter is marked.",
            "%(count)s wrong letters are marked.",
            wrong,
          ),
          { count: wrong },
        ),
        "wrong",
      );
    } else this.live.say([gettext("All correct so far."), this.#note].filter(Boolean).join(" "), "right");
  }

  async reveal(kind) {
    const slot = this.model.slotHere;
    if (!slot || isOpen(this.game.item(slot.id))) return;
    this.board.focus();
    const hint = await this.game.hint(slot.id, kind, kind === "letter" ? this.model.cursor : null);
    hint.cells.forEach((cell, i) => this.write(cell, hint.tiles[i]));
    this.render();
    this.live.say(format(gettext("Revealed: %(letters)s."), { letters: hint.tiles.join(" ") }));
  }

  /** Show the text of a clue that is a sound, for students who cannot listen. */
  async readClue() {
    const slot = this.model.slotHere;
    const item = slot && this.game.item(slot.id);
    if (!item) return;
    if (!item.clue.text) await this.game.hint(slot.id, "text");
    this.live.say(`${nameOf(slot)}: ${this.clues.clueText(slot)}`);
  }

  get hints() {
    const isHeard = this.game.puzzle.settings.clue === "sound";
    return [
      ...(isHeard ? [{ label: gettext("Read the clue"), act: () => this.readClue() }] : []),
      { label: gettext("Check this letter"), act: () => this.check("letter") },
      { label: gettext("Check this word"), act: () => this.check("word") },
      { label: gettext("Check everything"), act: () => this.check("all") },
      { label: gettext("Reveal this letter"), act: () => this.reveal("letter") },
      { label: gettext("Reveal this word"), act: () => this.reveal("word") },
    ];
  }
}

play((page) => new Crossword(page));
