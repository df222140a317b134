// What every page needs; a module that finds nothing to do on a page does nothing.
import { startAsking } from "./ask.js";
import { watchBlocks } from "./blocks.js";
import { watchCards } from "./cards.js";
import { watchDocuments } from "./documents.js";
import { watchPane } from "./pane.js";
import { watchSelection } from "./selection.js";
import { watchStarters, watchSuggestions } from "./suggest.js";
import { watchTools } from "./tools.js";
import { watchSources } from "./sources.js";
import { watchTables } from "./tables.js";
import { startVerifying } from "./verify.js";
import { watchWork } from "./work.js";

startAsking();
watchBlocks();
watchCards();
watchPane();
watchTools();
watchSources();
watchSelection();
watchSuggestions();
watchStarters();
startVerifying();
watchTables();
watchDocuments();
watchWork();

// What is beside the page on a wide screen, and folded above it on a phone.
if (matchMedia("(min-width: 52rem)").matches) {
  for (const details of document.querySelectorAll("details[data-wide]")) details.open = true;
}

// An invitation has its token behind the #, which no server or log sees; it stays in no history either.
const token = document.querySelector("input#token");
if (token && location.hash.length > 1) {
  token.value = decodeURIComponent(location.hash.slice(1));
  history.replaceState(history.state, "", location.pathname + location.search);
}

// What is there to be copied is selected by itself.
for (const field of document.querySelectorAll("input.link")) field.addEventListener("focus", () => field.select());
document.querySelector("input.link[autofocus]")?.select();

// Times are those of the server; over one of them it is said in the reader's own zone.
for (const time of document.querySelectorAll('time[datetime^="20"]')) {
  time.title = new Date(time.dateTime).toLocaleString(document.documentElement.lang, { dateStyle: "long", timeStyle: "long" });
}
