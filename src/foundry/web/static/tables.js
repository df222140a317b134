// Work of a form that the page follows to its end; the name of who reviews.
import { readEvents, sendJson } from "./requests.js";

export function watchTables() {
  rememberName();
  document.addEventListener("click", (event) => {
    const sure = event.target.closest("[data-sure]");
    if (sure && !confirm(sure.dataset.sure)) event.preventDefault();
  });
}

// Run the work of a form. `finish` gets the result, null if stopped, and returns the words to show.
export async function follow(form, address, body, finish) {
  const working = form.querySelector(".working");
  const status = working.querySelector("[role=status]");
  const bar = working.querySelector("progress");
  const stop = new AbortController();
  working.querySelector("[data-stop]").onclick = () => stop.abort();
  working.hidden = false;
  bar.hidden = false;
  form.querySelector("[type=submit]").disabled = true;
  const end = (result) => {
    status.textContent = finish(result) ?? "";
    bar.hidden = true;
  };
  try {
    const reply = await sendJson(address, body, { signal: stop.signal });
    for await (const event of readEvents(reply)) {
      if (event.name === "stage") status.textContent = form.dataset.waiting;
      else if (event.name === "step") show(form, bar, status, event.data);
      else if (event.name === "error") throw Object.assign(new Error(event.data.error.message), { fix: event.data.error.fix });
      else if (event.name === "result") return end(event.data);
    }
    throw new Error(form.dataset.lost);
  } catch (error) {
    if (error.name === "AbortError") return end(null);
    status.textContent = [error instanceof TypeError ? form.dataset.lost : error.message, error.fix].filter(Boolean).join(" ");
    bar.hidden = true;
  } finally {
    form.querySelector("[type=submit]").disabled = false;
  }
}

function show(form, bar, status, { done, total, item }) {
  if (total) Object.assign(bar, { max: total, value: done });
  status.textContent = `${form.dataset.step.replace("%", `${done}/${total}`)} ${item}`;
}

// Remember the name, so that it is typed once for a hundred cells.
function rememberName() {
  const fields = document.querySelectorAll("input[data-by]");
  const known = localStorage.getItem("foundry-name");
  for (const field of fields) {
    field.value ||= known ?? "";
    field.addEventListener("change", () => {
      localStorage.setItem("foundry-name", field.value);
      for (const other of fields) other.value = field.value;
    });
  }
}
