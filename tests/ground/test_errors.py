"""Errors keep their parts across processes and name a fix."""

from __future__ import annotations

import pickle

import pytest

from foundry import errors


def kinds() -> list[type[errors.FoundryError]]:
    found = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    return [kind for kind in found if issubclass(kind, errors.FoundryError)]


@pytest.mark.parametrize("kind", kinds())
def test_an_error_survives_pickling(kind: type[errors.FoundryError]) -> None:
    error = pickle.loads(
        pickle.dumps(kind("verbatim", text="It broke.", where="here", fix="Mend it."))
    )
    assert type(error) is kind
    assert (error.code, error.message, error.where, error.fix) == (
        kind.code,
        "It broke.",
        "here",
        "Mend it.",
    )


def test_every_error_class_has_its_own_code() -> None:
    codes = [kind.code for kind in kinds()]
    assert len(set(codes)) == len(codes)


def test_the_tree_in_the_docstring_names_every_class() -> None:
    drawn = errors.__doc__ or ""
    assert [kind.__name__ for kind in kinds() if kind.__name__ not in drawn] == []


def test_what_to_do_next_is_said_to_a_request_without_options() -> None:
    several = errors.RuleError("feature-required", number=2, names=["a", "c"], first="a")
    assert "--feature" in several.fix
    assert several.request_fix == "Name one as feature, such as a."
    widen = errors.UsageError("build-format-unknown", name="x", suffixes=".md")
    assert ("--format" in widen.fix, widen.request_fix) == (True, "")
    rebuild = errors.IndexMissing("search-no-embeddings", model="m")
    assert rebuild.request_fix == rebuild.fix
