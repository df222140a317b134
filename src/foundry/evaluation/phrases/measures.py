"""What each measure is called and what it means, English beside Dutch."""

from __future__ import annotations

MEASURES: dict[str, tuple[str, str]] = {
    "group.ranking": ("Search", "Zoeken"),
    "group.refusal": ("Refusals of the whole system", "Weigeringen van het hele systeem"),
    "group.gate": ("The gate alone", "De poort alleen"),
    "group.citation": ("Citations", "Verwijzingen"),
    "group.answers": ("Answers", "Antwoorden"),
    "group.times": ("Times", "Tijden"),
    "group.spent": ("Spent on models", "Besteed aan modellen"),
    "name.recall": ("Recall", "Recall"),
    "name.precision": ("Precision", "Precisie"),
    "name.ndcg": ("nDCG", "nDCG"),
    "name.mrr": ("MRR", "MRR"),
    "name.map": ("MAP", "MAP"),
    "name.refusal_precision": ("Refusal precision", "Weigeringsprecisie"),
    "name.refusal_recall": ("Refusal recall", "Weigeringsrecall"),
    "name.false_refusal_rate": ("False refusals", "Onterechte weigeringen"),
    "name.gate_refusal_precision": ("Refusal precision, gate", "Weigeringsprecisie, poort"),
    "name.gate_refusal_recall": ("Refusal recall, gate", "Weigeringsrecall, poort"),
    "name.gate_false_refusal_rate": ("False refusals, gate", "Onterechte weigeringen, poort"),
    "name.auroc": ("AUROC", "AUROC"),
    "name.citation_precision": ("Citation precision", "Verwijzingsprecisie"),
    "name.citation_recall": ("Citation recall", "Verwijzingsrecall"),
    "name.coverage": ("Attribution coverage", "Brondekking"),
    "name.exact_match": ("Exact match", "Exact gelijk"),
    "name.f1": ("Token F1", "Token-F1"),
    "name.answer_recall": ("Answer recall", "Antwoordrecall"),
    "name.latency_p50_ms": ("Time per question, median", "Tijd per vraag, mediaan"),
    "name.latency_p95_ms": ("Time per question, 95th percentile", "Tijd per vraag, 95e percentiel"),
    "name.latency_max_ms": ("Time per question, longest", "Tijd per vraag, langste"),
    "name.retrieval_p50_ms": ("Time to search, median", "Zoektijd, mediaan"),
    "name.retrieval_p95_ms": ("Time to search, 95th percentile", "Zoektijd, 95e percentiel"),
    "name.tokens": ("Tokens", "Tokens"),
    "name.cost": ("Cost", "Kosten"),
    "means.recall": (
        "Of the expected places, the share found among the first k hits; the mean over questions. Hits that cover only a place found before count once with it, and where whole sources are expected so do all hits of a source: a right hit at rank 12 may be within the first ten.",
        "Van de verwachte plaatsen het deel dat bij de eerste k treffers staat; het gemiddelde over vragen. Treffers die alleen een eerder gevonden plaats dekken tellen daarmee één keer, en waar hele bronnen verwacht worden ook alle treffers van een bron: een juiste treffer op rang 12 kan bij de eerste tien horen.",
    ),
    "means.precision": (
        "Of the first k hits, the share that covers an expected place.",
        "Van de eerste k treffers het deel dat een verwachte plaats dekt.",
    ),
    "means.ndcg": (
        "Like recall, but a place counts for more the higher its hit stands; 1 is the best order.",
        "Als recall, maar een plaats telt zwaarder naarmate de treffer hoger staat; 1 is de beste volgorde.",
    ),
    "means.mrr": (
        "One divided by the rank of the first right hit; the mean over questions.",
        "Eén gedeeld door de rang van de eerste juiste treffer; het gemiddelde over vragen.",
    ),
    "means.map": (
        "The precision at the rank of each right hit, averaged; the mean over questions.",
        "De precisie op de rang van elke juiste treffer, gemiddeld; het gemiddelde over vragen.",
    ),
    "means.refusal_precision": (
        "Of the refused questions, the share that has no answer in the sources.",
        "Van de geweigerde vragen het deel dat geen antwoord in de bronnen heeft.",
    ),
    "means.refusal_recall": (
        "Of the questions without an answer in the sources, the share that was refused.",
        "Van de vragen zonder antwoord in de bronnen het deel dat geweigerd is.",
    ),
    "means.false_refusal_rate": (
        "Of the questions that have an answer, the share that was refused; lower is better.",
        "Van de vragen die een antwoord hebben het deel dat geweigerd is; lager is beter.",
    ),
    "means.gate_refusal_precision": (
        "The same for what the gate refuses by itself, before any model is asked.",
        "Hetzelfde voor wat de poort zelf weigert, voordat een model iets gevraagd wordt.",
    ),
    "means.gate_refusal_recall": (
        "The same for what the gate refuses by itself.",
        "Hetzelfde voor wat de poort zelf weigert.",
    ),
    "means.gate_false_refusal_rate": (
        "The same for what the gate refuses by itself; lower is better.",
        "Hetzelfde voor wat de poort zelf weigert; lager is beter.",
    ),
    "means.auroc": (
        "The chance that a question with an answer gets a higher gate score than one without; 0.5 is no better than a coin.",
        "De kans dat een vraag met antwoord een hogere poortscore krijgt dan een zonder; 0,5 is niet beter dan een munt.",
    ),
    "means.citation_precision": (
        "Of the quotes that an answer shows, the share that lies in an expected place.",
        "Van de citaten die een antwoord toont het deel dat op een verwachte plaats ligt.",
    ),
    "means.citation_recall": (
        "Of the expected places, the share that the answer quotes.",
        "Van de verwachte plaatsen het deel dat het antwoord citeert.",
    ),
    "means.coverage": (
        "The share of an answer's sentences with a verified source, before any was removed.",
        "Het deel van de zinnen van een antwoord met een gecontroleerde bron, voordat er een verwijderd is.",
    ),
    "means.exact_match": (
        "Whether the answer is an expected one but for case, punctuation and articles.",
        "Of het antwoord gelijk is aan een verwacht antwoord, op hoofdletters, leestekens en lidwoorden na.",
    ),
    "means.f1": (
        "How far the words of the answer and of the expected one are the same (harmonic mean of precision and recall).",
        "In hoeverre de woorden van het antwoord en het verwachte dezelfde zijn (harmonisch gemiddelde van precisie en recall).",
    ),
    "means.answer_recall": (
        "The share of the expected answer's words that the answer holds, whatever else it says.",
        "Het deel van de woorden van het verwachte antwoord dat het antwoord bevat, wat er verder ook staat.",
    ),
    "means.latency_p50_ms": (
        "Half of the questions took less than this.",
        "De helft van de vragen duurde korter.",
    ),
    "means.latency_p95_ms": (
        "Nineteen in twenty took less.",
        "Negentien op de twintig duurden korter.",
    ),
    "means.latency_max_ms": ("The slowest question.", "De traagste vraag."),
    "means.retrieval_p50_ms": (
        "The part of it that search took; half took less.",
        "Het deel daarvan dat het zoeken duurde; de helft korter.",
    ),
    "means.retrieval_p95_ms": (
        "Nineteen in twenty searches took less.",
        "Negentien op de twintig keer zoeken duurde korter.",
    ),
    "means.tokens": (
        "Tokens sent to and received from models, in all.",
        "Tokens naar en van modellen, in totaal.",
    ),
    "means.cost": (
        "US dollars, where every price is known.",
        "Amerikaanse dollars, als elke prijs bekend is.",
    ),
}
