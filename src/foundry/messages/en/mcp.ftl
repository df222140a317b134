mcp-waiting = Waiting for a client on standard input. `foundry mcp --config` shows how a client starts this server itself; Ctrl-C stops it.
mcp-invalid = The arguments are not valid: { $cause }
    .fix = The tool takes { $known }.
mcp-one-place = Both or neither of source and chunk_id were given.
    .fix = Give one of them.
mcp-other-project = This server has the project { $name }, not { $asked }.
    .fix = Leave out project, or connect to the server of that project.
mcp-other-role = This connection has the role { $role }; a call cannot ask for { $asked }.
    .fix = Leave out role. The role comes from the token, or from --role where the server is started.
mcp-unexpected = Something went wrong in Foundry. Its log has the details.
    .fix = Try again. If it happens again, report it.
mcp-verdict = Verdict: { $verdict }
mcp-gate = Gate: { $decision }
mcp-hit = { $number }. { $place } ({ $id })
mcp-unverified = Not verified: “{ $sentence }”
mcp-ids = Read on with read_passage, by chunk_id: { $ids }
mcp-span = { $place }, characters { $start } to { $end } of { $length }:
mcp-span-goes-on = { $place }, characters { $start } to { $end } of { $length } (it goes on: char_start { $end }):
mcp-pages = { $number ->
    [one] 1 page
   *[other] { $number } pages
}
mcp-unread = { $path } could not be read: { $reason }
mcp-next = There are more: call again with after: { $after }
mcp-no-sources = There are no sources.
mcp-no-tables = There are no tables.
mcp-see-more = (detail: true lists them with their sources)
mcp-plan = Plan for “{ $topic }”. Nothing is written yet.
mcp-draft = Wrote { $path } (verdict: { $verdict }).
mcp-draft-empty = Nothing was written to { $path } (verdict: { $verdict }).
mcp-section-empty = { $title } is empty: { $reason }
mcp-cited = Sources cited: { $paths }
mcp-more-evidence = and { $number } more (detail: true lists them)
