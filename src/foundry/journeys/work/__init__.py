"""An ingest by workers: files become jobs in the project's database, which any process takes up."""

from foundry.journeys.work.jobs import enqueue, follow, ingest_by_workers, work
from foundry.journeys.work.workers import WorkerWatch, list_workers, name_worker, sign_in
