// Brings the cited words into the middle third of what scrolls, and flashes them once.

export async function markPlace(body) {
  const mark = findMark(body);
  if (!mark) return;
  // Pictures have their size in the page, so the place is known before they arrive.
  mark.scrollIntoView({ block: "center" });
  const shown = mark.closest(".leaf") ?? mark;
  shown.classList.add("flash");
  shown.addEventListener("animationend", () => shown.classList.remove("flash"), { once: true });
}

function findMark(body) {
  return body.querySelector(".leaf rect.mark");
}
