"""Every phrase of reports and plots, English beside Dutch."""

from __future__ import annotations

TABLE: dict[str, tuple[str, str]] = {
    "undefined": ("undefined", "niet bepaald"),
    # plots
    "plot.no_data": ("Nothing to show.", "Niets te tonen."),
    "plot.reliability": ("Does the score mean what it says?", "Betekent de score wat hij zegt?"),
    "plot.reliability.desc": (
        "Reliability plot over {bins}: the mean score against the share that is true; expected calibration error {error}.",
        "Betrouwbaarheidsplot over {bins}: de gemiddelde score tegen het aandeel dat waar is; verwachte kalibratiefout {error}.",
    ),
    "plot.score": ("score", "score"),
    "plot.true": ("share that is true", "aandeel dat waar is"),
    "plot.perfect": ("perfectly calibrated", "volmaakt gekalibreerd"),
    "plot.observed": ("observed (n)", "waargenomen (n)"),
    "plot.recall": ("Recall and nDCG by depth", "Recall en nDCG naar diepte"),
    "plot.recall.desc": (
        "Lines over the depth k; recall at 10: {runs}.",
        "Lijnen over de diepte k; recall bij 10: {runs}.",
    ),
    "plot.gate": ("Gate scores", "Poortscores"),
    "plot.gate.axis": ("gate score", "poortscore"),
    "plot.threshold": ("gate closes below {value}", "poort sluit onder {value}"),
    "plot.share_of_kind": ("share", "aandeel"),
    "plot.strip.desc": ("{name}: n = {n}, median {median}", "{name}: n = {n}, mediaan {median}"),
    "plot.coverage": ("Attribution coverage of the answers", "Brondekking van de antwoorden"),
    "plot.coverage.axis": ("attribution coverage", "brondekking"),
    "plot.target": ("target {value}", "doel {value}"),
    "plot.latency": ("Time per question", "Tijd per vraag"),
    "plot.latency.desc": ("Median by run: {runs}.", "Mediaan per run: {runs}."),
    "plot.milliseconds": ("milliseconds", "milliseconden"),
    "plot.milliseconds_log": ("milliseconds (logarithmic)", "milliseconden (logaritmisch)"),
    "plot.differences": ("Differences from the first run", "Verschillen met de eerste run"),
    "plot.differences.desc": (
        "Dots with 95% intervals: {parts}.",
        "Punten met 95%-intervallen: {parts}.",
    ),
    "plot.differences.axis": (
        "difference (right of 0: higher than the first run)",
        "verschil (rechts van 0: hoger dan de eerste run)",
    ),
    "kind.answerable": ("answerable", "beantwoordbaar"),
    "kind.unanswerable": ("unanswerable", "onbeantwoordbaar"),
    "kind.unlabelled": ("not labelled", "niet gelabeld"),
    "time.whole": ("whole", "geheel"),
    "time.retrieval": ("retrieval", "zoeken"),
    "bin.one": ("bin", "klasse"),
    "bin.many": ("bins", "klassen"),
}
