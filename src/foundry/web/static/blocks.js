// A source as read: a block and its box on the page are marked together, whichever is chosen.

export function watchBlocks() {
  const view = document.querySelector(".as-read");
  if (!view) return;
  view.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#block-"], a[href^="#box-"]');
    const number = (link?.getAttribute("href") ?? event.target.closest("li[id^=block-]")?.id)?.split("-").pop();
    if (!number || (!link && event.target.closest("a, button, input"))) return;
    if (link) event.preventDefault();
    choose(view, number, link?.getAttribute("href").startsWith("#block-"));
  });
  const asked = /^#(?:block|box)-(\d+)$/.exec(location.hash)?.[1] ?? view.dataset.chosen;
  if (asked) choose(view, asked, view.querySelector(".blocks") !== null);
}

// The one that was not clicked is brought into view.
function choose(view, number, toBlock) {
  const [block, box] = [`block-${number}`, `box-${number}`].map((id) => document.getElementById(id));
  for (const other of view.querySelectorAll(".chosen")) other.classList.remove("chosen");
  block?.classList.add("chosen");
  box?.classList.add("chosen");
  if (!block) return;
  history.replaceState(history.state, "", `#block-${number}`);
  const target = toBlock ? block : box;
  target?.scrollIntoView({ block: "nearest", behavior: "smooth" });
  if (toBlock) block.focus({ preventScroll: true });
}
