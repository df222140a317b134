# Wat lezers van SARIF over een oordeel tonen.
sarif-project = De map van het project: die van foundry.yaml.
sarif-help-exact = Eén zin of één tabelrij van de genoemde bronnen, of van een willekeurige als er geen genoemd is, zegt precies dit.
sarif-help-supported = Een model oordeelde dat de bronnen dit zeggen, en haalde aan waar.
sarif-help-contradicted = Een bron zegt hetzelfde met een andere waarde, naam of ontkenning. Verbeter de bewering, of de bron.
sarif-help-unsupported = Een model oordeelde dat de bronnen dit niet zeggen. Schrap de bewering, of voeg een bron toe.
sarif-help-misattributed = Een andere bron of pagina zegt dit dan de genoemde. Verbeter de verwijzing.
sarif-help-partly = Een model oordeelde dat de bronnen maar een deel hiervan zeggen. Beperk de bewering daartoe.
sarif-help-unclear = Geen regel kon dit beslissen en geen model deed het. Lees de dichtstbijzijnde passages en beslis.
