"""PGN as other programs and sites write it: chess.com, Lichess studies, old files, any encoding."""

import io
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipeline.fetch.files import read_games
from pipeline.records import Clock, Game, GamePlayer, SetAside

CHESS_COM = """\
[Event "Live Chess"]
[Site "Chess.com"]
[Date "2024.05.06"]
[Round "-"]
[White "Quillfeather"]
[Black "Moorhenry"]
[Result "1-0"]
[CurrentPosition "rnbqkbnr/ppp2ppp/3p4/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -"]
[Timezone "UTC"]
[ECO "C41"]
[ECOUrl "https://www.chess.com/openings/Philidor-Defense"]
[UTCDate "2024.05.06"]
[UTCTime "07:08:09"]
[WhiteElo "1204"]
[BlackElo "1198"]
[TimeControl "180+2"]
[Termination "Quillfeather won by resignation"]
[StartTime "07:08:09"]
[EndDate "2024.05.06"]
[EndTime "07:10:11"]
[Link "https://www.chess.com/game/live/108532614567"]

1. e4 {[%clk 0:03:00.9]} 1... e5 {[%clk 0:02:58.9]} 2. Nf3 {[%clk 0:03:01]} 2... d6 \
{[%clk 0:02:58.3]} 1-0
"""

STUDY = """\
[Event "Endgames: Chapter 1"]
[Site "https://lichess.org/study/aBcDeFgH/chapter1"]
[Result "*"]
[UTCDate "2024.05.06"]
[UTCTime "07:08:09"]
[Variant "Standard"]
[ECO "?"]
[Opening "?"]
[Annotator "https://lichess.org/@/Quillfeather"]

{ What is White to do? [%csl Ge4][%cal Ge2e4] }
1. e4 $1 { best by test } { [%cal Gd1h5] } (1. d4 { also fine } 1... d5 (1... Nf6 2. c4)) 1... e5 $6
*


[Event "Endgames: Chapter 2"]
[Site "https://lichess.org/study/aBcDeFgH/chapter2"]
[Result "*"]
[UTCDate "2024.05.06"]
[UTCTime "07:08:09"]
[Variant "From Position"]
[ECO "?"]
[Opening "?"]
[Annotator "https://lichess.org/@/Quillfeather"]
[FEN "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1"]
[SetUp "1"]

1... Kd4 2. Kd2 { [%eval 0.0] } *


"""


def read(content: bytes, tmp_path: Path) -> list[Game | SetAside]:
    path = tmp_path / "games.pgn"
    path.write_bytes(content)
    return list(read_games(path, stdin=io.BytesIO()))


def only(content: bytes, tmp_path: Path) -> Game:
    (game,) = read(content, tmp_path)
    assert isinstance(game, Game), game
    return game


def test_a_game_of_chess_com_is_read_in_full(tmp_path: Path) -> None:
    game = only(CHESS_COM.encode(), tmp_path)
    assert game.id.startswith("pgn-")
    assert game.url == "https://www.chess.com/game/live/108532614567"
    assert game.created_at == datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    assert (game.speed, game.clock) == ("blitz", Clock(initial_seconds=180, increment_seconds=2))
    assert (game.winner, game.result_known, game.status) == ("white", True, None)
    assert game.white == GamePlayer(name="Quillfeather", rating=1204)
    assert game.moves_san == ("e4", "e5", "Nf3", "d6")
    assert game.clocks_centiseconds == (18090, 17890, 18100, 17830)


def test_a_daily_game_of_chess_com_is_by_correspondence(tmp_path: Path) -> None:
    daily = CHESS_COM.replace('"180+2"', '"1/259200"')
    assert only(daily.encode(), tmp_path).speed == "correspondence"


def test_the_chapters_of_a_study_are_games_of_their_own(tmp_path: Path) -> None:
    first, second = read(STUDY.encode(), tmp_path)
    assert isinstance(first, Game)
    assert isinstance(second, Game)
    assert first.id != second.id
    assert first.url == "https://lichess.org/study/aBcDeFgH/chapter1"
    assert (first.moves_san, first.result_known, first.variant) == (("e4", "e5"), False, "standard")
    assert (second.moves_san, second.variant) == (("Kd4", "Kd2"), "fromPosition")
    assert second.initial_fen == "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1"
    assert (first.white.name, first.rated) == (None, False)


def test_a_chapter_s_own_address_is_where_it_can_be_looked_at(tmp_path: Path) -> None:
    address = "https://lichess.org/study/aBcDeFgH/chapter1"
    newer = STUDY.replace(f'[Site "{address}"]', f'[Site "?"]\n[ChapterURL "{address}"]')
    game = read(newer.encode(), tmp_path)[0]
    assert isinstance(game, Game)
    assert game.url == address


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_file_in_any_unicode_encoding_is_read(
    encoding: str, line_end: str, tmp_path: Path
) -> None:
    text = CHESS_COM.replace("Moorhenry", "Łukasz Żółć").replace("\n", line_end)
    assert only(text.encode(encoding), tmp_path).black.name == "Łukasz Żółć"


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_a_file_in_an_old_western_encoding_is_read(encoding: str, tmp_path: Path) -> None:
    text = CHESS_COM.replace("Moorhenry", "Grünfeld, Éloïse")
    assert only(text.encode(encoding), tmp_path).black.name == "Grünfeld, Éloïse"


def test_the_signs_that_only_windows_has_are_kept(tmp_path: Path) -> None:
    text = CHESS_COM.replace("Moorhenry", "O’Neil “Žižek”")
    assert only(text.encode("cp1252"), tmp_path).black.name == "O’Neil “Žižek”"


def test_utf_16_that_is_cut_in_the_middle_of_a_letter_keeps_the_games_before(
    tmp_path: Path,
) -> None:
    content = (CHESS_COM * 2).encode("utf-16")[:-5]
    first, cut = read(content, tmp_path)
    assert isinstance(first, Game)
    assert isinstance(cut, SetAside)


def test_ndjson_in_utf_16_is_read_too(tmp_path: Path) -> None:
    (left_out,) = read('{"error":"Not found"}\n'.encode("utf-16"), tmp_path)
    assert isinstance(left_out, SetAside)
    assert "field id is missing" in left_out.reason
