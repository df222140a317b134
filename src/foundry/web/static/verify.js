// The page to check a text on: sends the text, counts the statements, and shows the result.
import { at, parseFragment, readEvents, sendJson } from "./requests.js";

export function startVerifying() {
  const form = document.querySelector("form.verify");
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    check(form);
  });
}

async function check(form) {
  const button = form.querySelector("button");
  const status = document.getElementById("checked");
  const body = { text: form.elements.text.value, judge: form.elements.judge?.value ?? "configured" };
  button.disabled = true;
  document.getElementById("verified").replaceChildren();
  try {
    const reply = await sendJson(at("/verify/stream"), body);
    for await (const { name, data } of readEvents(reply)) {
      if (name === "stage") status.textContent = form.dataset.waiting;
      else if (name === "step") status.textContent = describe(form, data);
      else if (name === "error") throw Object.assign(new Error(data.error.message), { fix: data.error.fix });
      else if (name === "result") return finish(status, data);
    }
    throw new Error(form.dataset.lost);
  } catch (error) {
    // A browser says in its own words that it reached nobody.
    const words = error instanceof TypeError ? form.dataset.lost : error.message;
    status.textContent = [words, error.fix].filter(Boolean).join(" ");
  } finally {
    button.disabled = false;
  }
}

function describe(form, { phase, done, total }) {
  return form.dataset[phase === "judge" ? "stepJudge" : "stepVerify"].replace("%", `${done}/${total}`);
}

function finish(status, html) {
  status.textContent = "";
  document.getElementById("verified").replaceChildren(parseFragment(html));
}
