// Meaningful animations, and none if the device or the student's account asks for less motion.

export const isCalm = () =>
  document.documentElement.dataset.motion === "less" ||
  matchMedia("(prefers-reduced-motion: reduce)").matches;

const at = (x) => ({ transform: `translateX(${x}px)` });

/** A short shake; the live region says the same in words. */
export function shake(element) {
  if (isCalm()) return;
  element.animate([at(0), at(-5), at(5), at(-3), at(3), at(0)], {
    duration: 280,
    easing: "ease-out",
  });
}
