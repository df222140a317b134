action-ingest = “Read” on the page Sources
action-sources = the page Sources
action-sources-list = the page Sources
action-sources-show = the details of the source on the page Sources
action-sources-remove = “Remove” in the details of the source
action-log-list = the page Log
action-search = the page Ask
action-server = on the server
