// Files dropped on the page, one line for each while it is sent and read; changes of a source.
import { build, request, sendJson } from "./requests.js";

const POLL_MS = 1000;

export function watchSources() {
  const form = document.getElementById("upload");
  if (form) watchUpload(form);
  const change = document.getElementById("change");
  if (change) watchChange(change);
  document.getElementById("unread")?.addEventListener("click", dismiss);
}

// A file that was not read leaves the list; the focus goes to the next one.
async function dismiss(event) {
  const button = event.target.closest("[data-dismiss]");
  if (!button) return;
  const line = button.closest("li");
  const section = button.closest("section");
  try {
    await request(`/api/v1/unread?${new URLSearchParams({ path: button.dataset.dismiss })}`, { method: "DELETE" });
  } catch (error) {
    // Somebody else may have dismissed it before.
    if (error.status !== 404) {
      line.querySelector(".failed").textContent = error.message;
      return;
    }
  }
  const next = (line.nextElementSibling ?? line.previousElementSibling)?.querySelector("button");
  line.remove();
  if (next) next.focus();
  else {
    section.remove();
    document.getElementById("main").focus();
  }
}

function watchUpload(form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chooser = form.elements.files;
    if (!chooser.files.length) chooser.click();
    for (const file of chooser.files) send(form, file);
    chooser.value = "";
    showChosen(form);
  });
  form.addEventListener("change", () => showChosen(form));
  for (const kind of ["dragenter", "dragover"]) {
    form.addEventListener(kind, (event) => {
      event.preventDefault();
      form.classList.add("over");
    });
  }
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    for (const file of event.dataTransfer.files) send(form, file);
  });
}

function showChosen(form) {
  form.querySelector("output").textContent = [...form.elements.files.files].map((file) => file.name).join(", ");
}

function openLine(form, name) {
  const state = build("span", { class: "state" }, form.dataset.sending);
  const bar = build("progress", { max: 1, value: 0, "aria-label": name });
  const button = build("button", { type: "button", class: "plain" }, form.dataset.cancel);
  const buttons = build("span", { class: "buttons" }, button);
  const line = build("li", {}, build("span", { class: "file" }, name), bar, state, buttons);
  document.getElementById("queue").prepend(line);
  return {
    bar,
    button,
    say(words, kind = "") {
      state.textContent = words;
      state.className = `state ${kind}`;
    },
    end(words, kind) {
      this.say(words, kind);
      bar.remove();
      button.textContent = form.dataset.dismiss;
      button.onclick = () => line.remove();
    },
    // What to do instead of what was refused; the button that is there leaves it at that.
    offer(words, choices) {
      this.end(words, "failed");
      button.textContent = form.dataset.cancel;
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

// XMLHttpRequest, because fetch does not say how much has been sent.
function send(form, file, labels = readLabels(form), taken = []) {
  const line = openLine(form, file.name);
  const sending = new XMLHttpRequest();
  const data = new FormData();
  data.append("files", file, file.name);
  for (const [name, value] of [...labels, ...taken]) data.append(name, value);
  line.button.onclick = () => sending.abort();
  sending.upload.onprogress = (event) => {
    if (event.lengthComputable) line.bar.value = event.loaded / event.total;
  };
  sending.onabort = () => line.end(form.dataset.cancelled, "");
  sending.onerror = () => line.end(`${sending.status || "–"}`, "failed");
  sending.onload = () => {
    const reply = parse(sending.responseText);
    if (sending.status >= 400) line.end([reply.error?.message, reply.error?.fix].filter(Boolean).join(" "), "failed");
    else if (reply.jobs.length) follow(form, line, reply.jobs[0]);
    else if (reply.files[0]?.reason_codes.some(({ code }) => code === "upload-name-taken")) {
      const again = (name) => () => send(form, file, labels, [[name, "true"]]);
      line.offer(reply.files[0].reason, [[form.dataset.replace, again("replace")], [form.dataset.keep, again("keep_both")]]);
    } else line.end(reply.files[0]?.reason || form.dataset.done, reply.files[0]?.status === "failed" ? "failed" : "done");
  };
  sending.open("POST", form.action);
  sending.send(data);
}

function readLabels(form) {
  const tags = form.elements.tags.value.split(",").map((text) => text.trim()).filter(Boolean);
  return [...tags.map((tag) => ["tags", tag]), ["confidentiality", form.elements.confidentiality.value]];
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

async function follow(form, line, job) {
  line.bar.removeAttribute("value");
  line.button.onclick = () => sendJson(`/api/v1/jobs/${job.id}/cancel`, {}).catch((error) => line.say(error.message, "failed"));
  const started = Date.now();
  while (true) {
    let now = { status: "" };
    try {
      now = await (await request(`/api/v1/jobs/${job.id}`)).json();
    } catch (error) {
      // The server may be restarting, which the job outlives; only a refusal is the end.
      if (error.status) return line.end(error.message, "failed");
    }
    const seconds = ` ${Math.round((Date.now() - started) / 1000)} s`;
    // A job is done when its file was dealt with, which may be by refusing it.
    const refused = now.status === "done" && now.files.find((file) => file.status === "failed");
    if (refused) return line.end(refused.reason, "failed");
    if (now.status === "done") return line.end(form.dataset.done + seconds, "done");
    if (now.status === "failed") return line.end(now.reason || now.status, "failed");
    if (now.status === "cancelled") return line.end(form.dataset.cancelled, "");
    line.say((now.status === "running" ? describeStep(form, line, now.step) : form.dataset.waiting) + seconds);
    await new Promise((resolve) => { setTimeout(resolve, POLL_MS); });
  }
}

function describeStep(form, line, step) {
  const stage = step?.total && form.dataset[step.phase];
  if (!stage) return form.dataset.running;
  line.bar.value = step.done / step.total;
  const share = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" });
  return `${stage} ${share.format(step.done / step.total)},`;
}

function watchChange(form) {
  const address = `/api/v1/sources/${form.dataset.source}`;
  const status = form.querySelector("[role=status]");
  const run = async (action) => {
    try {
      await action();
      status.textContent = form.dataset.saved;
    } catch (error) {
      status.textContent = error.message;
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const tags = form.elements.tags.value.split(",").map((text) => text.trim()).filter(Boolean);
    const body = JSON.stringify({ tags, confidentiality: form.elements.confidentiality.value });
    run(() => request(address, { method: "PATCH", headers: { "Content-Type": "application/json" }, body }));
  });
  form.querySelector("[data-again]").addEventListener("click", () => run(() => sendJson(`${address}/ingest`, {})));
  const dialog = document.getElementById("removal");
  form.querySelector("[data-ask-removal]").addEventListener("click", () => dialog.showModal());
  dialog.addEventListener("close", () => {
    if (dialog.returnValue !== "remove") return;
    run(async () => {
      const file = dialog.querySelector("[name=file]")?.checked;
      await request(`${address}${file ? "?file=true" : ""}`, { method: "DELETE" });
      location.assign("/sources");
    });
  });
}
