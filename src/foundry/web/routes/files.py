"""Files in and out: uploads with the jobs that read them, originals, and the built document."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Depends, File, Form, Query, Request, Response, UploadFile
from fastapi.responses import FileResponse
from pydantic import AfterValidator

from foundry.errors import ReadError
from foundry.journeys.delivery import build, choose_targets, get_built_file
from foundry.journeys.extraction import export_table
from foundry.journeys.index import IngestOptions
from foundry.journeys.passages.pages import open_original
from foundry.journeys.sources import get_source
from foundry.journeys.work import enqueue, name_worker
from foundry.journeys.work.uploads import Upload, dismiss_unread, find_job, receive
from foundry.messages import Message
from foundry.records import Confidentiality, Job
from foundry.render.files import make_file_name
from foundry.web.replays import Key
from foundry.web.security.callers import Bound, Known, Owned, UsedSite, audit_request
from foundry.web.site import Site
from foundry.wire.projects import WorkCancelJson
from foundry.wire.requests import BuildRequest, require_whole_text
from foundry.wire.server import ServerJobJson, ServerJobsJson, UploadJson

router, documents = APIRouter(tags=["sources"]), APIRouter(tags=["documents"])
tables = APIRouter(tags=["tables"])
TYPES = {
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
}
"""Format → its media type."""


@router.post("/uploads", dependencies=[Depends(audit_request("source.upload"))])
def upload(
    *,
    request: Request,
    workspace: Owned,
    caller: Known,
    site: UsedSite,
    files: Annotated[list[UploadFile], File()],
    tags: Annotated[list[str] | None, Form(), AfterValidator(require_whole_text)] = None,
    confidentiality: Annotated[Confidentiality | None, Form()] = None,
    replace: Annotated[bool, Form()] = False,
    keep_both: Annotated[bool, Form()] = False,
    revises: Annotated[bool, Form()] = False,
    key: Key = None,
) -> UploadJson:
    """Send files; each becomes a job, or is refused with its reason. The owner's alone.

    A name that another file has is refused, unless the form says ``replace``, ``keep_both``, or that
    it ``revises`` that file: then both are kept, and the new one is its later revision.
    """
    request.state.subject = " ".join(file.filename or "" for file in files)

    def send() -> UploadJson:
        sent = [Upload(file.filename or "", file.file) for file in files]
        labels = tuple(tags) if tags else None
        jobs, known = receive(
            workspace,
            sent,
            tags=labels,
            confidentiality=confidentiality,
            replace=replace,
            keep_both=keep_both,
            revises=revises,
            author=caller.name,
        )
        site.worker.wake()
        return UploadJson(jobs=jobs, files=known)

    def describe() -> str:
        sent = [(file.filename, _hash(file)) for file in files]
        return repr((sent, tags, confidentiality, replace, keep_both, revises))

    return site.replays.run(key, (caller.name, "upload"), describe, send)


def _hash(file: UploadFile) -> str:
    digest = hashlib.sha256()
    for part in iter(partial(file.file.read, 1 << 20), b""):
        digest.update(part)
    file.file.seek(0)
    return digest.hexdigest()


@router.post("/ingest", dependencies=[Depends(audit_request("folder.ingest"))])
def read_folder(workspace: Owned, site: UsedSite) -> UploadJson:
    """Make a job of every file in the folder that is new, changed, or not searched by vectors yet; the owner's alone."""
    jobs, tally = enqueue(workspace)
    site.worker.wake()
    return UploadJson(jobs=jobs, files=tally.files)


@router.delete("/unread", status_code=204, dependencies=[Depends(audit_request("unread.dismiss"))])
def dismiss(request: Request, path: Annotated[str, Query()], workspace: Owned) -> None:
    """Forget a file that could not be read, until an ingest finds it again; the owner's alone."""
    request.state.subject = path
    dismiss_unread(workspace, path)


@router.get("/jobs")
def list_jobs(
    workspace: Owned,
    site: UsedSite,
    open: Annotated[bool, Query()] = False,  # noqa: A002 - the name in the address
) -> ServerJobsJson:
    """The files that wait, are being read, or, without ``?open=true``, were read last; the owner's alone."""
    store = workspace.maintenance()
    jobs = store.list_open_jobs() if open else store.list_jobs()
    return ServerJobsJson(jobs=[_describe(job, site) for job in jobs], step=site.worker.step)


def _describe(job: Job, site: Site) -> ServerJobJson:
    own = job.status == "running" and job.worker == name_worker()
    return ServerJobJson.copy_fields(job, step=site.worker.step if own else None)


@router.get("/jobs/{job_id}")
def show_job(job_id: str, workspace: Owned, site: UsedSite) -> ServerJobJson:
    """One job: the stage it is in, or what became of its file; the owner's alone."""
    return _describe(find_job(workspace, job_id), site)


@router.post("/jobs/{job_id}/cancel", dependencies=[Depends(audit_request("job.cancel"))])
def cancel(job_id: str, workspace: Owned) -> WorkCancelJson:
    """Cancel a job that waits or runs: its file stays, the index is left as it was. The owner's alone."""
    job = find_job(workspace, job_id)
    return WorkCancelJson(cancelled=workspace.maintenance().cancel_jobs([job.path]))


@router.post("/sources/{source_id}/ingest", dependencies=[Depends(audit_request("source.ingest"))])
def read_again(source_id: str, workspace: Owned, site: UsedSite) -> UploadJson:
    """Read a source's file again if it changed; the owner's alone."""
    source = get_source(workspace, source_id)
    jobs, tally = enqueue(workspace, [workspace.root / source.path], IngestOptions())
    site.worker.wake()
    return UploadJson(jobs=jobs, files=tally.files)


@router.get(
    "/sources/{source_id}/original",
    response_class=FileResponse,
    dependencies=[Depends(audit_request("source.download"))],
)
def download_original(source_id: str, workspace: Bound) -> FileResponse:
    """The file that a source was read from, as a download."""
    source = get_source(workspace, source_id)
    path = open_original(workspace, source)
    if isinstance(path, Message):
        raise ReadError(path, where=source.path)
    name = source.path.rpartition("/")[2]
    return FileResponse(path, media_type="application/octet-stream", filename=name)


@documents.post(
    "/build",
    response_class=Response,
    dependencies=[Depends(audit_request("build"))],
)
def build_(body: BuildRequest, workspace: Bound, site: UsedSite) -> Response:
    """The client's document from all accepted drafts, as a download; the owner's is kept as well."""
    targets = choose_targets(workspace, None, (body.format,))
    with site.slots:
        built = build(
            workspace,
            targets,
            title=body.title,
            language=body.language,
            allow_stale=body.allow_stale,
            overwrite=True,
            keep=workspace.principal.sees_all,
        )
    path, _size = built.files[body.format]
    named = f"attachment; filename*=UTF-8''{path.name}"
    headers = {"Content-Disposition": named}
    return Response(built.rendered[body.format], media_type=TYPES[body.format], headers=headers)


@tables.get(
    "/tables/{table}/export",
    response_class=Response,
    dependencies=[Depends(audit_request("table.export"))],
)
def export(
    table: str,
    workspace: Bound,
    form: Annotated[Literal["csv", "xlsx", "docx", "html"], Query(alias="format")] = "csv",
) -> Response:
    """A table as a download, each cell with its citation."""
    data = export_table(workspace, table, form)
    named = f"attachment; filename*=UTF-8''{quote(make_file_name(table))}.{form}"
    headers = {"Content-Disposition": named}
    return Response(data, media_type=TYPES[form], headers=headers)


@documents.get(
    "/builds/{format}",
    response_class=FileResponse,
    dependencies=[Depends(audit_request("build.download"))],
)
def download_build(format: str, workspace: Owned) -> FileResponse:  # noqa: A002 - in the address
    """The file of the last build in a format, as a download; the owner's alone."""
    path = get_built_file(workspace, format).path
    return FileResponse(path, media_type=TYPES[format], filename=path.name)
