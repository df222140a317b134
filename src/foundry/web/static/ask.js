// The composer: sends a question, shows each sentence or passage as it comes, then the whole answer.
import { findAgain } from "./cards.js";
import { at, build, parseFragment, readEvents, sendJson } from "./requests.js";

export function startAsking() {
  const form = document.querySelector("form.composer");
  if (!form) return;
  const field = form.elements.question;
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  // Nothing is cut off in silence: a browser says why it does not send the form.
  field.addEventListener("input", () => {
    const over = field.value.length - Number(field.dataset.most);
    field.setCustomValidity(over > 0 ? form.dataset.long : "");
    if (over > 0) field.reportValidity();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = field.value.trim();
    if (!typed || form.dataset.busy) return;
    field.value = "";
    ask(form, typed);
  });
  // Filters that are folded away still say that they are there.
  form.addEventListener("change", () => { form.querySelector("summary").dataset.used = readFilters(form).length || ""; });
  document.addEventListener("click", (event) => {
    const starter = event.target.closest("[data-ask]");
    if (!starter) return;
    event.preventDefault();
    ask(form, starter.dataset.ask);
  });
  document.querySelector("[data-to-citation]").addEventListener("click", (event) => {
    event.preventDefault();
    document.querySelector(".turn:last-child :is(.text, .passages) .cite")?.focus();
  });
  addEventListener("popstate", showAddress);
  // Who follows a link comes for its answer, below what led to it.
  const last = document.querySelector(".turn + .turn:last-child");
  if (last && performance.getEntriesByType("navigation")[0].type === "navigate") last.scrollIntoView({ block: "start" });
  const given = new URLSearchParams(location.search).get("q");
  if (given) field.value = given;
}

async function ask(form, typed) {
  const turns = document.getElementById("turns");
  const earlier = readTurns(turns);
  const turn = openTurn(form, typed);
  const stop = new AbortController();
  turn.stop.addEventListener("click", () => stop.abort());
  form.dataset.busy = "yes";
  document.getElementById("ask").classList.add("talking");
  form.elements.question.placeholder = form.dataset.next;
  turns.append(turn.article);
  turn.article.scrollIntoView({ block: "start" });
  try {
    const body = { typed, earlier, filters: readFilters(form), agent: form.elements.agent?.value || null, all: form.elements.all.checked };
    const reply = await sendJson(at("/turns"), body, { signal: stop.signal, typed });
    await follow(form, turn, reply);
  } catch (error) {
    const again = offerAgain(form, turn, typed);
    if (error.name === "AbortError") turn.halt(form.dataset.stopped, again);
    // A browser says in its own words that it reached nobody.
    else showError(turn, error instanceof TypeError ? new Error(form.dataset.lost) : error, again);
    document.getElementById("ask").classList.toggle("talking", turns.childElementCount > 0);
    form.elements.question.value ||= typed;
  } finally {
    delete form.dataset.busy;
    // Who reads a citation meanwhile goes on with it.
    if (document.activeElement === document.body) form.elements.question.focus({ preventScroll: true });
  }
}

async function follow(form, turn, reply) {
  for await (const { name, data } of readEvents(reply)) {
    if (name === "stage") turn.say(form.dataset[{ search: "searching", write: "checking" }[data.stage] || "waiting"]);
    else if (name === "question" && data.how !== "as typed") turn.showQuestion(form.dataset.understood.replace("%", data.question));
    else if (name === "sentence") turn.add(data);
    else if (name === "passage") turn.addPassage(data);
    else if (name === "result") return turn.finish(data);
    else if (name === "error") throw Object.assign(new Error(data.error.message), { fix: data.error.fix });
  }
  throw new Error(form.dataset.lost);
}

function openTurn(form, typed) {
  const status = build("span", { role: "status" }, form.dataset.searching);
  const stop = build("button", { type: "button", class: "plain" }, form.dataset.stop);
  const working = build("p", { class: "working" }, status, stop);
  const text = build("div", { class: "text" });
  const passages = build("ol", { class: "passages" });
  const answer = build("div", { class: "answer" }, text, working);
  const heading = build("h2", {}, typed);
  const article = build("article", { class: "turn" }, heading, answer);
  return {
    article,
    stop,
    answer,
    working,
    say: (words) => { if (words) status.textContent = words; },
    showQuestion: (words) => heading.after(build("p", { class: "understood" }, words)),
    add(html) {
      const said = parseFragment(html);
      // In the text the lines of a card's HTML would be lines of the answer.
      answer.append(...said.querySelectorAll(".card"));
      text.append(said);
    },
    addPassage(html) {
      if (!passages.isConnected) text.replaceWith(passages);
      passages.append(parseFragment(html));
    },
    // What was shown is verified, and stays.
    halt(words, again) {
      if (text.childElementCount || passages.childElementCount) working.replaceWith(build("p", { class: "notice", role: "status" }, words), again);
      else article.remove();
    },
    finish(html) {
      const whole = parseFragment(html).firstElementChild;
      // What is read already stays where it is on the screen.
      speakOnce(text.childElementCount + passages.childElementCount > 0 && (whole.querySelector(".verdict")?.textContent ?? form.dataset.complete));
      const focused = document.activeElement;
      article.replaceWith(whole);
      document.dispatchEvent(new Event("renewed"));
      findAgain(focused)?.focus({ preventScroll: true });
      showAddress();
    },
  };
}

// The latest answer gives the page its address, which brings back the turns before it too; a source
// that is open beside it stays in there.
function showAddress() {
  const id = [...document.querySelectorAll(".turn [data-answer]")].map((answer) => answer.dataset.answer).filter(Boolean).at(-1);
  if (!id) return;
  const pane = new URL(location.href).searchParams.get("pane");
  history.replaceState(history.state, "", at(`/answers/${id}${pane ? `?${new URLSearchParams({ pane })}` : ""}`));
}

// What a screen reader has said of the sentences need not be said again.
function speakOnce(words) {
  if (!words) return;
  const turns = document.getElementById("turns");
  turns.setAttribute("aria-live", "off");
  document.getElementById("spoken").textContent = words;
  setTimeout(() => turns.setAttribute("aria-live", "polite"), 500);
}

// The same question once more, with the filters as they are now.
function offerAgain(form, turn, typed) {
  const button = build("button", { type: "button" }, form.dataset.again);
  button.addEventListener("click", () => {
    if (form.dataset.busy) return;
    const field = form.elements.question;
    if (field.value === typed) field.value = "";
    turn.article.remove();
    ask(form, typed);
  });
  return build("p", {}, button);
}

function showError(turn, error, again) {
  const box = build("div", { class: "error", role: "alert" }, build("p", {}, error.message));
  if (error.fix) box.append(build("p", {}, error.fix));
  turn.working.replaceWith(box, again);
}

function readTurns(turns) {
  return [...turns.querySelectorAll(".turn[data-question]")].map((turn) => ({
    question: turn.dataset.question,
    answer: turn.dataset.text,
    language: turn.dataset.language,
    id: turn.querySelector("[data-answer]").dataset.answer || null,
  }));
}

function readFilters(form) {
  const kept = [...form.querySelectorAll("[name=filter]:checked")].map((box) => box.value);
  return kept.concat(["source", "type", "tag", "from", "to"]
    .filter((name) => form.elements[name]?.value)
    .map((name) => `${name}=${form.elements[name].value}`));
}
