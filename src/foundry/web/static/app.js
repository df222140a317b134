// What every page needs; a module that finds nothing to do on a page does nothing.
import { startAsking } from "./ask.js";
import { watchCards } from "./cards.js";
import { watchPane } from "./pane.js";
import { watchSuggestions } from "./suggest.js";
import { watchTools } from "./tools.js";
import { watchSources } from "./sources.js";
import { startVerifying } from "./verify.js";

startAsking();
watchCards();
watchPane();
watchTools();
watchSources();
watchSuggestions();
startVerifying();

// What is beside the page on a wide screen, and folded above it on a phone.
if (matchMedia("(min-width: 52rem)").matches) {
  for (const details of document.querySelectorAll("details[data-wide]")) details.open = true;
}
