// Files dropped on the page, those that wait in the folder, and changes of a source.
import { followAll, followReply, openLine, watchQueue } from "./queue.js";
import { at, request, sendJson } from "./requests.js";

export function watchSources() {
  watchQueue();
  const form = document.getElementById("upload");
  if (form) watchUpload(form);
  const change = document.getElementById("change");
  if (change) watchChange(change);
  document.addEventListener("submit", readFolder);
}

async function readFolder(event) {
  const form = event.target.closest("#folder");
  if (!form) return;
  event.preventDefault();
  const status = form.querySelector("[role=status]");
  try {
    const { jobs } = await (await sendJson(at("/api/v2/ingest"), {})).json();
    if (jobs.length) followAll(jobs);
    else status.textContent = form.dataset.nothing;
  } catch (error) {
    status.textContent = error.message;
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

// XMLHttpRequest, because fetch does not say how much has been sent.
function send(form, file, labels = readLabels(form), taken = []) {
  const line = openLine(file.name);
  const sending = new XMLHttpRequest();
  const data = new FormData();
  data.append("files", file, file.name);
  for (const [name, value] of [...labels, ...taken]) data.append(name, value);
  line.button.onclick = () => sending.abort();
  sending.upload.onprogress = (event) => {
    if (event.lengthComputable) line.bar.value = event.loaded / event.total;
  };
  sending.onabort = () => line.end(form.dataset.unsent, "");
  sending.onerror = () => line.end(`${sending.status || "–"}`, "failed");
  sending.onload = () => {
    const reply = parse(sending.responseText);
    if (sending.status >= 400) line.end([reply.error?.message, reply.error?.fix].filter(Boolean).join(" "), "failed");
    else if (reply.files[0]?.reason?.code === "upload-name-taken") {
      const again = (name) => () => send(form, file, labels, [[name, "true"]]);
      line.offer(reply.files[0].reason.text, [
        [form.dataset.replace, again("replace")],
        [form.dataset.revise, again("revises")],
        [form.dataset.keep, again("keep_both")],
      ]);
    } else followReply(line, reply);
  };
  sending.open("POST", at("/api/v2/uploads"));
  sending.send(data);
}

function readLabels(form) {
  return [...split(form.elements.tags.value).map((tag) => ["tags", tag]), ["confidentiality", form.elements.confidentiality.value]];
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const split = (text) => text.split(",").map((part) => part.trim()).filter(Boolean);

// Only what was changed here, so that nothing is lost of what somebody else changes meanwhile.
function listChanges(form) {
  const { tags, confidentiality, status } = form.elements;
  const [before, now] = [split(tags.defaultValue), split(tags.value)];
  const changes = {
    add_tags: now.filter((tag) => !before.includes(tag)),
    remove_tags: before.filter((tag) => !now.includes(tag)),
  };
  for (const field of [confidentiality, status]) {
    const start = [...field.options].findIndex((option) => option.defaultSelected);
    if (field.selectedIndex !== Math.max(start, 0)) changes[field.name] = field.value;
  }
  return changes;
}

// What is saved is where the next changes begin.
function keepChanges(form) {
  const { tags, confidentiality, status } = form.elements;
  tags.defaultValue = tags.value;
  for (const option of [...confidentiality.options, ...status.options]) option.defaultSelected = option.selected;
}

function watchChange(form) {
  const address = at(`/api/v2/sources/${form.dataset.source}`);
  const status = form.querySelector("[role=status]");
  const run = async (action, words) => {
    try {
      await action();
      status.textContent = words;
    } catch (error) {
      status.textContent = error.message;
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const body = JSON.stringify(listChanges(form));
    run(async () => {
      await request(address, { method: "PATCH", headers: { "Content-Type": "application/json" }, body });
      keepChanges(form);
    }, form.dataset.saved);
  });
  form.querySelector("[data-again]").addEventListener("click", () => run(async () => {
    const reply = await sendJson(`${address}/ingest`, {});
    followReply(openLine(form.dataset.path), await reply.json());
  }, ""));
  const dialog = document.getElementById("removal");
  form.querySelector("[data-ask-removal]").addEventListener("click", () => dialog.showModal());
  dialog.addEventListener("close", () => {
    if (dialog.returnValue !== "remove") return;
    run(async () => {
      const file = dialog.querySelector("[name=file]")?.checked;
      await request(`${address}${file ? "?file=true" : ""}`, { method: "DELETE" });
      location.assign(at("/sources"));
    }, "");
  });
}
