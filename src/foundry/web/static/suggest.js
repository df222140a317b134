// The field for a document, which finds documents by name, title or tag; and questions to begin with.
import { at, build, parseFragment, request } from "./requests.js";

const WAIT_MS = 150;
const MOST = 12;

export function watchSuggestions() {
  const field = document.querySelector("input[list=documents]");
  if (!field) return;
  let timer = 0;
  for (const kind of ["focus", "input"]) {
    field.addEventListener(kind, () => {
      clearTimeout(timer);
      timer = setTimeout(() => suggest(field), WAIT_MS);
    });
  }
}

// Questions to begin with are each asked first, which takes seconds once.
export function watchStarters() {
  loadStarters();
  document.addEventListener("refreshed", loadStarters);
}

async function loadStarters() {
  const place = document.querySelector("[data-suggest]");
  if (!place) return;
  const address = place.dataset.suggest;
  delete place.dataset.suggest;
  place.querySelector(".working").hidden = false;
  try {
    place.replaceChildren(parseFragment(await (await request(address)).text()));
  } catch {
    place.remove();
  }
}

async function suggest(field) {
  const words = field.value;
  try {
    const reply = await request(at(`/api/v2/sources?${new URLSearchParams({ q: words, limit: MOST })}`));
    const { sources } = await reply.json();
    if (field.value !== words) return;
    field.list.replaceChildren(...sources.map(({ path, title }) => build("option", { value: path, label: title })));
  } catch {
    // Without suggestions a path can still be typed.
  }
}
