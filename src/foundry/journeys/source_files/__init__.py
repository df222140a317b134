"""From files to saved sources: find what changed, read it, and remember what could not be read.

Text and BM25 of each source are committed as soon as it is read, in one transaction. A file that
cannot be read is a row of the project and of the report, never an exception.
"""

from foundry.journeys.source_files.disk import compare_files
from foundry.journeys.source_files.run import (
    find_changed,
    list_new,
    list_source_ids,
    open_parser_pool,
    read_sources,
)
from foundry.journeys.source_files.tally import Tally, start_tally
