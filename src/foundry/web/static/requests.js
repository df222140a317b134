// Requests to our own server, and its server-sent events read from the reply of a POST.

export class RequestFailed extends Error {
  constructor(message, status, fix = "") {
    super(message);
    this.status = status;
    this.fix = fix;
  }
}

// An address within the project, as one on this server.
export const at = (address) => (document.documentElement.dataset.root ?? "") + address;

// Whoever has to log in first comes back to this page, with what was typed in the field.
export async function request(address, { typed, ...options } = {}) {
  const reply = await fetch(address, { credentials: "same-origin", ...options });
  if (reply.ok) return reply;
  if (reply.status === 401) {
    const back = new URL(location.href);
    if (typed) back.searchParams.set("q", typed);
    location.assign(`/login?${new URLSearchParams({ next: back.pathname + back.search })}`);
  }
  let problem = {};
  try {
    problem = (await reply.json()).error ?? {};
  } catch {
    // Not one of our errors: the status has to do.
  }
  throw new RequestFailed(problem.message || `${reply.status} ${reply.statusText}`, reply.status, problem.fix);
}

export function sendJson(address, body, options = {}) {
  return request(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...options.headers },
    body: JSON.stringify(body),
    signal: options.signal,
    typed: options.typed,
  });
}

export async function* readEvents(reply) {
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  while (true) {
    const { value, done } = await reader.read();
    if (done) return;
    waiting += value.replaceAll("\r\n", "\n");
    let end;
    while ((end = waiting.indexOf("\n\n")) >= 0) {
      const event = parseEvent(waiting.slice(0, end));
      waiting = waiting.slice(end + 2);
      if (event) yield event;
    }
  }
}

function parseEvent(block) {
  let name = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return data.length ? { name, data: JSON.parse(data.join("\n")) } : null;
}

// HTML that our own templates rendered, with every value escaped.
export function parseFragment(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

export function build(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}
