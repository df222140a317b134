// Marks the cited words, brings them into the middle third of what scrolls, flashes them once.
//
// On a page the server has placed boxes. In a text an element with data-start and data-end contains
// exactly that part of the source, in code points, so a span becomes ranges: the document itself
// is not changed, and copying gives the source's own words.

export function markPlace(body) {
  letScroll(body);
  const here = paintMarks(body);
  const mark = body.querySelector(".leaf rect.here") ?? here[0]?.startContainer.parentElement;
  if (!mark) return;
  // Pictures have their size in the page, so the place is known before they arrive.
  mark.scrollIntoView({ block: "center", inline: mark.closest(".leaf") ? "start" : "nearest" });
  const shown = mark.closest(".leaf") ?? mark.closest("[data-start]") ?? mark;
  shown.classList.add("flash");
  shown.addEventListener("animationend", () => shown.classList.remove("flash"), { once: true });
}

// Pages that are wider than their frame can be scrolled with the keyboard, too.
export function letScroll(viewer) {
  const leaves = viewer.querySelector(".leaves");
  if (leaves) leaves.tabIndex = leaves.scrollWidth > leaves.clientWidth ? 0 : -1;
}

// All places of a text where words are, whatever their case, within its elements of a kind.
export function paintFound(body, words) {
  const pattern = words.trim().split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+");
  paint("found", words.trim() ? [...body.querySelectorAll(".prose, svg.words")].flatMap((part) => findAll(part, new RegExp(pattern, "giu"))) : []);
}

function findAll(part, pattern) {
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const nodes = [];
  let text = "";
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  const locate = (at) => nodes.findLast(({ start }) => start <= at);
  return [...text.matchAll(pattern)].slice(0, 500).map(({ 0: { length }, index }) => {
    const range = document.createRange();
    const [first, last] = [locate(index), locate(index + length - 1)];
    range.setStart(first.node, index - first.start);
    range.setEnd(last.node, index + length - last.start);
    return range;
  });
}

// All that is cited together: the place itself, other ones, and the header of a table, paler.
export function paintMarks(body) {
  const find = (kind) => (body.dataset[kind] ?? "").split(" ").filter(Boolean)
    .flatMap((place) => findRanges(body, ...place.split("-").map(Number)));
  const here = find("here");
  paint("cited", [...here, ...find("other")]);
  paint("head", find("head"));
  return here;
}

function findRanges(body, start, end) {
  const elements = [...body.querySelectorAll("[data-start]")].filter((element) => element !== body);
  return elements
    .map((element) => ({ element, first: Number(element.dataset.start), last: Number(element.dataset.end) }))
    .filter(({ first, last }) => first < end && last > start)
    .map(({ element, first, last }) => makeRange(element, Math.max(start, first) - first, Math.min(end, last) - first))
    .filter(Boolean);
}

function makeRange(element, from, to) {
  const range = document.createRange();
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let passed = 0;
  let begun = false;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const points = [...node.data];
    const index = (point) => points.slice(0, point - passed).join("").length;
    if (!begun && from < passed + points.length) {
      range.setStart(node, index(from));
      begun = true;
    }
    if (begun && to <= passed + points.length) {
      range.setEnd(node, index(to));
      return range;
    }
    passed += points.length;
  }
  return null;
}

function paint(name, ranges) {
  if (CSS.highlights) {
    CSS.highlights.set(name, new Highlight(...ranges));
    return;
  }
  for (const range of ranges) range.startContainer.parentElement.closest("[data-start]").classList.add(name);
}
