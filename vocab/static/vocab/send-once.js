// What takes long to answer is sent once: a second click, or another script, does nothing until the
// next page is there.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !form.matches("[data-send-once]")) return;
  if (form.dataset.sending) {
    event.preventDefault();
    return;
  }
  form.dataset.sending = "yes";
  // Not before its values are collected: those of disabled buttons are left out.
  setTimeout(() => setSending(form, true));
});

function setSending(form, isSending) {
  for (const button of form.querySelectorAll("[type=submit]")) button.disabled = isSending;
  if (!isSending) delete form.dataset.sending;
}

// After going back, the browser may show the page as it was left.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-sending]")) setSending(form, false);
});
