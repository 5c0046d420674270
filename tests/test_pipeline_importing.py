"""What is imported is there once, whatever was there before, and nothing that was known is lost."""

import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from made_games import export_games, random_export_game

from engines.evals import PGN_COMMENTS
from pipeline.fetch.export import game_from_export, game_to_export
from pipeline.fetch.json_games import ExportedGame
from pipeline.fetch.pgn import games_from_pgn
from pipeline.importing import MOST_NAMED, Imported, import_games
from pipeline.records import Game, SetAside
from pipeline.selection import is_from_elsewhere
from pipeline.spans import Span
from pipeline.store import Store

PLAYER = "quillfeather"

Record = dict[str, Any]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store.sqlite") as store:
        yield store


def exported(records: Iterable[Record]) -> Iterator[ExportedGame]:
    for record in records:
        yield ExportedGame(game=game_from_export(record, where="test"), record=record)


def as_in_a_dump(record: Record) -> ExportedGame:
    """What a PGN says of the game: whole seconds, and nothing but the game itself."""
    whole_second = record | {"createdAt": record["createdAt"] // 1000 * 1000}
    game = game_from_export(whole_second, where="test")
    return ExportedGame(game=game, record=game_to_export(game) | {"source": None})


def kept(store: Store, player: str = PLAYER) -> dict[str, Record]:
    return {record["id"]: record for record in map(json.loads, store.games_of(player))}


def counts(imported: Imported) -> tuple[int, int, int]:
    return imported.new, imported.completed, imported.kept_already


def test_games_are_found_under_both_players_as_they_came(store: Store) -> None:
    records = export_games(7, analysed=True)
    assert counts(import_games(exported(records), store)) == (7, 0, 0)
    assert list(kept(store).values()) == records
    opponent = records[0]["players"]["white"]["user"]["name"]
    assert records[0]["id"] in kept(store, opponent.casefold())


def test_what_comes_again_is_not_there_twice(store: Store) -> None:
    records = export_games(1200, plies=2)
    import_games(exported(records[:700]), store)
    again = import_games(exported(records), store)
    assert counts(again) == (500, 0, 700)
    assert counts(import_games(exported([*records, *records]), store)) == (0, 0, 2400)
    assert len(kept(store)) == 1200


def test_what_comes_twice_at_once_is_there_once(store: Store) -> None:
    (record,) = export_games(1)
    assert counts(import_games(exported([record, record]), store)) == (1, 0, 1)


def test_what_was_fetched_is_not_replaced_by_the_less_that_a_dump_says(store: Store) -> None:
    record = random_export_game(1, analysed=True, created_at_ms=1_700_000_000_789)
    import_games(exported([record]), store)
    assert counts(import_games([as_in_a_dump(record)], store)) == (0, 0, 1)
    assert kept(store)[record["id"]] == record


def test_what_was_fetched_gets_the_evaluations_that_it_lacks(store: Store) -> None:
    analysed = random_export_game(1, analysed=True, created_at_ms=1_700_000_000_789)
    plain = {key: value for key, value in analysed.items() if key != "analysis"}
    import_games(exported([plain]), store)
    assert counts(import_games([as_in_a_dump(analysed)], store)) == (0, 1, 0)
    assert kept(store)[plain["id"]] == plain | {"analysis": analysed["analysis"]}
    assert counts(import_games([as_in_a_dump(analysed)], store)) == (0, 0, 1)


def test_a_game_from_a_dump_is_completed_by_the_export_of_it(store: Store) -> None:
    record = random_export_game(1, created_at_ms=1_700_000_000_789)
    import_games([as_in_a_dump(record)], store)
    assert counts(import_games(exported([record]), store)) == (0, 1, 0)
    (found,) = kept(store).values()
    assert found["lastMoveAt"] == record["lastMoveAt"]


def test_a_game_with_the_id_of_another_does_not_replace_it(store: Store) -> None:
    record = random_export_game(1)
    other = random_export_game(2, white="Ann") | {"id": record["id"]}
    import_games(exported([record]), store)
    assert counts(import_games(exported([other]), store)) == (0, 0, 1)
    assert list(kept(store).values()) == [record]


def test_games_of_one_second_are_told_apart(store: Store) -> None:
    records = [random_export_game(n, created_at_ms=1_700_000_000_000 + n) for n in range(5)]
    import_games(exported(records), store)
    assert counts(import_games(map(as_in_a_dump, records), store)) == (0, 0, 5)
    assert len(kept(store)) == 5


def test_nothing_is_taken_for_fetched(store: Store) -> None:
    store.set_fetched_spans(PLAYER, [Span(1, 5)])
    import_games(exported(export_games(3)), store)
    assert store.fetched_spans(PLAYER) == (Span(1, 5),)
    assert store.fetched_spans("moorhenry") == ()


def test_what_arrived_before_an_error_is_kept(store: Store) -> None:
    def breaking_off() -> Iterator[ExportedGame]:
        yield from exported(export_games(3))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_games(breaking_off(), store)
    assert len(kept(store)) == 3


def test_the_first_unreadable_games_are_named_and_all_counted(store: Store) -> None:
    bad = [SetAside(where=f"line {n}", reason="bad") for n in range(MOST_NAMED + 5)]
    imported = import_games([*bad, *exported(export_games(1))], store)
    assert imported.unreadable_games == MOST_NAMED + 5
    assert imported.unreadable == bad[:MOST_NAMED]
    assert imported.new == 1


def test_a_game_from_elsewhere_stays_one(store: Store) -> None:
    text = (
        '[White "Quillfeather"]\n[Link "https://chess.example/7"]\n\n'
        "1. e4 { [%eval 0.3] } 1... e5 1-0\n"
    )
    (game,) = games_from_pgn(io.StringIO(text), where="test")
    assert isinstance(game, Game)
    import_games([ExportedGame(game=game, record=game_to_export(game))], store)
    (record,) = kept(store).values()
    found = game_from_export(record, where="store")
    assert found == game
    assert is_from_elsewhere(found)
    assert found.source_engine == PGN_COMMENTS


@pytest.mark.parametrize("name", ["Ann\ud800", "Ann\0"])
def test_a_name_that_no_database_takes_costs_one_game(name: str, store: Store) -> None:
    named = random_export_game(9, white=name)
    imported = import_games(exported([named, *export_games(2)]), store)
    assert (imported.new, imported.unreadable_games) == (2, 1)
    assert "game 'Made0009'" in imported.unreadable[0].where
