// Work that the server does by itself: the page follows it, and shows what came of it.
import { refresh } from "./queue.js";

const POLL_MS = 1000;

export function watchWork() {
  if (document.querySelector("[data-working]")) setTimeout(poll, POLL_MS);
}

async function poll() {
  try {
    await refresh();
  } catch {
    const status = document.querySelector("[data-working] [data-lost]");
    status?.replaceChildren(status.dataset.lost);
  }
  if (document.querySelector("[data-working]")) setTimeout(poll, POLL_MS);
  else location.reload();
}
