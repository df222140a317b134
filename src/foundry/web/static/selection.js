// The selected rows of a table, and the folder compared with what was read.
import { refresh, watchQueue } from "./queue.js";
import { at, parseFragment, request } from "./requests.js";

let last = null;

export function watchSelection() {
  start();
  document.addEventListener("refreshed", start);
  document.addEventListener("change", (event) => {
    if (event.target.matches("#selection [type=checkbox]")) show();
  });
  document.addEventListener("submit", act);
  document.addEventListener("click", (event) => {
    const box = event.target.closest("#selection [name=chosen]");
    if (box) select(box, event.shiftKey);
    const link = event.target.closest("[data-compare-now]");
    if (!link) return;
    event.preventDefault();
    compare(link.closest("form"));
  });
}

// A button of a row acts without leaving the list; the focus goes on to the next row that has one.
async function act(event) {
  const { submitter, target: form } = event;
  if (submitter?.name !== "one" || submitter.formAction.endsWith("/removal")) return;
  event.preventDefault();
  const alike = `button[formaction="${submitter.getAttribute("formaction")}"]`;
  const place = [...form.querySelectorAll(alike)].indexOf(submitter);
  const body = new URLSearchParams(new FormData(form, submitter));
  const reply = await request(submitter.formAction, { method: "POST", body });
  if (!reply.redirected) {
    // What was refused, and why.
    document.getElementById("main").replaceWith(parseFragment(await reply.text()).getElementById("main"));
    return;
  }
  // In this order: a job that ends in between is either followed or shown as done by the list.
  await watchQueue();
  await refresh();
  const left = [...document.querySelectorAll(alike)];
  (left[place] ?? left.at(-1) ?? document.getElementById("main")).focus();
}

function start() {
  last = null;
  const page = document.querySelector("#selection [data-page]");
  if (page) {
    page.hidden = false;
    page.addEventListener("change", () => {
      for (const box of listBoxes()) box.checked = page.checked;
    });
    show();
  }
  const folder = document.querySelector("#folder[data-compare]");
  if (folder) compare(folder);
}

async function compare(form) {
  const status = form.querySelector("[role=status]");
  try {
    const part = parseFragment(await (await request(at("/sources/folder"))).text());
    // A list that was refreshed meanwhile is compared again.
    if (form.isConnected) form.replaceWith(part.getElementById("folder"));
  } catch (error) {
    status.textContent = error.message;
  }
}

const listBoxes = () => [...document.querySelectorAll("#selection [name=chosen]")];

// With the shift key all rows from the last one.
function select(box, whole) {
  const boxes = listBoxes();
  const [from, to] = [boxes.indexOf(last), boxes.indexOf(box)].sort((one, other) => one - other);
  if (whole && from >= 0) for (const one of boxes.slice(from, to + 1)) one.checked = box.checked;
  last = box;
  show();
}

// What can be done with a selection is there once there is one.
function show() {
  const form = document.getElementById("selection");
  const boxes = listBoxes();
  const number = boxes.filter((box) => box.checked).length;
  const every = form.elements.every?.checked;
  const page = form.querySelector("[data-page]");
  page.checked = number === boxes.length;
  page.indeterminate = number > 0 && number < boxes.length;
  form.querySelector("output").textContent = every ? "" : form.dataset.selected.replace("%", number);
  form.querySelector(".selecting").hidden = !number && !every;
}
