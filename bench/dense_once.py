"""``python -m bench.dense_once scan|search FOLDER``: one dense query in a process of its own.

For ``bench dense``; prints milliseconds elapsed and of CPU as JSON, imports not counted.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from bench.dense import scan, search_once, time_call
from bench.large_index import draw_query

if __name__ == "__main__":
    way = {"scan": scan, "search": search_once}[sys.argv[1]]
    root, query = Path(sys.argv[2]), draw_query(np.random.default_rng(3))
    print(json.dumps(time_call(lambda: way(root, query))))
