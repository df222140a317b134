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
    "bin.one": ("bin", "klasse"),
    "bin.many": ("bins", "klassen"),
}
