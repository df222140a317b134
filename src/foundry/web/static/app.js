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
