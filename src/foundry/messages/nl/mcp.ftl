mcp-waiting = Wacht op een programma via standaardinvoer. `foundry mcp --config` toont wat een programma nodig heeft om dit zelf te starten; Ctrl-C stopt.
mcp-invalid = De argumenten zijn niet geldig: { $cause }
    .fix = De tool kent { $known }.
mcp-one-place = Een passage wordt aangewezen met source of met chunk_id.
    .fix = Geef een van beide.
mcp-other-project = Dit is het project { $name }; { $asked } is hier niet op te vragen.
    .fix = Laat project weg, of verbind met de server van dat project.
mcp-other-role = Deze verbinding heeft de rol { $role }; een aanroep kan niet om { $asked } vragen.
    .fix = Laat role weg. De rol komt van het token, of van --role waar de server gestart wordt.
mcp-unexpected = Er ging iets mis in Foundry. De details staan in het logboek.
    .fix = Probeer het opnieuw. Meld het als het weer gebeurt.
mcp-verdict = Uitkomst: { $verdict }
mcp-gate = Poort: { $decision }
mcp-hit = { $number }. { $place } ({ $id })
mcp-unverified = Niet gecontroleerd: “{ $sentence }”
mcp-ids = Lees verder met read_passage, met chunk_id: { $ids }
mcp-span = { $place }, tekens { $start } tot { $end } van { $length }:
mcp-span-goes-on = { $place }, tekens { $start } tot { $end } van { $length } (het gaat verder: char_start { $end }):
mcp-pages = { $number ->
    [one] 1 pagina
   *[other] { $number } pagina's
}
mcp-unread = { $path } kon niet gelezen worden: { $reason }
mcp-next = Er zijn er meer: roep opnieuw aan met after: { $after }
mcp-no-sources = Er zijn geen bronnen.
mcp-no-tables = Er zijn geen tabellen.
mcp-see-more = (detail: true toont ze met hun bronnen)
mcp-plan = Plan voor “{ $topic }”. Er is nog niets geschreven.
mcp-draft = { $path } is geschreven (uitkomst: { $verdict }).
mcp-draft-empty = Er is niets geschreven naar { $path } (uitkomst: { $verdict }).
mcp-section-empty = { $title } is leeg: { $reason }
mcp-cited = Aangehaalde bronnen: { $paths }
mcp-more-evidence = en nog { $number } (detail: true toont ze)
