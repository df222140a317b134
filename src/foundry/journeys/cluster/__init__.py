"""A Ray cluster as the executor: the pure part of long work runs there, the store stays here.

The default is still the processes of this machine. Only a project with ``ingest.ray``, or a command with
``--ray``, imports Ray.
"""

from foundry.journeys.cluster.executor import Cluster, open_cluster, use_cluster
