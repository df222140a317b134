"""A Ray cluster that reads files, embeds texts and asks the questions of evaluation runs.

Only this process writes to the store. Without a cluster, processes of this machine do the same. Only a
project with ``ingest.ray``, or a command with ``--ray``, imports Ray.
"""

from foundry.journeys.cluster.executor import Cluster, open_cluster, use_cluster
