action-ingest = “Lees” op de pagina Bronnen
action-sources = de pagina Bronnen
action-sources-list = de pagina Bronnen
action-sources-show = de details van de bron op de pagina Bronnen
action-sources-remove = “Verwijderen” in de details van de bron
action-log-list = de pagina Logboek
action-search = de pagina Vragen
action-server = op de server
