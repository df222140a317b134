// Documents: checks while typing, adding rows, progress of writing, a warning for unsaved text.
import { at, parseFragment, request } from "./requests.js";
import { follow } from "./tables.js";

const PAUSE_MS = 600;

export function watchDocuments() {
  for (const form of document.querySelectorAll("form[data-check]")) watchChecks(form);
  for (const form of document.querySelectorAll("form[data-unsaved]")) keepTyped(form);
  for (const button of document.querySelectorAll("button[data-add]")) offerRows(button);
  document.querySelector("form[data-write]")?.addEventListener("submit", write);
}

function watchChecks(form) {
  const found = form.querySelector("[data-found]");
  let timer = 0;
  let latest = new AbortController();
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      latest.abort();
      latest = new AbortController();
      try {
        const reply = await request(form.dataset.check, { method: "POST", headers: { "X-Part": "1" }, body: new URLSearchParams(new FormData(form)), signal: latest.signal });
        found.replaceChildren(parseFragment(await reply.text()));
      } catch (error) {
        if (error.name !== "AbortError") found.textContent = error.message;
      }
    }, PAUSE_MS);
  });
}

// Warn before leaving a page with unsaved text.
function keepTyped(form) {
  let typed = false;
  form.addEventListener("input", () => (typed = true));
  form.addEventListener("submit", () => (typed = false));
  addEventListener("beforeunload", (event) => {
    if (typed) event.preventDefault();
  });
}

function offerRows(button) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const rows = button.closest("form").querySelector("[data-rows]");
    const row = rows.lastElementChild.cloneNode(true);
    for (const field of row.querySelectorAll("input, select, textarea")) field.value = "";
    rows.append(row);
    row.querySelector("input").focus();
  });
}

function write(event) {
  event.preventDefault();
  const form = event.target;
  const { topic, feature, agent, overwrite, fresh } = form.elements;
  const body = {
    topic: topic.value,
    feature: feature.value || null,
    agent: agent.value || null,
    overwrite: overwrite?.checked ?? false,
    fresh: fresh?.checked ?? false,
  };
  follow(form, at("/api/v2/drafts/stream"), body, (draft) => {
    if (!draft) return form.dataset.stopped;
    if (!draft.path) return draft.sections.find((one) => one.reason)?.reason.text ?? form.dataset.nothing;
    location.assign(at(`/documents/drafts/${draft.path.split("/").map(encodeURIComponent).join("/")}`));
  });
}
