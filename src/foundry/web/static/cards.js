// The card of a citation: opens on hover and focus, leads through the sources of its sentence.

const OPEN_MS = 120;
const CLOSE_MS = 200;
let open = null;
let timer = 0;

export function watchCards() {
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const cite = findCite(event.target);
    if (cite) plan(() => show(cite), OPEN_MS);
    else if (open && event.target.closest(".card") === open.card) clearTimeout(timer);
    else if (open) plan(hide, CLOSE_MS);
  });
  document.addEventListener("focusin", (event) => {
    const cite = findCite(event.target);
    if (cite && cite.matches(":focus-visible")) show(cite);
    else if (open && !open.card.contains(event.target) && event.target !== open.cite) hide();
  });
  document.addEventListener("keydown", (event) => {
    if (!open) return;
    if (event.key === "Escape") {
      const inside = open.card.contains(document.activeElement);
      const { cite } = open;
      // The focus first: on a number without its card it would open the card again.
      if (inside) cite.focus();
      hide();
      event.stopPropagation();
    } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      step(event.key === "ArrowRight" ? 1 : -1, event);
    }
  }, true);
  // A finger cannot hover: its first tap on a number opens the card, the second one the source.
  document.addEventListener("click", (event) => {
    const cite = findCite(event.target);
    if (!cite || cite === open?.cite || !isTouch(event)) return;
    show(cite);
    if (open) event.preventDefault();
  }, true);
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".card [data-step]");
    if (button) step(Number(button.dataset.step), event, true);
  });
  document.addEventListener("pointerdown", (event) => {
    if (open && !event.target.closest(".card, .cite")) hide();
  });
  document.addEventListener("renewed", () => {
    if (!open) return;
    const again = findAgain(open.cite);
    open = null;
    if (again) show(again);
  });
}

// A whole answer replaces the sentences and passages that came before it; citations keep their ids.
export function findAgain(cite) {
  if (!cite || cite.isConnected) return cite;
  const { card, passage } = cite.dataset;
  if (passage) return [...document.querySelectorAll(`.cite[data-passage="${passage}"]`)].at(-1);
  return document.querySelector(`.cite[data-card="${card}"]`);
}

function findCite(target) {
  return target.closest?.(".cite[data-card]");
}

function isTouch(event) {
  return event.pointerType ? event.pointerType === "touch" : matchMedia("(hover: none)").matches;
}

function plan(action, delay) {
  clearTimeout(timer);
  timer = setTimeout(action, delay);
}

export function hide() {
  clearTimeout(timer);
  if (!open) return;
  open.cite.removeAttribute("aria-expanded");
  open.card.hidePopover?.();
  open = null;
}

// A card that opened by hovering never takes the focus.
function show(cite) {
  clearTimeout(timer);
  if (open?.cite === cite || !document.contains(cite)) return;
  hide();
  const card = document.getElementById(cite.dataset.card);
  if (!card?.showPopover) return;
  const picture = card.querySelector("img[data-src]");
  if (picture) {
    picture.addEventListener("load", () => { picture.hidden = false; }, { once: true });
    picture.src = picture.dataset.src;
    delete picture.dataset.src;
  }
  card.showPopover({ source: cite });
  if (!CSS.supports("position-area", "block-end")) place(card, cite);
  cite.setAttribute("aria-expanded", "true");
  open = { cite, card };
}

// For browsers without anchor positioning.
function place(card, cite) {
  const at = cite.getBoundingClientRect();
  const below = at.bottom + card.offsetHeight < innerHeight || at.top < card.offsetHeight;
  card.style.setProperty("top", `${below ? at.bottom : at.top - card.offsetHeight - 12}px`);
  card.style.setProperty("left", `${Math.max(8, Math.min(at.left, innerWidth - card.offsetWidth - 8))}px`);
}

function step(by, event, stay = false) {
  const cites = [...open.cite.closest(".sentence").querySelectorAll(".cite[data-card]")];
  if (cites.length < 2) return;
  event.preventDefault();
  const inside = stay || open.card.contains(document.activeElement);
  const next = cites[(cites.indexOf(open.cite) + by + cites.length) % cites.length];
  show(next);
  const button = open.card.querySelector(`[data-step="${by}"]`);
  (inside && button ? button : next).focus();
}
