"""``python -m bench.dense_once scan|search FOLDER``: one dense query in a process of its own.

For ``bench dense``; prints milliseconds elapsed and of CPU as JSON, imports not counted.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from bench.dense import scan, search_once, time_call
from bench.stores.kept import read_queries

if __name__ == "__main__":
    way = {"scan": scan, "search": search_once}[sys.argv[1]]
    root = Path(sys.argv[2])
    query = read_queries(root)[0].vector
    print(json.dumps(time_call(lambda: way(root, query))))
