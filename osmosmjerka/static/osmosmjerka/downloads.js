// A form that downloads a file and changes what its page says: the page is loaded again when the
// file has come. A download tells a page nothing, so the server answers with a cookie that has the
// mark of the form.

const EVERY = 250;

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!("reloadAfterDownload" in form.dataset)) return;
  const mark = crypto.getRandomValues(new Uint32Array(4)).join("");
  let field = form.elements.namedItem("download");
  if (!field) {
    field = document.createElement("input");
    field.type = "hidden";
    field.name = "download";
    form.append(field);
  }
  field.value = mark;
  const watch = setInterval(() => {
    if (!document.cookie.split("; ").includes(`downloaded=${mark}`)) return;
    clearInterval(watch);
    document.cookie = "downloaded=; max-age=0; path=/";
    history.scrollRestoration = "manual"; // to the message at the top
    location.reload();
  }, EVERY);
  // The answer was a page instead.
  addEventListener("pagehide", () => clearInterval(watch), { once: true });
});
