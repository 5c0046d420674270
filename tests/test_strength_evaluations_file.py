"""Evaluations that lie beside the games."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard
from simulated_players import simulated_game

from config.errors import InputError, UnreadableFile
from engines.evals import Centipawns, Mate
from pipeline.records import Game, GamePlayer
from pipeline.replay import replay
from pipeline.strength.evaluations_file import EvaluationsFile, read_evaluations

BLANK = simulated_game("g1", (GamePlayer(), GamePlayer()), (1500, 1500), seed=1, plies=4)
FOOLS_MATE = replace(BLANK, moves_san=("f3", "e5", "g4", "Qh4#"), source_evals=())
RECORD = {
    "id": "g1",
    "ev": [["c", 20], ["c", -60], ["c", 10], ["m", -1], ["m", 0]],
    "best": ["e2e4", "e7e5", "e2e4", "d8h4", None],
}


def written(path: Path, *records: object) -> EvaluationsFile:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return read_evaluations(path)


def test_evaluations_are_read_from_white_s_view_and_the_mate_on_the_board_is_the_mover_s(
    tmp_path: Path,
) -> None:
    evals = written(tmp_path / "evals.jsonl", RECORD).of(replay(FOOLS_MATE))
    assert evals is not None
    assert evals.evals[1:] == (Centipawns(-60), Centipawns(10), Mate("black", 1), Mate("black", 0))
    assert evals.best_moves_uci == ("e2e4", "e7e5", "e2e4", "d8h4", None)


def test_a_mate_by_white_is_white_s(tmp_path: Path) -> None:
    moves = ("e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#")
    record = {"id": "g1", "ev": [["c", 0]] * 6 + [["m", 1], ["m", 0]]}
    evals = written(tmp_path / "e.jsonl", record).of(replay(replace(BLANK, moves_san=moves)))
    assert evals is not None
    assert evals.evals[-2:] == (Mate("white", 1), Mate("white", 0))
    assert evals.best_moves_uci == (None,) * 8


def test_how_deep_was_searched_is_ten_thousand_nodes_unless_the_record_says_otherwise(
    tmp_path: Path,
) -> None:
    for more, nodes in (({}, 10_000), ({"nodes": 500_000}, 500_000)):
        evals = written(tmp_path / "e.jsonl", {**RECORD, **more}).of(replay(FOOLS_MATE))
        assert evals is not None
        assert evals.limit is not None
        assert evals.limit.nodes_per_position == nodes


def test_compressed_files_are_read_and_so_are_several_frames(tmp_path: Path) -> None:
    line = (json.dumps(RECORD) + "\n").encode()
    other = (json.dumps({**RECORD, "id": "g2"}) + "\n").encode()
    compress = zstandard.ZstdCompressor().compress
    (tmp_path / "a.jsonl.zst").write_bytes(compress(line) + compress(other))
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(line + other))
    for name in ("a.jsonl.zst", "b.jsonl.gz"):
        found = read_evaluations(tmp_path / name)
        assert len(found) == 2
        assert "g2" in found


def test_a_game_that_the_file_does_not_have_has_none(tmp_path: Path) -> None:
    other: Game = replace(FOOLS_MATE, id="other")
    assert written(tmp_path / "e.jsonl", RECORD).of(replay(other)) is None


@pytest.mark.parametrize(
    "evals",
    [RECORD["ev"][:-1], "text", [["c", 1]] * 4 + [["c", "one"]], [["c", 1]] * 4 + [7]],
    ids=["too few", "no list", "no number", "no pair"],
)
def test_evaluations_that_do_not_fit_the_game_are_named_by_line(
    tmp_path: Path, evals: object
) -> None:
    file = written(tmp_path / "e.jsonl", {"id": "g0", "ev": []}, {"id": "g1", "ev": evals})
    with pytest.raises(InputError, match=r"e\.jsonl, line 2"):
        file.of(replay(FOOLS_MATE))


@pytest.mark.parametrize("line", ['{"id": "g1", "ev": [', "[1, 2]", '{"ev": []}'])
def test_a_line_that_is_no_record_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "e.jsonl").write_text(json.dumps(RECORD) + "\n" + line + "\n")
    with pytest.raises(UnreadableFile, match=r"e\.jsonl, line 2 is no record of evaluations"):
        read_evaluations(tmp_path / "e.jsonl")


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "e.jsonl.zst").write_bytes(b"not compressed")
    for name in ("absent.jsonl", "e.jsonl.zst"):
        with pytest.raises(UnreadableFile, match=f"{name} cannot be read"):
            read_evaluations(tmp_path / name)
