// Files dropped on the page, one line for each while it is sent and read; changes of a source.
import { build, request, sendJson } from "./requests.js";

const POLL_MS = 1000;

export function watchSources() {
  const form = document.getElementById("upload");
  if (form) watchUpload(form);
  const change = document.getElementById("change");
  if (change) watchChange(change);
}

function watchUpload(form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    for (const file of form.elements.files.files) send(form, file);
    form.elements.files.value = "";
  });
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

function openLine(form, name) {
  const state = build("span", { class: "state" }, form.dataset.sending);
  const bar = build("progress", { max: 1, value: 0, "aria-label": name });
  const button = build("button", { type: "button", class: "plain" }, form.dataset.cancel);
  const line = build("li", {}, build("span", { class: "file" }, name), bar, state, button);
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
  };
}

// XMLHttpRequest, because fetch does not say how much has been sent.
function send(form, file) {
  const line = openLine(form, file.name);
  const sending = new XMLHttpRequest();
  const data = new FormData();
  data.append("files", file, file.name);
  for (const tag of form.elements.tags.value.split(",").map((text) => text.trim()).filter(Boolean)) data.append("tags", tag);
  data.append("confidentiality", form.elements.confidentiality.value);
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
    else line.end(reply.files[0]?.reason || form.dataset.done, reply.files[0]?.status === "failed" ? "failed" : "done");
  };
  sending.open("POST", form.action);
  sending.send(data);
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
    const now = await (await request(`/api/v1/jobs/${job.id}`)).json().catch(() => job);
    const seconds = ` ${Math.round((Date.now() - started) / 1000)} s`;
    if (now.status === "done") return line.end(form.dataset.done + seconds, "done");
    if (now.status === "failed") return line.end(now.reason || now.status, "failed");
    if (now.status === "cancelled") return line.end(form.dataset.cancelled, "");
    line.say((now.status === "running" ? form.dataset.running : form.dataset.waiting) + seconds);
    await new Promise((resolve) => { setTimeout(resolve, POLL_MS); });
  }
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
      await request(address, { method: "DELETE" });
      location.assign("/sources");
    });
  });
}
