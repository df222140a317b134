source-none-yet = No sources yet. Put files into sources/ and run `foundry ingest`.
source-not-read = Not read:
source-status-failed = failed
source-status-left_out = left out
source-attached-to = Attached to { $path }
source-attachments = Attachments: { $paths }
source-tags = ; tags: { $tags }
source-revision = Revision: { $revision }
source-date = Date: { $date }
source-names = Names:
source-name-aliases = , or { $aliases }
source-name-organisation = organisation
source-name-product = product
source-name-identifier = type or document number
source-name-term = defined term
source-name-abbreviation = abbreviated
source-summary = Summary:
source-sections = Sections:
source-page = p. { $page }
source-no-tables = This source has no tables.
source-table-untitled = Untitled table
source-table-uncertain = The structure of this table is in doubt; labels may be missing.
source-files-kept = The files are kept; the next `foundry ingest` of their folder reads them again.
source-unknown = This project has no source '{ $name }'.
    .fix = Run `foundry sources list` to see all paths.
source-did-you-mean = Did you mean { $paths }?
source-filter-dates-reversed = from={ $from } is later than to={ $to }.
    .fix = Swap the dates.
source-filter-invalid = Invalid filter: '{ $text }'.
    .fix = Write KEY=VALUE; the keys are { $keys }.
source-filter-twice = { $key }= was given twice.
    .fix = Give one date.
source-filter-date = Invalid date: '{ $text }'.
    .fix = Write the date as 2026-01-31.
source-no-type = no source has the type '{ $value }'; known: { $known }.
source-no-tag = no source has the tag '{ $value }'; known: { $known }.
source-none-known = none
source-file-gone = file is gone since it was ingested
