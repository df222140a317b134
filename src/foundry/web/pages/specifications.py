"""A specification: as a form or as Markdown, checked, saved, approved, compared and deleted."""

from __future__ import annotations

from itertools import zip_longest
from typing import Annotated, Literal, get_args
from urllib.parse import quote

from fastapi import APIRouter, Form, Header, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import Field, ValidationError

from foundry.errors import ChangedMeanwhile, FoundryError
from foundry.operations import documents
from foundry.records import Specification
from foundry.records.kinds import SectionForm
from foundry.web.pages.acts import act, describe, get_status, refuse, split_lines
from foundry.web.pages.templates import render_page, render_part
from foundry.web.security.callers import Bound, Owned, make_scope
from foundry.wire.documents import SpecificationTextJson
from foundry.wire.requests import PersonRequest, RequestModel, SectionRequest, SpecificationRequest
from foundry.workspace import Workspace

router = APIRouter(prefix="/documents/specifications")
FORMS: tuple[str, ...] = get_args(SectionForm)
SPARE = 2
"""Empty rows below the sections of a form, for a browser without scripts."""
View = Literal["form", "markdown"]


class SpecificationForm(RequestModel):
    """The fields of the page; the three lists have an item for each section."""

    view: View = "form"
    seen: str = Field(default="", max_length=200)
    title: str = ""
    owner: str = ""
    section: list[str] = Field(default=[], max_length=1000)
    form: list[str] = Field(default=[], max_length=1000)
    wants: list[str] = Field(default=[], max_length=1000)
    hierarchy: str = ""
    markdown: str = ""

    def list_rows(self) -> list[tuple[str, str, str]]:
        """The sections, each with its form and its wants, a line for each."""
        rows = zip_longest(self.section, self.form, self.wants, fillvalue="")
        return [(title.strip(), form, wants) for title, form, wants in rows if title.strip()]

    def build_request(self) -> SpecificationRequest:
        """The request that the fields make. Raises ``UsageError`` if they are invalid."""
        try:
            if self.view == "markdown":
                return SpecificationRequest(markdown=self.markdown.replace("\r\n", "\n"))
            return SpecificationRequest(
                title=self.title,
                owner=self.owner,
                sections=[
                    SectionRequest.model_validate(
                        {"title": title, "form": form or None, "wants": split_lines(wants)}
                    )
                    for title, form, wants in self.list_rows()
                ],
                source_hierarchy=split_lines(self.hierarchy),
            )
        except ValidationError as error:
            raise refuse(error) from error


class DecisionForm(PersonRequest):
    """Who approves what the page showed."""

    seen: str = Field(default="", max_length=200)


def fill_form(spec: Specification, view: View) -> SpecificationForm:
    """The form, filled in from a specification."""
    wants = SpecificationTextJson.from_record(spec).wants
    return SpecificationForm(
        view=view,
        seen=spec.content_hash,
        title=spec.title,
        owner=spec.owner,
        section=list(spec.sections),
        form=[spec.forms.get(title, "") for title in spec.sections],
        wants=["\n".join(wants.get(title, ())) for title in spec.sections],
        hierarchy="\n".join(spec.source_hierarchy),
        markdown=spec.markdown,
    )


@router.get("/{name}")
def show(
    request: Request, workspace: Bound, name: str, view: Annotated[View, Query()] = "form"
) -> HTMLResponse:
    """The specification, to be changed by the owner and read by others."""
    return _render(request, workspace, name, view=view)


@router.post("/{name}/check")
def check(
    request: Request,
    workspace: Owned,
    name: str,
    form: Annotated[SpecificationForm, Form()],
    part: Annotated[str, Header(alias="X-Part")] = "",
) -> HTMLResponse:
    """Check what was typed without saving it; shows the whole page, or only what is wrong."""
    try:
        asked = form.build_request()
        found = documents.check_unsaved.perform(
            make_scope(request, workspace), name=name, asked=asked
        )
    except FoundryError as error:
        if part:
            return HTMLResponse(render_part("parts", "refusal", describe(error, workspace)))
        return _render(request, workspace, name, form=form, error=error)
    if part:
        return HTMLResponse(render_part("parts", "problems", found.problems))
    return _render(request, workspace, name, form=form, checked=found)


@router.post("/{name}/save")
def save(
    request: Request, workspace: Owned, name: str, form: Annotated[SpecificationForm, Form()]
) -> Response:
    """Save what was typed, if nobody saved anything else since the page was shown."""
    try:
        asked, seen = form.build_request(), form.seen
        act(request, workspace, documents.change_feature, seen=seen, name=name, asked=asked)
    except FoundryError as error:
        return _render(request, workspace, name, form=form, error=error)
    return _go_back(name, form.view)


@router.post("/{name}/approve")
def approve(
    request: Request, workspace: Owned, name: str, form: Annotated[DecisionForm, Form()]
) -> Response:
    """Approve what the page showed."""
    try:
        act(request, workspace, documents.approve, seen=form.seen, name=name, asked=form)
    except FoundryError as error:
        return _render(request, workspace, name, error=error)
    return _go_back(name)


@router.post("/{name}/revoke")
def revoke(request: Request, workspace: Owned, name: str) -> Response:
    """Make it a draft again."""
    try:
        act(request, workspace, documents.revoke, name=name)
    except FoundryError as error:
        return _render(request, workspace, name, error=error)
    return _go_back(name)


@router.post("/{name}/delete")
def delete(
    request: Request, workspace: Owned, name: str, seen: Annotated[str, Form()] = ""
) -> Response:
    """Delete what the page showed."""
    try:
        act(request, workspace, documents.delete_feature, seen=seen, name=name)
    except FoundryError as error:
        return _render(request, workspace, name, error=error)
    return RedirectResponse("/documents", status_code=303)


def _go_back(name: str, view: View = "form") -> RedirectResponse:
    query = "" if view == "form" else f"?view={view}"
    return RedirectResponse(
        f"/documents/specifications/{quote(name, safe='')}{query}", status_code=303
    )


def _render(
    request: Request,
    workspace: Workspace,
    name: str,
    *,
    view: View = "form",
    form: SpecificationForm | None = None,
    checked: Specification | None = None,
    error: FoundryError | None = None,
) -> HTMLResponse:
    scope = make_scope(request, workspace)
    spec = documents.show_feature.perform(scope, name=name)
    newer = spec.markdown if form and isinstance(error, ChangedMeanwhile) else ""
    if newer and form:
        # The page shows the newer text, so saving again may replace it.
        form = form.model_copy(update={"seen": spec.content_hash})
    form = form or fill_form(spec, view)
    changed = spec.approval is not None and not spec.approved
    return render_page(
        "specification",
        workspace=workspace,
        current="/documents",
        status=get_status(error),
        spec=spec,
        form=form,
        rows=[*form.list_rows(), *[("", "", "")] * SPARE],
        forms=FORMS,
        compared=documents.diff_feature.perform(scope, name=spec.name) if changed else None,
        found=checked or documents.check_feature.perform(scope, name=spec.name).features[0],
        newer=newer,
        person=scope.who,
        problem=error and describe(error, workspace),
    )
