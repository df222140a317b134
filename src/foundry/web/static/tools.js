// Below an answer: copy it with its sources, judge it; and sources that light up their sentences.
import { at, build, request, sendJson } from "./requests.js";

export function watchTools() {
  document.addEventListener("click", (event) => {
    const copy = event.target.closest("[data-copy]");
    if (copy) copyText(copy);
    const judge = event.target.closest("[data-judge]");
    if (judge) sendJudgement(judge);
  });
  for (const [kind, lit] of [["pointerover", true], ["pointerout", false], ["focusin", true], ["focusout", false]]) {
    document.addEventListener(kind, (event) => {
      const entry = event.target.closest?.(".sources li[data-source]");
      if (entry) light(entry, lit);
    });
  }
}

function light(entry, lit) {
  for (const cite of entry.closest(".answer").querySelectorAll(".text .cite")) {
    if (cite.textContent === entry.dataset.source) cite.closest(".sentence").classList.toggle("lit", lit);
  }
}

async function copyText(button) {
  const outcome = button.closest("[data-tools]").querySelector("[data-outcome]");
  try {
    // A promise inside the item keeps the permission of the click while we wait for the text.
    const text = request(button.dataset.copy).then((reply) => reply.blob());
    const blob = text.then((whole) => new Blob([whole], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
    outcome.textContent = "✓";
  } catch (error) {
    outcome.textContent = error.message;
  }
}

async function sendJudgement(button) {
  const answer = button.closest("[data-answer]");
  if (!(await send(answer, button.dataset.judge))) return;
  for (const other of answer.querySelectorAll("[data-judge]")) other.setAttribute("aria-pressed", String(other === button));
  offerNote(answer, button);
}

async function send(answer, judgement, note = "") {
  const outcome = answer.querySelector("[data-outcome]");
  try {
    await sendJson(at(`/api/v2/log/${answer.dataset.answer}/feedback`), { judgement, note });
    outcome.textContent = "✓";
    return true;
  } catch (error) {
    outcome.textContent = error.message;
    return false;
  }
}

// Whoever says that something is wrong may say what is right.
function offerNote(answer, button) {
  const group = button.closest("[role=group]");
  group.querySelector(".note")?.remove();
  if (button.dataset.judge === "correct") return;
  const field = build("input", { maxlength: "2000", "aria-label": group.dataset.note, placeholder: group.dataset.note });
  const form = build("form", { class: "note" }, field, build("button", { type: "submit" }, group.dataset.save));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (field.value.trim() && await send(answer, button.dataset.judge, field.value)) form.remove();
  });
  group.append(form);
}
