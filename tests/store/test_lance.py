"""LanceDB beside a store: it finds what the store finds, and says when it cannot."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from foundry.errors import ConfigError, StoreError, StoreUnavailable
from foundry.records import Filters
from foundry.store import Store, add_engine, open_store
from foundry.store.lance import LanceEngine
from tests.store.contract import FilterContract, RoleContract, VectorContract
from tests.store.rebuild_contract import RebuildContract
from tests.store.records import MODEL, PROJECT, URL, embed, make_source, vector

pytestmark = pytest.mark.skipif(find_spec("lancedb") is None, reason="the extra is not installed")

ENGINE = "lancedb:///.foundry/lancedb"
EVERYTHING = Filters()


def find(store: Store, text: str) -> list[str]:
    return [hit.chunk_id for hit in store.search_vectors(MODEL, vector(text), 10, EVERYTHING)]


def describe(store: Store) -> dict[str, Any]:
    return dict(store.index_status(MODEL).ways.vectors.params)


def list_problems(store: Store) -> set[str]:
    return {problem.code for problem in store.verify()}


def open_table(folder: Path) -> Any:
    # Imported here: it takes seconds, which only the process that runs these tests needs.
    import lancedb

    tables = lancedb.connect(folder / ".foundry/lancedb")
    return tables.open_table(tables.list_tables().tables[0])


class TestLance(VectorContract, FilterContract, RoleContract, RebuildContract):
    @pytest.fixture
    def store(self, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
        """An empty SQLite store whose vectors LanceDB gets at once and must find."""
        monkeypatch.setattr("foundry.store.relational.engine.UPDATE_ROWS", 1)
        add_engine(store, ENGINE, "error", tmp_path, PROJECT)
        return store


@pytest.fixture
def both(store: Store, tmp_path: Path) -> Store:
    """A store with two sources, which LanceDB has."""
    for path, text in (("a.md", "Cable."), ("b.md", "Lamp.")):
        store.save_source(*make_source(path, text))
    embed(store)
    add_engine(store, ENGINE, "error", tmp_path, PROJECT)
    store.rebuild_engine()
    return store


def test_an_index_finds_what_every_vector_compared_finds(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foundry.store.lance.INDEXED_ROWS", 1000)
    monkeypatch.setattr("foundry.store.lance.FEW_ROWS", 0)
    store.save_source(*make_source("a.md", *[f"Part {n} has {n % 7} pins." for n in range(1000)]))
    embed(store)
    exact = [find(store, f"part {n} pins") for n in range(20)]
    add_engine(store, ENGINE, "error", tmp_path, PROJECT)
    store.rebuild_engine()
    assert "vector_idx" in {index.name for index in open_table(tmp_path).list_indices()}
    found = [find(store, f"part {n} pins") for n in range(20)]
    shared = [len({*one} & {*other}) for one, other in zip(exact, found, strict=True)]
    assert sum(shared) >= 0.98 * sum(map(len, exact))


def test_what_changed_since_the_last_update_is_found(both: Store) -> None:
    both.remove_source(make_source("a.md", "Cable.").source.id)
    new = make_source("c.md", "Lamp.")
    both.save_source(*new)
    embed(both)
    assert describe(both)["changed"] == 2
    assert find(both, "lamp")[0] == new.ids()[0]
    assert len(find(both, "lamp")) == 2


def test_the_end_of_a_run_brings_the_engine_up_to_date(both: Store) -> None:
    both.save_source(*make_source("c.md", "Plug."))
    embed(both)
    both.finish_run(both.start_run({}), {})
    assert (describe(both)["n"], describe(both)["changed"]) == (3, 0)
    assert both.verify() == []


def test_a_role_does_not_see_how_much_the_engine_has(both: Store) -> None:
    ways = both.view("public").index_status(MODEL).ways
    assert ways.vectors.params.keys() == {"name", "version", "place"}


def test_a_source_that_became_secret_is_not_found_below(both: Store) -> None:
    secret = make_source("b.md", "Lamp.", confidentiality="secret")
    both.update_source(secret.source)
    hits = both.view("internal").search_vectors(MODEL, vector("lamp"), 10, EVERYTHING)
    assert secret.ids()[0] not in {hit.chunk_id for hit in hits}


def test_a_search_that_lacks_too_much_fails(both: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foundry.store.relational.engine.MOST_BEHIND", 1)
    both.save_source(*make_source("c.md", "Plug.", "Socket."))
    embed(both)
    with pytest.raises(StoreUnavailable, match="lacks more changes"):
        find(both, "lamp")


def damage_data(folder: Path) -> None:
    for file in folder.rglob("data/*.lance"):
        file.write_bytes(file.read_bytes()[:100])


def damage_manifest(folder: Path) -> None:
    for file in folder.rglob("_versions/*"):
        file.write_bytes(b"of another version")


@pytest.mark.parametrize("damage", [damage_data, damage_manifest])
def test_a_damaged_engine_is_replaced_by_the_database_and_said(
    both: Store, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    found = find(both, "lamp")
    damage(tmp_path / ".foundry/lancedb")
    add_engine(both, ENGINE, "store", tmp_path, PROJECT)
    assert find(both, "lamp") == found
    assert [notice.code for notice in both.take_notices()] == ["engine-fallback"]
    assert both.take_notices() == ()
    assert list_problems(both) == {"engine_problem"}


def test_a_damaged_engine_fails_where_it_must_not_be_replaced(both: Store, tmp_path: Path) -> None:
    damage_data(tmp_path / ".foundry/lancedb")
    with pytest.raises(StoreUnavailable, match="search engine failed"):
        find(both, "lamp")


@pytest.mark.parametrize("damage", [damage_data, damage_manifest])
def test_a_rebuild_repairs_a_damaged_engine(
    both: Store, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    damage(tmp_path / ".foundry/lancedb")
    assert both.rebuild_engine() == 2
    assert len(find(both, "lamp")) == 2
    assert both.verify() == []


def test_a_check_finds_what_differs(both: Store, tmp_path: Path) -> None:
    table = open_table(tmp_path)
    table.add(table.search().where("row = 1").to_arrow().slice(0, 1).set_column(0, "row", [[99]]))
    table.update(where="row = 1", values={"vector": [1.0] * 32})
    table.delete("row = 2")
    assert list_problems(both) == {"engine_lacks", "engine_extra", "engine_differs"}


def test_a_row_of_no_chunk_is_not_found(both: Store, tmp_path: Path) -> None:
    open_table(tmp_path).update(where="row = 1", values={"row": 99})
    assert len(find(both, "cable")) == 1


def test_an_engine_ahead_of_the_database_fails(both: Store, tmp_path: Path) -> None:
    table = open_table(tmp_path)
    table.update_field_metadata({"path": "row", "metadata": {"change": "1000"}})
    with pytest.raises(StoreUnavailable, match="differ from those in the database"):
        find(both, "lamp")


def test_an_interrupted_update_is_done_again(both: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    both.save_source(*make_source("c.md", "Plug."))
    embed(both)
    monkeypatch.setattr("foundry.store.lance.LanceTable.write_state", interrupt)
    with pytest.raises(KeyboardInterrupt):
        both.finish_run(both.start_run({}), {})
    monkeypatch.undo()
    both.finish_run(both.start_run({}), {})
    assert describe(both)["n"] == 3
    assert both.verify() == []


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("url", ["milvus://localhost", "lancedb:///", "lancedb+s3://", "lancedb"])
def test_another_address_is_refused(store: Store, tmp_path: Path, url: str) -> None:
    with pytest.raises(ConfigError, match="Not an address of a search engine"):
        add_engine(store, url, "store", tmp_path, PROJECT)


def test_a_folder_outside_the_project_is_not_made(store: Store, tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        add_engine(store, "lancedb:///../elsewhere/lance", "store", tmp_path, PROJECT)
    assert not (tmp_path.parent / "elsewhere").exists()


def test_a_run_ends_with_what_the_engine_did_not_get(both: Store, tmp_path: Path) -> None:
    damage_manifest(tmp_path / ".foundry/lancedb")
    add_engine(both, ENGINE, "store", tmp_path, PROJECT)
    behind = both.finish_run(both.start_run({}), {})
    assert behind
    assert behind.code == "engine-not-updated"
    both.rebuild_engine()
    assert both.finish_run(both.start_run({}), {}) is None


def test_an_engine_of_another_project_is_refused_and_left_as_it_is(
    both: Store, tmp_path: Path
) -> None:
    add_engine(both, ENGINE, "store", tmp_path, "prj_other")
    for use in (lambda: find(both, "lamp"), both.rebuild_engine):
        with pytest.raises(StoreError, match="another project's"):
            use()
    assert open_table(tmp_path).count_rows() == 2


def copy_project(origin: Path, target: Path, *, whole: bool) -> Store:
    """Open a copy of a project: its database, or its ``whole`` folder with the engine."""
    if whole:
        shutil.copytree(origin, target)
    else:
        (target / ".foundry").mkdir(parents=True)
        with closing(sqlite3.connect(origin / ".foundry/foundry.db")) as connection:
            connection.execute("VACUUM INTO ?", (str(target / ".foundry/foundry.db"),))
    return open_store(URL, target, PROJECT)


def test_an_engine_of_another_copy_is_refused_and_left_as_it_is(
    both: Store, tmp_path: Path
) -> None:
    with closing(copy_project(tmp_path, tmp_path / "copy", whole=False)) as copy:
        shared = f"lancedb:///{tmp_path}/.foundry/lancedb"
        add_engine(copy, shared, "store", tmp_path / "copy", PROJECT)
        for use in (lambda: find(copy, "lamp"), copy.index_vectors):
            with pytest.raises(StoreError, match="another database with this project"):
                use()
        assert list_problems(copy) == {"engine_problem"}
        assert find(both, "lamp")
        copy.rebuild_engine()
        assert find(copy, "lamp")
    add_engine(both, ENGINE, "store", tmp_path, PROJECT)
    with pytest.raises(StoreError, match="another database with this project"):
        find(both, "lamp")


def test_an_engine_that_another_copy_at_the_same_path_updated_is_refused(
    both: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on two machines, or after the database went back to an earlier state and on from there."""
    kept = copy_project(tmp_path, tmp_path / "kept", whole=False)
    save_and_update(both, "c.md")
    monkeypatch.setattr("foundry.store.lance.LanceEngine.follow", follow_path(tmp_path))
    with closing(kept):
        add_engine(
            kept, f"lancedb:///{tmp_path}/.foundry/lancedb", "error", tmp_path / "kept", PROJECT
        )
        for number in range(9):
            kept.save_source(*make_source(f"{number}.md", "Plug."))
        embed(kept)
        for use in (lambda: find(kept, "lamp"), kept.index_vectors):
            with pytest.raises(StoreUnavailable, match="another copy"):
                use()
        assert "engine_problem" in list_problems(kept)
        kept.rebuild_engine()
        assert len(find(kept, "lamp")) == 10
        with pytest.raises(StoreUnavailable, match="another copy"):
            find(both, "lamp")


def save_and_update(store: Store, path: str) -> None:
    store.save_source(*make_source(path, "Plug."))
    embed(store)
    store.finish_run(store.start_run({}), {})


def follow_path(path: Path) -> Callable[[LanceEngine, str], None]:
    """Have every database be that of one path."""
    follow = LanceEngine.follow
    return lambda engine, _store: follow(engine, str(path / ".foundry/foundry.db"))


def test_an_update_that_stopped_before_the_engine_had_it_is_done_again(
    both: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        both.save_source(*make_source("c.md", "Plug."))
        embed(both)
        monkeypatch.setattr("foundry.store.lance.LanceTable.replace", interrupt)
        with pytest.raises(KeyboardInterrupt):
            both.finish_run(both.start_run({}), {})
        monkeypatch.undo()
    save_and_update(both, "d.md")
    assert describe(both)["n"] == 4


def test_a_project_may_be_moved_with_its_engine(both: Store, tmp_path: Path) -> None:
    found = find(both, "lamp")
    with closing(copy_project(tmp_path, tmp_path.parent / "moved", whole=True)) as moved:
        add_engine(moved, ENGINE, "error", tmp_path.parent / "moved", PROJECT)
        assert find(moved, "lamp") == found


def test_an_engine_in_another_projects_folder_is_refused(store: Store, tmp_path: Path) -> None:
    own, other = tmp_path / "own", tmp_path / "other"
    for folder in (own, other):
        folder.mkdir()
        (folder / "foundry.yaml").touch()
    with pytest.raises(ConfigError, match="another project's"):
        add_engine(store, "lancedb:///../other", "store", own, PROJECT)


def test_object_storage_that_does_not_answer_is_replaced(both: Store, tmp_path: Path) -> None:
    add_engine(both, "lancedb+s3://no-such-bucket/x", "store", tmp_path, PROJECT)
    assert len(find(both, "lamp")) == 2
    assert [notice.code for notice in both.take_notices()] == ["engine-fallback"]
