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
