// Elements without a library: h("button", {class: "icon-button", onclick: f}, "text", child).

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(
    ...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A board in the room that the window has for it. */
export const inRoom = (board) => h("div", { class: "board-room" }, board);

const ICONS = {
  speaker: "M4 9v6h4l5 4V5L8 9H4zM16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12",
  muted: "M4 9v6h4l5 4V5L8 9H4zM17 9.5l5 5M22 9.5l-5 5",
  check: "M5 12.5l4.5 4.5L19 7.5",
  cross: "M6 6l12 12M18 6L6 18",
  backspace: "M9 6h11a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H9l-6-6 6-6zM12 10l4 4M16 10l-4 4",
  turn: "M5 9h11a4 4 0 0 1 4 4v6M5 9l4-4M5 9l4 4",
  previous: "M15 6l-6 6 6 6",
  next: "M9 6l6 6-6 6",
  slow: "M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4M12 8v4.5l3 2",
  keyboard: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8",
};

export function icon(name) {
  return svg(
    "svg",
    {
      class: `icon icon--${name}`,
      viewBox: "0 0 24 24",
      "aria-hidden": "true",
      focusable: "false",
    },
    svg("path", { d: ICONS[name] }),
  );
}

/** A word's picture beside its meaning, which says the same; null without a URL. */
export function picture(url, more = {}) {
  return url
    ? h("img", {
        class: "word-picture",
        src: url,
        alt: "",
        width: 48,
        height: 48,
        loading: "lazy",
        ...more,
      })
    : null;
}

/** A picture that is the only clue: a press shows it as large as the window allows. */
export function pictureToEnlarge(url, onerror) {
  const enlarge = () => {
    const close = h(
      "button",
      { type: "button", class: "button button--primary", "data-close-dialog": true },
      gettext("Close"),
    );
    const dialog = h(
      "dialog",
      {
        class: "dialog picture-dialog",
        "aria-label": gettext("Picture"),
        onclose: () => dialog.remove(),
      },
      h("img", { src: url, alt: "" }),
      h("div", { class: "dialog-actions" }, close),
    );
    document.body.append(dialog);
    dialog.showModal();
  };
  return h(
    "button",
    {
      type: "button",
      class: "picture-button",
      "aria-label": gettext("Enlarge the picture"),
      onclick: enlarge,
    },
    picture(url, { loading: "eager", onerror }),
  );
}

/** Whether a key belongs to an input method. In Safari the last one comes after it, numbered 229. */
export const isComposing = (event) => event.isComposing || event.keyCode === 229;

/** A part of a page of ours, in which the server has escaped what people wrote. */
export function parsed(html) {
  return new DOMParser().parseFromString(html, "text/html").body;
}

/** Fill named placeholders of a translated sentence: format(sentence, {found: 3, total: 12}). */
export function format(sentence, values) {
  return interpolate(sentence, values, true);
}
