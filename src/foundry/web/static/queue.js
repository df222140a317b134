// Files that are sent or read, one line for each. Jobs outlive the page: their lines come back with it.
import { at, build, parseFragment, request, sendJson } from "./requests.js";

const POLL_MS = 1000;
const MOST_SHOWN = 30;
const lines = new Map();
let list = null;
let timer = 0;
let polling = false;

export async function watchQueue() {
  list = document.getElementById("queue");
  if (list && "all" in list.dataset) await poll();
}

export function openLine(name) {
  const words = list.dataset;
  const state = build("span", { class: "state" }, words.sending);
  const bar = build("progress", { max: 1, value: 0, "aria-label": name });
  const button = build("button", { type: "button", class: "plain" }, words.cancel);
  const buttons = build("span", { class: "buttons" }, button);
  const line = build("li", { "data-own": "" }, build("span", { class: "file" }, name), bar, state, buttons);
  list.prepend(line);
  return {
    bar,
    button,
    sent: () => { delete line.dataset.own; },
    say(text, kind = "") {
      state.textContent = text;
      state.className = `state ${kind}`;
    },
    end(text, kind) {
      this.sent();
      this.say(text, kind);
      bar.remove();
      button.hidden = false;
      button.textContent = words.dismiss;
      button.onclick = () => line.remove();
    },
    // What to do instead of what was refused; the button that is there leaves it at that.
    offer(text, choices) {
      this.end(text, "failed");
      button.textContent = words.cancel;
      for (const [label, act] of choices.reverse()) {
        const choice = build("button", { type: "button", class: "plain" }, label);
        choice.onclick = () => {
          line.remove();
          act();
        };
        buttons.prepend(choice);
      }
      buttons.firstElementChild.focus({ preventScroll: true });
    },
  };
}

// What the server made of files: a job for each that has to be read, a report of every other.
export function followReply(line, { jobs, files }) {
  const [job] = jobs;
  const [file] = files;
  if (job) follow(line, job, Date.now());
  else if (file?.status === "failed") line.end(file.reason.text, "failed");
  else line.end(file?.warnings.map(({ text }) => text).join(" ") || list.dataset.unchanged, "done");
}

export function followAll(jobs) {
  for (const job of jobs.slice(0, MOST_SHOWN)) follow(openLine(job.path), job, Date.now());
}

function follow(line, job, started = 0) {
  line.sent();
  line.started = started;
  line.bar.removeAttribute("value");
  line.button.onclick = () => cancel(line, job);
  line.say(list.dataset.waiting);
  lines.set(job.id, line);
  if (!polling) poll();
}

// A job that has ended meanwhile is not cancelled any more: its line will say so.
async function cancel(line, job) {
  line.say(list.dataset.cancelling);
  line.button.hidden = true;
  try {
    const { cancelled } = await (await sendJson(at(`/api/v2/jobs/${job.id}/cancel`), {})).json();
    line.late = !cancelled;
  } catch (error) {
    line.button.hidden = false;
    line.say(error.message, "failed");
  }
}

async function poll() {
  clearTimeout(timer);
  polling = true;
  try {
    const { jobs } = await (await request(at("/api/v2/jobs?open=true"))).json();
    await show(jobs);
  } catch (error) {
    // The server may be restarting, which the jobs outlive; only a refusal is the end.
    if (error.status) {
      for (const line of lines.values()) line.end(error.message, "failed");
      lines.clear();
    }
  }
  polling = lines.size > 0;
  clearTimeout(timer);
  if (polling) timer = setTimeout(poll, POLL_MS);
}

async function show(jobs) {
  const open = new Map(jobs.map((job) => [job.id, job]));
  const ended = [...lines].filter(([id]) => !open.has(id));
  for (const [id, line] of ended) await settle(id, line);
  if (ended.length) await refresh();
  // A job whose file this page still sends has its line already.
  if ("all" in list.dataset && !list.querySelector("[data-own]")) {
    const others = jobs.filter((job) => !lines.has(job.id));
    for (const job of others.slice(0, Math.max(0, MOST_SHOWN - lines.size))) follow(openLine(job.path), job);
  }
  for (const [id, line] of lines) {
    const job = open.get(id);
    if (job) line.say(describe(line, job));
  }
  showRest(jobs.filter((job) => !lines.has(job.id)).length);
}

async function settle(id, line) {
  lines.delete(id);
  const words = list.dataset;
  const job = await request(at(`/api/v2/jobs/${id}`)).then((reply) => reply.json(), (error) => error);
  // The list of open jobs was made before this one was sent.
  if (job.status === "waiting" || job.status === "running") return lines.set(id, line);
  // A job is done when its file was dealt with, which may be by refusing it.
  const refused = job.status === "done" && job.files.find((file) => file.status === "failed");
  const seconds = line.started ? ` ${Math.round((Date.now() - line.started) / 1000)} s` : "";
  if (refused) line.end(refused.reason.text, "failed");
  else if (job.status === "done") line.end(line.late ? words.late : words.done + seconds, "done");
  else if (job.status === "cancelled") line.end(words.cancelled, "");
  // A later job of the same file took its place.
  else if (job.status === 404) line.end(words.replaced, "");
  else line.end(job.reason?.text || job.message || String(job.status), "failed");
}

function showRest(number) {
  const known = list.querySelector(".rest");
  if (!number || !("all" in list.dataset)) known?.remove();
  else if (known) known.textContent = list.dataset.rest.replace("%", number);
  else list.append(build("li", { class: "rest quiet" }, list.dataset.rest.replace("%", number)));
}

function describe(line, job) {
  const words = list.dataset;
  const seconds = line.started ? ` ${Math.round((Date.now() - line.started) / 1000)} s` : "";
  if (line.button.hidden) return words.cancelling;
  if (job.status !== "running") return words.waiting + seconds;
  const { step } = job;
  const stage = step?.total && words[step.phase];
  if (!stage) return words.running + seconds;
  line.bar.value = step.done / step.total;
  const share = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" });
  return `${stage} ${share.format(step.done / step.total)}${seconds && `,${seconds}`}`;
}

// The parts of the page that show what was read, as the server has them now; the focus stays.
export async function refresh() {
  const now = parseFragment(await (await request(location.href)).text());
  const focused = document.activeElement.getAttribute("href");
  const chosen = [...document.querySelectorAll("[name=chosen]:checked")].map((box) => box.value);
  for (const part of document.querySelectorAll("[data-fresh]")) part.replaceWith(now.getElementById(part.id) ?? "");
  for (const box of document.querySelectorAll("[name=chosen]")) box.checked = chosen.includes(box.value);
  document.dispatchEvent(new Event("refreshed"));
  if (focused && document.activeElement === document.body) document.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
}
