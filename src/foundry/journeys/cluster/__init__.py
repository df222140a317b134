"""A Ray cluster that reads and embeds; everything that touches the store stays in this process.

Without it, parser processes of this machine do the same. Only a project with ``ingest.ray``, or a command with
``--ray``, imports Ray.
"""

from foundry.journeys.cluster.executor import Cluster, open_cluster, use_cluster
