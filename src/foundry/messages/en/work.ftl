work-busy = { $workers ->
        [0] no worker is running; start one with `foundry work`
       *[other] { $workers ->
            [one] one worker
           *[other] { $workers } workers
        }, { $n ->
            [0] none busy
           *[other] { $n } busy
        }
    }
work-workers = { $n ->
        [0] no worker is running: start one
        [one] one worker is running; start more
       *[other] { $n } workers are running; start more
    }
work-queued = { $n ->
        [0] No file has to be read.
        [one] One file waits for a worker; { $workers } with `foundry work`, on any machine that has this folder and reaches the database.
       *[other] { $n } files wait for workers; { $workers } with `foundry work`, on any machine that has this folder and reaches the database.
    }
work-listed = { $n ->
        [0] No worker is running: start one with `foundry work`.
        [one] One worker is running: { $names }.
       *[other] { $n } workers are running: { $names }.
    }
work-lost = { $n } workers started it and none finished: they were killed, or the file is too much for them.
work-too-long = It took more than { $minutes } minutes.
work-file-gone = The file no longer exists, or is not on the worker's machine.
work-cancelled = cancelled
work-started = Waiting for files, as { $worker }. Press Ctrl-C to stop.
work-ended = { $n ->
        [one] One job
       *[other] { $n } jobs
    } done.
work-none = No jobs.
work-cancelled-jobs = { $n ->
        [one] One job
       *[other] { $n } jobs
    } cancelled.
work-status-waiting = waiting
work-status-running = running
work-status-done = done
work-status-failed = failed
work-status-cancelled = cancelled
work-outage = { $problem } Waiting for it.
work-other-recipe = This file was enqueued by another Foundry ({ $theirs }; this worker is { $ours }) or with other settings: its chunks or vectors would differ.
    .fix = Use the same version, foundry.yaml and environment, or run `foundry ingest --enqueue` again from here.
work-unknown-job = No job has the id '{ $id }'.
    .fix = Run `foundry work list` to see them.
work-skipped = Project { $project } is skipped: { $problem }
work-no-projects = No folder in there is a project.
    .fix = Name the folder that has the projects' folders in it.
