// Crossword: grid and clues side by side; a clue bar and on-screen keys on a phone.

import { Clues, nameOf } from "./clues.js";
import { CrosswordBoard } from "./crossword-board.js";
import { CrosswordModel } from "./crossword-model.js";
import { format, h, icon, inRoom } from "./dom.js";
import { Draft } from "./draft.js";
import { isOpen } from "./game.js";
import { key, same } from "./geometry.js";
import { onScreenKeys } from "./keys.js";
import { memory } from "./memory.js";
import { shake } from "./motion.js";
import { play } from "./page.js";
import { foundSentence } from "./said.js";
import { Alphabet } from "./tiles.js";
import { Typing } from "./typing.js";

// An answer that the next key may change waits for it: after these ms the student is told so, and
// after these more it is submitted. Slow typists press a key a second.
const TELLING = 500;
const SUBMITTING = 1500;
// In px: the least square that shows its letter well, and the space around the word here.
const LARGE = 36;
const MARGIN = 4;
const STRIP = document.querySelector("[data-strip]");

class Crossword {
  // Full slots whose letters the next key may change, and whether each is being typed over.
  #waiting = new Map();
  #pause = null;
  // Slot → tiles last sent, so that the same answer is not sent twice.
  #asked = new Map();
  // Slots that were submitted since the student last moved or changed a letter.
  #justSent = new Set();
  // The message of the last check about accents.
  #note = null;
  // Slots whose wrong letters the student asked to see.
  #explicit = new Set();
  // Slots whose letters were not correct, until one of them is changed.
  #doubted = new Set();

  constructor({ game, stage, live, sound, toast }) {
    Object.assign(this, { game, live, sound, toast });
    const { puzzle } = game;
    this.alphabet = new Alphabet(
      puzzle.settings.alphabet ?? [],
      puzzle.language,
      puzzle.settings,
    );
    this.draft = new Draft(game.state.session.id, (cells, keepalive) =>
      game.saveDraft(cells, keepalive),
    );
    this.model = new CrosswordModel({
      ...game.state,
      draft: { ...game.state.draft, ...this.draft.unsent },
    });
    this.typing = new Typing(this.model, this.alphabet);
    this.clues = new Clues(game, this.model, sound, live, {
      choose: (slot, focus) => this.choose(slot, focus),
      next: (by) => this.move(() => this.model.nextSlot(by), true),
      turn: () => this.move(() => this.model.turn(), true),
      goTo: (cell) => this.move(() => this.model.goTo(cell), true),
      isDoubted: (slot) => this.#doubted.has(slot),
      answer: (slot, text) => this.answer(slot, text),
    });
    this.board = new CrosswordBoard(this.model, puzzle, {
      onType: (text) => this.change(() => this.typing.type(text)),
      onMove: (move) => this.move(move),
      onEnter: () => this.enter(),
      onBackspace: () => this.change(() => this.typing.erase()),
      onDelete: () => this.write([[this.model.cursor, ""]]),
      onUndo: () => this.change(() => this.typing.undo(), true),
      onRedo: () => this.change(() => this.typing.redo()),
      takesAtOnce: (text) => this.alphabet.isWrittenIn(text),
      clueOf: (slot) => `${nameOf(slot)}, ${this.clues.clueText(slot)}`,
      isDoubted: (slot) => this.#doubted.has(slot),
    });
    this.#lay(stage);
    // Submit what waits for more letters before the page is closed.
    addEventListener("pagehide", () => this.#submitWaiting());
    game.addEventListener("answer", ({ detail }) => this.#answered(detail));
    game.addEventListener("change", () => {
      for (const item of game.items) this.model.take(item);
      this.render();
    });
    this.render();
  }

  #lay(stage) {
    const { puzzle } = this.game;
    this.sheet = h(
      "div",
      { class: "board" },
      h("div", { class: "board-sheet" }, this.board.element),
    );
    const keys = onScreenKeys(this.alphabet.letters, {
      language: puzzle.language,
      direction: puzzle.direction,
      // Each letter has a key here: none waits for the rest of a digraph.
      onType: (letter) => this.change(() => this.typing.type(letter, true)),
      onBackspace: () => this.change(() => this.typing.erase()),
      onTurn: () => this.move(() => this.model.turn()),
    });
    this.room = inRoom(this.sheet);
    this.foot = h("div", { class: "crossword-foot" }, this.clues.bar, keys);
    // Where squares are small, the word here is also shown in large ones.
    const sizes = new ResizeObserver(() => {
      stage.style.setProperty("--foot", `${this.foot.offsetHeight}px`);
      this.clues.enlarge(this.board.element.clientWidth / puzzle.cols < LARGE);
      if (!this.#isElsewhere()) this.#uncover();
    });
    sizes.observe(this.board.element);
    sizes.observe(this.foot);
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
        this.room,
        this.foot,
      ),
      h(
        "section",
        { class: "words", "aria-label": gettext("Clues") },
        h("div", { class: "crossword-tools" }, toggle),
        this.clues.element,
      ),
    );
  }

  render() {
    this.board.render([...this.#waiting.keys()].flatMap((slot) => slot.cells));
    this.clues.render();
  }

  /** Whether the focus is outside the grid and the foot: the page must not scroll away from it. */
  #isElsewhere() {
    const focused = document.activeElement;
    return (
      focused !== document.body &&
      !this.board.element.contains(focused) &&
      !this.foot.contains(focused)
    );
  }

  /** Scroll board and page so that the word here is seen and nothing that sticks covers it. */
  #uncover() {
    const slot = this.model.slotHere;
    // Somebody who writes beside a clue looks at the list.
    if (!slot || !this.room || document.activeElement?.matches(".clue-field")) return;
    const room = this.room.getBoundingClientRect();
    this.#bring(slot, room.top, room.bottom, this.room);
    if (getComputedStyle(this.foot).position !== "sticky") return;
    // The device's own keyboard may lie on the foot.
    const view = visualViewport?.scale === 1 ? visualViewport.height : innerHeight;
    this.#bring(
      slot,
      STRIP.getBoundingClientRect().height + MARGIN,
      Math.min(view, innerHeight - this.foot.offsetHeight) - MARGIN,
      window,
    );
  }

  /** Scroll so that a word, or at least its square with the focus, is between two heights. */
  #bring(slot, top, bottom, scroller) {
    const word = this.board.box(slot.cells);
    const isTooLong = word.bottom - word.top > bottom - top;
    const { top: from, bottom: to } = isTooLong ? this.board.box([this.model.cursor]) : word;
    if (from < top) scroller.scrollBy({ top: from - top, behavior: "instant" });
    else if (to > bottom) scroller.scrollBy({ top: to - bottom, behavior: "instant" });
  }

  // ---- moving ----

  move(move, focus = false) {
    this.typing.end();
    this.#justSent.clear();
    const before = this.model.slotHere;
    move();
    if (this.model.slotHere === before) this.#submitSettled();
    else this.#submitWaiting();
    this.render();
    this.clues.reveal();
    if (focus) this.board.focus();
    this.#uncover();
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

  /** Do what changes letters and returns their cells; submit the words that this fills. */
  change(act, isTakenBack = false) {
    if (this.game.isFinished) return;
    this.#justSent.clear();
    const full = new Set(this.model.slots.filter((slot) => this.model.isFull(slot)));
    const cells = act();
    for (const cell of cells) this.draft.set(key(cell), this.model.letter(cell));
    this.board.mark(cells, false);
    const slots = new Set(cells.flatMap((cell) => this.model.slotsAt(cell)));
    for (const slot of slots) this.#doubted.delete(slot);
    // All letters of a word may have been there before: from the words that cross it.
    if (this.typing.isTypedToEnd(this.model.slotHere)) slots.add(this.model.slotHere);
    for (const slot of slots) {
      // A word is submitted when its last gap is filled. If a full word is typed over, it is
      // submitted after its last letter: the steps in between are not answers.
      const isTypedOver = full.has(slot) && this.#waiting.get(slot) !== false;
      const isAnswer = this.model.isFull(slot) && !isOpen(this.game.item(slot.id));
      if (isAnswer && !isTakenBack) this.#waiting.set(slot, isTypedOver);
      else this.#waiting.delete(slot);
    }
    this.#submitSettled();
    this.#wait();
    this.render();
    this.#uncover();
  }

  write(letters, isHelp = false) {
    this.change(() => this.typing.write(letters, isHelp));
  }

  /** Answer with a whole word typed beside its clue; return a problem in words, or null. */
  answer(slot, text) {
    const typed = this.alphabet.tiles(text).length;
    if (!typed) return null;
    const letters = this.typing.answer(slot, text);
    if (!letters) {
      return format(
        ngettext(
          "%(name)s has %(length)s letter; you typed %(typed)s.",
          "%(name)s has %(length)s letters; you typed %(typed)s.",
          slot.cells.length,
        ),
        { name: nameOf(slot), length: slot.cells.length, typed },
      );
    }
    this.write(letters);
    this.#submitIfFull(slot);
    return null;
  }

  // ---- answers ----

  /** Wait for the next key, and submit what is full if none comes. */
  #wait() {
    clearTimeout(this.#pause);
    if (!this.#waiting.size) return;
    this.#pause = setTimeout(() => {
      const here = this.model.slotHere;
      const slot = this.#waiting.has(here) ? here : this.#waiting.keys().next().value;
      if (!slot) return; // submitted meanwhile
      this.live.say(
        format(gettext("Press Enter or wait a moment to check %(name)s."), { name: nameOf(slot) }),
      );
      this.#pause = setTimeout(() => this.#submitWaiting(), SUBMITTING);
    }, TELLING);
  }

  /** Submit the words that no further key can change. */
  #submitSettled() {
    for (const [slot, isTypedOver] of this.#waiting) {
      const isTyped = !isTypedOver || this.typing.isTypedToEnd(slot);
      if (isTyped && this.typing.isSettled(slot)) this.#submitIfFull(slot);
    }
  }

  /**
   * Submit the word here and those that wait; return whether there were any. Enter after the last
   * letter of a word that was submitted by itself means that word: it must not turn to another.
   */
  enter() {
    const slot = this.model.slotHere;
    if (slot && this.#isNewAnswer(slot)) this.#waiting.set(slot, false);
    return this.#submitWaiting() || this.#justSent.has(slot);
  }

  /** Submit all words that wait; return whether there were any. */
  #submitWaiting() {
    const slots = [...this.#waiting.keys()];
    clearTimeout(this.#pause);
    slots.forEach((slot) => this.#submitIfFull(slot));
    if (slots.length) this.render();
    return slots.length > 0;
  }

  #submitIfFull(slot) {
    this.#waiting.delete(slot);
    if (this.#isNewAnswer(slot)) this.#submit(slot, this.model.pattern(slot));
  }

  #isNewAnswer(slot) {
    return (
      this.model.isFull(slot) &&
      !isOpen(this.game.item(slot.id)) &&
      this.#asked.get(slot.id) !== this.model.pattern(slot).join(" ")
    );
  }

  async #submit(slot, tiles) {
    this.#justSent.add(slot);
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
        if (this.model.pattern(slot).join(" ") === attempt.tiles.join(" ")) this.#doubted.add(slot);
        this.sound.chime("wrong");
        this.live.say(this.#whyWrong(slot, attempt.tiles), "wrong");
        this.render();
      }
      return;
    }
    if (!answer.item) return;
    this.model.take(answer.item);
    this.board.mark(slot.cells, false);
    if (answer.outcome !== "found") return;
    this.sound.chime("right");
    this.sound.playIfOn(answer.item.clue.sound);
    const said = [foundSentence(answer.item, answer), answer.note].filter(Boolean).join(" ");
    const next = this.#goOn(slot);
    this.live.say(
      next
        ? h("span", {}, `${said} `, h("b", {}, nameOf(next)), ": ", this.clues.seenText(next))
        : said,
      "right",
    );
  }

  /** After a word was found: go to the next one that is open, and return it. */
  #goOn(slot) {
    if (this.model.slotHere !== slot) return null; // the student is elsewhere already
    const at = this.model.slots.indexOf(slot);
    const next = [...this.model.slots.slice(at + 1), ...this.model.slots.slice(0, at)].find(
      (one) => !isOpen(this.game.item(one.id)),
    );
    if (!next) return null;
    this.move(() => this.model.enter(next));
    // Enter after the last letter of the word that was found must not turn from this one.
    this.#justSent.add(next);
    return next;
  }

  /** What is wrong with a full word, as far as the student knows the others. */
  #whyWrong(slot, tiles) {
    const other = this.model.slots.find((one) => {
      const item = this.game.item(one.id);
      return one !== slot && item.found && item.tiles?.join(" ") === tiles.join(" ");
    });
    if (other) {
      return format(gettext("%(word)s is %(other)s. %(name)s is another word."), {
        word: this.game.item(other.id).term,
        other: nameOf(other),
        name: nameOf(slot),
      });
    }
    return format(gettext("%(name)s is not correct yet."), { name: nameOf(slot) });
  }

  /** Empty the squares of the word here, but for those of words that are open. */
  #clear() {
    const slot = this.model.slotHere;
    this.board.focus();
    if (!slot || isOpen(this.game.item(slot.id))) return;
    this.write(slot.cells.map((cell) => [cell, ""]));
    this.move(() => this.model.enter(slot));
    this.live.say(format(gettext("%(name)s is empty again."), { name: nameOf(slot) }));
  }

  /** Empty the squares that a check has marked. */
  #clearWrong() {
    this.board.focus();
    const wrong = this.board.marked;
    if (!wrong.length) {
      this.live.say(gettext("No wrong letters are marked. Check a word first."));
      return;
    }
    this.write(wrong.map((cell) => [cell, ""]));
    this.live.say(
      format(
        ngettext(
          "%(count)s wrong letter was removed.",
          "%(count)s wrong letters were removed.",
          wrong.length,
        ),
        { count: wrong.length },
      ),
    );
  }

  /**
   * Check a letter, the word here, or this word and all that are full: a check counts as help, which
   * a word that has no letters but those of other words was not given.
   */
  async check(scope) {
    this.board.focus();
    const here = this.model.slotHere;
    const slots = this.model.slots.filter(
      (slot) =>
        (slot === here || (scope === "all" && this.model.isFull(slot))) &&
        !isOpen(this.game.item(slot.id)),
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
      // Letters of open words are right: asking about no others would be help for nothing.
      const isKnown = slot.cells.every((cell, i) => !tiles[i] || this.model.isLocked(cell));
      if (isKnown && !tiles.every(Boolean)) continue;
      this.#explicit.add(slot.id);
      const { answer, error } = await this.#submit(slot, tiles);
      this.#explicit.delete(slot.id);
      if (error) throw error;
      wrong += answer?.wrong_cells?.length ?? 0;
    }
    this.render();
    if (!asked) {
      this.live.say(gettext("There is nothing to check yet. Type some letters first."));
    } else if (wrong) {
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
    const { cursor } = this.model;
    const hint = await this.game.hint(slot.id, kind, kind === "letter" ? cursor : null);
    this.write(
      hint.cells.map((cell, i) => [cell, hint.tiles[i]]),
      true,
    );
    // The next key is for what is still missing, not for the letter that was just shown.
    if (kind === "letter" && this.model.slotHere === slot && same(this.model.cursor, cursor)) {
      this.move(() => this.model.toGap());
    }
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

  get first() {
    return gettext("Choose a clue, then type its letters.");
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
      { label: gettext("Clear this word"), act: () => this.#clear() },
      { label: gettext("Clear wrong letters"), act: () => this.#clearWrong() },
    ];
  }
}

play((page) => new Crossword(page));
