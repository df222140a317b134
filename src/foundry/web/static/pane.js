// The source beside the answer, at the cited words; its address is in that of the page.
import { findAgain, hide as hideCard } from "./cards.js";
import { letScroll, markPlace, paintFound, paintMarks } from "./marks.js";
import { at, build, parseFragment, request } from "./requests.js";

const frame = document.getElementById("frame");
const pane = document.getElementById("pane");
const main = document.getElementById("main");
let opener = null;

export function watchPane() {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target.closest("a.cite, a[data-pane]");
    if (!link || document.body.dataset.whole) return;
    event.preventDefault();
    open(link.getAttribute("href"), { opener: findCite(link) });
  });
  pane.addEventListener("click", act);
  pane.addEventListener("submit", search);
  addEventListener("popstate", restore);
  document.addEventListener("renewed", () => {
    opener = opener && findAgain(opener);
    opener?.classList.add("current");
  });
  addEventListener("keydown", pressKey);
  watchDivider();
  const body = document.querySelector("main .body");
  if (body) show(body);
  document.querySelector("main .viewer")?.addEventListener("click", act);
  document.querySelector("main .viewer")?.addEventListener("submit", search);
  restore();
}

// The citation in the text to which the card of a link belongs.
function findCite(link) {
  const card = link.closest(".card");
  return card ? document.querySelector(`.cite[data-card="${card.id}"]`) : link;
}

async function open(href, { opener: from = null, push = true } = {}) {
  hideCard();
  opener?.classList.remove("current");
  opener = from ?? opener;
  opener?.classList.add("current");
  const signal = supersede(pane);
  const focused = document.activeElement;
  const waiting = setTimeout(showWaiting, pane.hidden ? 0 : 200);
  pane.setAttribute("aria-busy", "true");
  let shown;
  try {
    const reply = await request(href, { headers: { "X-Pane": "1" }, signal });
    shown = [parseFragment(await reply.text())];
  } catch (error) {
    if (signal.aborted) return;
    shown = describeProblem(error);
  } finally {
    clearTimeout(waiting);
  }
  pane.replaceChildren(...shown);
  pane.words = "";
  pane.removeAttribute("aria-busy");
  split(true);
  if (push) {
    const address = new URL(location.href);
    address.searchParams.set("pane", href);
    const already = new URL(location.href).searchParams.has("pane");
    history[already ? "replaceState" : "pushState"]({ pane: href }, "", address);
  }
  const body = pane.querySelector(".body");
  if (body) show(body);
  // Who went on elsewhere while it loaded stays there.
  if ([focused, pane, document.body].includes(document.activeElement)) pane.focus({ preventScroll: true });
}

function show(body) {
  markPlace(body);
  layWords(body);
}

// The words of the pages, unseen over their pictures: to be selected, found and read aloud.
async function layWords(body) {
  const viewer = body.closest(".pane, .viewer");
  const { words } = body.dataset;
  // The picture that somebody waits for comes first.
  await Promise.allSettled([...body.querySelectorAll("img[loading=eager]")].map((picture) => picture.decode()));
  if (!body.isConnected) return;
  const text = words && (await tryRequest(viewer, words));
  if (text && body.isConnected) {
    for (const layer of [...parseFragment(text).children]) body.querySelector(`#page-${layer.dataset.page}:not(:has(.words))`)?.append(layer);
  }
  if (body.isConnected) paintFound(body, viewer.words ?? "");
}

// Only what was asked for last is shown: an earlier reply may come later.
const latest = new WeakMap();

function supersede(viewer) {
  latest.get(viewer)?.abort();
  const request = new AbortController();
  latest.set(viewer, request);
  return request.signal;
}

// The title of what comes, above empty lines.
function showWaiting() {
  const lines = build("div", { class: "waiting", role: "status", "aria-label": pane.dataset.loading });
  pane.replaceChildren(buildBar(), lines);
  split(true);
  pane.focus({ preventScroll: true });
}

function close({ push = true } = {}) {
  supersede(pane);
  if (pane.hidden) return;
  split(false);
  pane.replaceChildren();
  opener?.classList.remove("current");
  opener?.focus({ preventScroll: false });
  opener = null;
  if (!push) return;
  if (history.state?.pane) {
    history.back();
    return;
  }
  const address = new URL(location.href);
  address.searchParams.delete("pane");
  history.replaceState(null, "", address);
}

// Beside a source the answer scrolls by itself; the citation stays where it was on the screen.
function split(on) {
  const before = opener?.getBoundingClientRect().top;
  pane.hidden = !on;
  frame.classList.toggle("split", on);
  if (before === undefined) return;
  for (const box of [main, document.scrollingElement]) box.scrollBy(0, opener.getBoundingClientRect().top - before);
}

function describeProblem(error) {
  const title = findTitle();
  const words = error.status === 404 && title ? pane.dataset.gone.replace("%", title) : error.message;
  return [buildBar(), build("p", { class: "banner", role: "alert" }, words)];
}

function buildBar() {
  const close = build("button", { type: "button", class: "close", "data-close": "", "aria-label": pane.dataset.close }, "×");
  return build("div", { class: "bar" }, build("p", { class: "title" }, findTitle()), close);
}

function findTitle() {
  const card = document.getElementById(opener?.dataset.card ?? "");
  const entry = card ?? opener?.closest("li");
  return (entry?.querySelector(".title") ?? entry?.querySelector("a"))?.textContent ?? "";
}

function restore() {
  const wanted = new URL(location.href).searchParams.get("pane");
  // Only our own pages: an address may have been made by anybody.
  const own = at("/sources/");
  if (wanted?.startsWith(own) && /^\w+$/.test(new URL(wanted, location.origin).pathname.slice(own.length))) open(wanted, { push: false });
  else close({ push: false });
}

function pressKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
  const writing = event.target.closest?.("input, textarea, select");
  if (event.key === "Escape" && !writing) close();
  // Letters are shortcuts only where the focus is in the source: elsewhere they may be anything.
  if (!pane.contains(event.target) || writing) return;
  if (event.key === "n" || event.key === "p") step(event.key === "n" ? 1 : -1);
  else if (event.key === "/") pane.querySelector("input[type=search]")?.focus();
  else return;
  event.preventDefault();
}

function step(by) {
  const cites = [...document.querySelectorAll(".text .cite, .passages .cite")];
  if (!cites.length) return;
  const at = cites.indexOf(opener);
  const next = cites[(at + by + cites.length) % cites.length];
  next.scrollIntoView({ block: "nearest" });
  open(next.getAttribute("href"), { opener: next });
}

function act(event) {
  const button = event.target.closest("button, a[data-load]");
  if (!button) return;
  const viewer = button.closest(".pane, .viewer");
  const { dataset } = button;
  if ("close" in dataset) close();
  else if (dataset.walk) step(Number(dataset.walk));
  else if (dataset.zoom) zoom(viewer, Number(dataset.zoom));
  else if (dataset.link) copyLink(button);
  else if ("load" in dataset) loadMore(event, button);
  else if (dataset.found) walkFound(viewer, Number(dataset.found));
}

// What is in the middle of the screen stays there.
function zoom(viewer, by) {
  const now = Number(viewer.style.getPropertyValue("--zoom") || 1);
  const { left, width } = viewer.getBoundingClientRect();
  const middle = innerHeight * 0.6;
  const spot = document.elementFromPoint(left + width / 2, middle)?.closest(".leaf, .prose [data-start]");
  const before = spot?.getBoundingClientRect();
  viewer.style.setProperty("--zoom", String(Math.min(3, Math.max(0.5, now * by))));
  letScroll(viewer);
  if (!spot) return;
  const { top, height } = spot.getBoundingClientRect();
  findScroller(viewer).scrollBy(0, top + (height * (middle - before.top)) / before.height - middle);
}

function findScroller(inside) {
  return inside.closest("aside.pane") ?? document.scrollingElement;
}

async function copyLink(button) {
  const address = new URL(button.dataset.link, location.origin).href;
  try {
    await navigator.clipboard.writeText(address);
    button.textContent = "✓";
  } catch {
    // Without HTTPS a browser lends no clipboard: the address is there to be copied by hand.
    button.replaceWith(build("input", { readonly: "", value: address, "aria-label": button.textContent }));
  }
}

// Pages or paragraphs join those that are shown; the link then leads to what comes beyond them.
async function loadMore(event, link) {
  event.preventDefault();
  const { load } = link.dataset;
  const body = link.closest(".body");
  const text = await tryRequest(body.closest(".pane, .viewer"), link.getAttribute("href"));
  // Meanwhile another place may be shown, or the link be used already.
  if (!text || !link.isConnected) return;
  const more = parseFragment(text).querySelector(".body");
  const scroller = findScroller(body);
  const { scrollHeight } = scroller;
  for (const part of [".prose", ".leaves"]) {
    const fresh = [...more.querySelectorAll(`${part} > *`)].filter((node) => !node.id || !body.querySelector(`#${CSS.escape(node.id)}`));
    body.querySelector(part)?.[load === "before" ? "prepend" : "append"](...fresh);
  }
  const next = more.querySelector(`a[data-load="${load}"]`);
  if (next) link.replaceWith(next);
  else link.remove();
  paintMarks(body);
  if (more.dataset.words) body.dataset.words = more.dataset.words;
  layWords(body);
  // What was on screen stays there when something comes in above it.
  if (load === "before") scroller.scrollTop += scroller.scrollHeight - scrollHeight;
}

// The text of a reply. A failure is said in the bar of the source, which stays as it is.
async function tryRequest(viewer, address, signal) {
  const problem = viewer.querySelector(".bar output");
  try {
    const reply = await request(address, { headers: { "X-Pane": "1" }, signal });
    return await reply.text();
  } catch (error) {
    if (!signal?.aborted) problem.textContent = error.message;
    return null;
  }
}

async function search(event) {
  const form = event.target.closest("form[data-find]");
  if (!form) return;
  event.preventDefault();
  const viewer = form.closest(".pane, .viewer");
  const words = form.elements.words.value.trim();
  const count = form.querySelector("output");
  if (!words) return;
  const text = await tryRequest(viewer, `${form.dataset.find}?${new URLSearchParams({ words })}`, supersede(viewer));
  if (!text) return;
  viewer.found = JSON.parse(text).places;
  viewer.words = words;
  paintFound(viewer.querySelector(".body"), words);
  viewer.foundAt = -1;
  form.classList.toggle("many", viewer.found.length > 1);
  count.textContent = String(viewer.found.length);
  if (viewer.found.length) walkFound(viewer, 1);
}

async function walkFound(viewer, by) {
  const { found = [] } = viewer;
  if (!found.length) return;
  viewer.foundAt = (viewer.foundAt + by + found.length) % found.length;
  viewer.querySelector("form[data-find] output").textContent = `${viewer.foundAt + 1}/${found.length}`;
  const text = await tryRequest(viewer, found[viewer.foundAt], supersede(viewer));
  if (!text) return;
  const body = parseFragment(text).querySelector(".body");
  viewer.querySelector(".body").replaceWith(body);
  show(viewer.querySelector(".body"));
}

function watchDivider() {
  const divider = document.getElementById("divider");
  const set = (share) => {
    const kept = Math.min(75, Math.max(25, share));
    frame.style.setProperty("--share", `${kept}%`);
    divider.setAttribute("aria-valuenow", String(Math.round(kept)));
    localStorage.setItem("share", String(kept));
  };
  set(Number(localStorage.getItem("share")) || 50);
  let from = 0;
  divider.addEventListener("pointerdown", (event) => {
    from = event.clientX;
    divider.setPointerCapture(event.pointerId);
  });
  // Whoever cannot drag clicks: narrow, half, wide.
  divider.addEventListener("click", (event) => {
    if (event.detail && Math.abs(event.clientX - from) > 3) return;
    const now = Number(divider.getAttribute("aria-valuenow"));
    set([35, 50, 65].find((share) => share > now + 1) ?? 35);
  });
  divider.addEventListener("pointermove", (event) => {
    if (divider.hasPointerCapture(event.pointerId)) set((event.clientX / frame.clientWidth) * 100);
  });
  divider.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -4, ArrowRight: 4 }[event.key];
    if (by) set(Number(divider.getAttribute("aria-valuenow")) + by);
  });
}
