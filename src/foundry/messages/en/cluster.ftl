cluster-address = The address of a Ray cluster is HOST:PORT, such as 192.0.2.7:6379, or local.
    .fix = `ray status` on a node of the cluster shows its address.
cluster-away = No Ray cluster answers there ({ $cause }).
    .fix = Check the address, and that the cluster runs: `ray status --address HOST:PORT`.
cluster-no-ray = What answers there is not Ray.
    .fix = Give the address of the head node, with the port that `ray start --head` shows (6379 by default).
cluster-refused = Ray could not be used: { $cause }
    .fix = This machine must be a node of the cluster (`ray start --address HOST:PORT`), with the same versions of Ray and Python.
cluster-silent = The nodes of the cluster did not answer ({ $cause }).
    .fix = Look at `ray status`; nodes that are gone have to be started again.
cluster-gone = The head node of the cluster is gone.
    .fix = Start the cluster again, or leave out --ray, and run the command again: what was read and embedded is kept.
cluster-other-foundry = Node { $node } has { $theirs ->
        [none] no Foundry
       *[other] Foundry { $theirs }
    }; this is { $ours }. Its results would differ.
    .fix = Install the same Foundry on all nodes, and start them again.
cluster-other-model = A node has another embedding model under the name { $model }: its vectors would differ.
    .fix = Put the same files on all nodes.
cluster-empty = The cluster has no processor for this.
    .fix = Start a node with processors: `ray start --address HOST:PORT --num-cpus 4`.
cluster-task-failed = A node failed at it: { $cause }.
cluster-task-lost = Every cluster process that tried this ended ({ $cause }).
    .fix = The file may take more memory than a node has; run the command again.
cluster-file-unseen = No node of the cluster sees this file, and larger ones than { $limit } MB are not sent.
    .fix = Give the nodes the project's folder under the same path.
cluster-sqlite-elsewhere = Node { $node } is another machine, and an SQLite file cannot be read safely from there.
    .fix = Use PostgreSQL (`foundry copy`), --ray local, or no --ray. A side index is an SQLite file too.
cluster-other-index = Node { $node } has another index of this project.
    .fix = The sources have changed meanwhile, or the folder on the node is a copy: run the command again when no ingest is running.
