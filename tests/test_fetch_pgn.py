"""A PGN text becomes games as written; a game that breaks the rules is named, never shortened."""

import io
import random
from datetime import UTC, datetime

import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_games import random_export_game

from engines.evals import LICHESS_ANALYSIS, PGN_COMMENTS, Centipawns, Mate
from pipeline.fetch.pgn import games_from_pgn
from pipeline.fetch.pgn_tags import UNDATED
from pipeline.fetch.speeds import UNKNOWN_SPEED
from pipeline.records import Clock, Game, GamePlayer, Opening, SetAside

LICHESS_GAME = """\
[Event "Rated Blitz game"]
[Site "https://lichess.org/Made0001"]
[Date "2023.11.14"]
[White "Quillfeather"]
[Black "Moorhenry"]
[Result "1-0"]
[UTCDate "2023.11.14"]
[UTCTime "22:13:20"]
[WhiteElo "1512"]
[BlackElo "1600?"]
[WhiteRatingDiff "+8"]
[BlackRatingDiff "-7"]
[BlackTitle "WFM"]
[Variant "Standard"]
[TimeControl "300+3"]
[ECO "C20"]
[Opening "King's Pawn Game"]
[Termination "Time forfeit"]

1. e4 { [%eval 0.3] [%clk 0:05:00] } 1... e5 { [%eval 0.27] [%clk 0:05:00] }
2. Qh5?! { (0.27 → -0.40) Inaccuracy. Nf3 was best. } { [%eval -0.4] [%clk 0:04:58.5] }
(2. Nf3 Nc6 (2... Nf6 { [%clk 9:59:59] } 3. Zz9) 3. Bb5) 2... Ke7 $4 { [%eval #1] [%clk 0:04:55] }
3. Qxe5# { [%clk 0:04:50] } 1-0
"""


def read(text: str, where: str = "games.pgn") -> list[Game | SetAside]:
    return list(games_from_pgn(io.StringIO(text), where=where))


def game_in(text: str) -> Game:
    (game,) = read(text)
    assert isinstance(game, Game), game
    return game


def set_aside_in(text: str) -> SetAside:
    (left_out,) = read(text)
    assert isinstance(left_out, SetAside), left_out
    return left_out


def with_tags(*tags: str, moves: str = "1. e4 e5 *") -> str:
    return "".join(f"[{tag}]\n" for tag in tags) + f"\n{moves}\n"


# --- what is read --------------------------------------------------------------------------


def test_a_lichess_game_is_read_in_full() -> None:
    game = game_in(LICHESS_GAME)
    assert game.id == "Made0001"
    assert game.url == "https://lichess.org/Made0001"
    assert (game.variant, game.speed, game.rated) == ("standard", "blitz", True)
    assert game.created_at == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)
    assert game.white == GamePlayer(name="Quillfeather", rating=1512, rating_diff=8)
    assert game.black == GamePlayer(
        name="Moorhenry", title="WFM", rating=1600, rating_diff=-7, provisional=True
    )
    assert (game.winner, game.result_known, game.status) == ("white", True, "outoftime")
    assert game.clock == Clock(initial_seconds=300, increment_seconds=3)
    assert game.opening == Opening(eco="C20", name="King's Pawn Game")
    assert game.moves_san == ("e4", "e5", "Qh5", "Ke7", "Qxe5#")
    assert game.clocks_centiseconds == (30000, 30000, 29850, 29500, 29000)
    assert [entry.evaluation for entry in game.source_evals] == [
        Centipawns(30),
        Centipawns(27),
        Centipawns(-40),
        Mate("white", 1),
    ]
    assert game.source_engine == LICHESS_ANALYSIS
    assert game.initial_fen is None


def test_bare_moves_are_a_game() -> None:
    game = game_in("1. e4 e5 2. Nf3 Nc6")
    assert game.moves_san == ("e4", "e5", "Nf3", "Nc6")
    assert (game.white, game.black) == (GamePlayer(), GamePlayer())
    assert not game.result_known
    assert not game.rated
    assert game.speed == UNKNOWN_SPEED
    assert game.created_at == UNDATED


def test_evaluations_from_elsewhere_are_not_taken_for_lichess_s() -> None:
    elsewhere = LICHESS_GAME.replace("lichess.org", "chess.example")
    assert game_in(elsewhere).source_engine == PGN_COMMENTS


@pytest.mark.parametrize(
    ("written", "evaluation"),
    [
        ("0.35", Centipawns(35)),
        ("+1.2", Centipawns(120)),
        ("-0.29", Centipawns(-29)),
        (".5", Centipawns(50)),
        ("3", Centipawns(300)),
        ("-12.07,23", Centipawns(-1207)),
        ("#4", Mate("white", 4)),
        ("#-3", Mate("black", 3)),
        ("#+3", Mate("white", 3)),
    ],
)
def test_an_evaluation_is_in_pawns_from_white_s_view(
    written: str, evaluation: Centipawns | Mate
) -> None:
    game = game_in(f"1. e4 {{ [%eval {written}] }} e5 *")
    assert [entry.evaluation for entry in game.source_evals] == [evaluation]


def test_a_mate_on_the_board_is_the_mover_s() -> None:
    game = game_in("1. f3 e5 2. g4 Qh4# { [%eval #0] } 0-1")
    assert [entry.evaluation for entry in game.source_evals] == [None] * 3 + [Mate("black", 0)]


def test_clocks_are_kept_as_far_as_every_move_has_one() -> None:
    game = game_in("1. e4 {[%clk 0:01:00]} e5 {[%clk 0:00:59.9]} 2. Nf3 Nc6 {[%clk 0:00:58]} *")
    assert game.clocks_centiseconds == (6000, 5990)


@pytest.mark.parametrize(
    ("time_control", "speed", "clock"),
    [
        ("300+3", "blitz", Clock(initial_seconds=300, increment_seconds=3)),
        ("600", "rapid", Clock(initial_seconds=600, increment_seconds=0)),
        ("-", "correspondence", None),
        ("1/86400", "correspondence", None),
        ("40/7200:3600", "classical", None),
        ("180+0.5", "blitz", None),
        ("?", UNKNOWN_SPEED, None),
        ("*180", UNKNOWN_SPEED, None),
        ("five minutes", UNKNOWN_SPEED, None),
        ("600+inf", UNKNOWN_SPEED, None),
        ("600+1e300", UNKNOWN_SPEED, None),
        (f"{2**63}+1", UNKNOWN_SPEED, None),
        ("600+nan", UNKNOWN_SPEED, None),
    ],
)
def test_speed_and_clock_follow_from_the_time_control(
    time_control: str, speed: str, clock: Clock | None
) -> None:
    game = game_in(with_tags(f'TimeControl "{time_control}"'))
    assert (game.speed, game.clock) == (speed, clock)


@pytest.mark.parametrize(
    ("event", "speed", "rated"),
    [
        ("Rated Blitz game", "blitz", True),
        ("rated rapid game", "rapid", True),
        ("Casual UltraBullet game", "ultraBullet", False),
        ("Unrated Classical game", "classical", False),
        ("Rated Bullet tournament https://lichess.org/tournament/x", "bullet", True),
        ("Club evening", UNKNOWN_SPEED, False),
    ],
)
def test_the_event_tells_speed_and_rating_where_nothing_else_does(
    event: str, speed: str, rated: bool
) -> None:
    game = game_in(with_tags(f'Event "{event}"'))
    assert (game.speed, game.rated) == (speed, rated)


@pytest.mark.parametrize(
    ("tags", "moment"),
    [
        (['UTCDate "2024.02.03"', 'UTCTime "04:05:06"'], datetime(2024, 2, 3, 4, 5, 6, tzinfo=UTC)),
        (['Date "2024.02.03"'], datetime(2024, 2, 3, tzinfo=UTC)),
        (['UTCDate "????.??.??"', 'Date "2024.02.03"'], datetime(2024, 2, 3, tzinfo=UTC)),
        (['Date "2024.??.??"'], datetime(2024, 1, 1, tzinfo=UTC)),
        (['Date "2024.02.31"'], datetime(2024, 2, 1, tzinfo=UTC)),
        (['Date "2024-02-03"'], datetime(2024, 2, 3, tzinfo=UTC)),
        (['Date "????.??.??"'], UNDATED),
        (['Date "yesterday"'], UNDATED),
        ([], UNDATED),
    ],
)
def test_the_date_is_as_good_as_the_tags(tags: list[str], moment: datetime) -> None:
    assert game_in(with_tags(*tags)).created_at == moment


@pytest.mark.parametrize(
    ("elo", "rating"),
    [("1500", 1500), ("1500?", 1500), ("?", None), ("-", None), ("", None), ("0", None)],
)
def test_a_rating_that_is_no_number_is_none(elo: str, rating: int | None) -> None:
    assert game_in(with_tags(f'WhiteElo "{elo}"')).white.rating == rating


def test_the_computer_and_the_anonymous_have_no_names() -> None:
    game = game_in(with_tags('White "lichess AI level 4"', 'Black "Anonymous"'))
    assert game.white == GamePlayer(computer_level=4)
    assert game.black == GamePlayer()


def test_the_moves_own_result_counts_where_the_tag_knows_none() -> None:
    game = game_in(with_tags('Result "*"', moves="1. e4 e5 1/2-1/2"))
    assert (game.winner, game.result_known) == (None, True)


def test_a_game_without_moves_is_a_game() -> None:
    assert game_in(with_tags('Result "1-0"', moves="1-0")).moves_san == ()


# --- positions and variants ----------------------------------------------------------------


def test_a_game_from_a_position_starts_there_even_with_black() -> None:
    fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2"
    game = game_in(with_tags(f'FEN "{fen}"', 'SetUp "1"', moves="2... Nc6 3. Nf3 *"))
    assert (game.variant, game.initial_fen) == ("fromPosition", fen)
    assert game.moves_san == ("Nc6", "Nf3")


def test_a_chess960_game_castles_as_chess960() -> None:
    fen = "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w KQkq - 0 1"
    game = game_in(with_tags('Variant "Chess960"', f'FEN "{fen}"', moves="1. e4 e5 2. O-O O-O *"))
    assert (game.variant, game.moves_san[-1]) == ("chess960", "O-O")


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        ("Three-check", "threeCheck"),
        ("King of the Hill", "kingOfTheHill"),
        ("Crazyhouse", "crazyhouse"),
        ("From Position", "fromPosition"),
        ("Standard", "standard"),
    ],
)
def test_variants_have_lichess_s_names(name: str, variant: str) -> None:
    assert game_in(with_tags(f'Variant "{name}"')).variant == variant


def test_an_unknown_variant_is_set_aside() -> None:
    assert "'Bughouse'" in set_aside_in(with_tags('Variant "Bughouse"')).reason


def test_a_position_that_cannot_be_read_is_set_aside() -> None:
    assert "FEN" in set_aside_in(with_tags('FEN "8/8/8"')).reason


# --- several games, odd texts --------------------------------------------------------------


def test_several_games_come_in_order_with_their_places() -> None:
    bad = with_tags('White "A"', moves="1. e4 e5\n2. Nf6 *")
    games = read(f"{LICHESS_GAME}\n{bad}\n{LICHESS_GAME}")
    first, second, third = games
    assert first == third
    assert second == SetAside(
        where="games.pgn, game 2 (line 25)",
        reason="2. Nf6 (ply 3, line 28) is illegal there; correct the move",
    )


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ("1. e4 e5 2. Ke3 *", "2. Ke3 (ply 3, line 3) is illegal"),
        ("1. e4 e5 2. Nf3 Nc6 3. N3e4 *", "3. N3e4 (ply 5, line 3) is illegal"),
        ("1. d4 d5 2. Nf3 e6 3. Nd2 *", "3. Nd2 (ply 5, line 3) could be more than one move"),
        ("1. e4 e5 2. Sf3 Nc6 *", "2. Sf3 (ply 3, line 3) is not a move"),
        ("1. e4 e5 2. -- Nc6 *", "2. -- (ply 3, line 3) is a null move"),
        ("1. e4 e5 2. Nf3 hello *", "2... hello (ply 4, line 3)"),
        ("1. e4 e5 ) 2. Nf3 *", "stray ')' in line 3"),
        ("1. e4 e5 (1... c5 2. Nf3 *", "variation that opens in line 3 is never closed"),
        ("1. e4 e5 { fine 2. Nf3 *", "comment that opens in line 3 is never closed"),
    ],
)
def test_a_game_that_cannot_be_followed_is_named_with_its_move(moves: str, words: str) -> None:
    assert words in set_aside_in(with_tags('White "A"', moves=moves)).reason


def test_a_comment_that_is_never_closed_swallows_no_further_game() -> None:
    broken = '[Event "A"]\n\n1. e4 { oh 1... e5 *\n\n'
    left_out, game = read(broken + LICHESS_GAME)
    assert isinstance(left_out, SetAside)
    assert isinstance(game, Game)
    assert game.id == "Made0001"


def test_a_game_longer_than_any_is_set_aside_and_the_next_one_is_read() -> None:
    endless = '[Event "A"]\n\n1. e4 {' + ("x" * 1000 + "\n") * 17_000 + "} e5 *\n\n"
    left_out, game = read(endless + LICHESS_GAME)
    assert isinstance(left_out, SetAside)
    assert "it is longer than" in left_out.reason
    assert isinstance(game, Game)


@pytest.mark.parametrize("end", [30, 54, 200, 480, 560, 640, 690])
def test_a_text_that_is_cut_shortens_no_game(end: int) -> None:
    first, *rest = read(f"{LICHESS_GAME}\n{LICHESS_GAME}"[: len(LICHESS_GAME) + end])
    assert isinstance(first, Game)
    assert [type(left_out) for left_out in rest] == [SetAside]


def test_a_last_game_without_a_result_is_whole_where_its_tags_name_none() -> None:
    assert game_in('[White "A"]\n\n1. e4 e5').moves_san == ("e4", "e5")


def test_a_blank_line_among_the_moves_does_not_end_the_game() -> None:
    assert game_in("1. e4 e5\n\n2. Nf3\n\n\n2... Nc6 *\n").moves_san == ("e4", "e5", "Nf3", "Nc6")


def test_games_without_tags_are_told_apart_by_their_results() -> None:
    games = read("1. e4 e5 1-0 {resigns} 1. d4 d5 0-1\n1. c4 *")
    assert [game.moves_san for game in games if isinstance(game, Game)] == [
        ("e4", "e5"),
        ("d4", "d5"),
        ("c4",),
    ]


@pytest.mark.parametrize(
    "moves",
    [
        "1.e4 e5 2.Nf3 Nc6 *",
        "1 e4 e5 2 Nf3 Nc6 *",
        "1. e4! e5?? 2. Nf3!? Nc6?! *",
        "1. e4 $1 e5 $14 2. Nf3 += Nc6 -+ *",
        "1. e4 ; e4 e4 e4\ne5 2. Nf3\n% a comment of the program\nNc6 *",
        "1. e4 (1. d4 d5 (1... f5)) 1... e5 2. Nf3 {N(c} 2... Nc6 *",
        "1. e4 e5 2. Nf3 Nc6",
        "e4 e5 Nf3 Nc6 *",
        "1. e2e4 e7e5 2. Ng1f3 Nb8c6 *",
    ],
)
def test_moves_may_be_written_in_many_ways(moves: str) -> None:
    game = game_in(moves)
    board = chess.Board()
    for san in game.moves_san:
        board.push_san(san)
    assert board.fen() == "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"


def test_windows_files_read_the_same() -> None:
    (game,) = games_from_pgn(
        ("\ufeff" + LICHESS_GAME).replace("\n", "\r\n").splitlines(keepends=True), where="x"
    )
    assert game == game_in(LICHESS_GAME)


def test_quotes_in_a_tag_are_kept() -> None:
    assert game_in(with_tags(r'White "O\"Neil \\ Co"')).white.name == r'O"Neil \ Co'
    assert game_in(with_tags('White "The "Rock" Ng"')).white.name == 'The "Rock" Ng'


def test_tags_may_share_a_line() -> None:
    game = game_in('[White "A"] [Black "B"]\n1. e4 *')
    assert (game.white.name, game.black.name) == ("A", "B")


def test_a_tag_that_cannot_be_read_is_named() -> None:
    assert "line 2 is not a tag" in set_aside_in('[White "A"]\n[Black B]\n\n1. e4 *').reason


def test_an_empty_text_has_no_games() -> None:
    assert read("\n  \n{ nothing }\n") == []


# --- ids -----------------------------------------------------------------------------------


def test_a_game_without_a_lichess_address_has_an_id_of_its_own() -> None:
    text = with_tags('White "A"', 'Black "B"')
    made = game_in(text).id
    assert made.startswith("pgn-")
    assert made == game_in(text + "\n").id
    assert made != game_in(text.replace("e5", "c5")).id
    assert made != game_in(text.replace('"A"', '"C"')).id


@pytest.mark.parametrize(
    "site", ["https://lichess.org/study/abcdefgh/abcdefgh", "https://lichess.org", "London"]
)
def test_a_site_that_is_no_game_s_address_gives_no_lichess_id(site: str) -> None:
    assert game_in(with_tags(f'Site "{site}"')).id.startswith("pgn-")


# --- laws ----------------------------------------------------------------------------------


def exported_by_python_chess(seed: int) -> str:
    """A random game with random variations, comments and marks, as another program writes it."""
    record = random_export_game(seed, plies=30)
    game = chess.pgn.Game()
    node: chess.pgn.GameNode = game
    chance = random.Random(seed)
    for san in record["moves"].split():
        board = node.board()
        others = [move for move in board.legal_moves if move != board.parse_san(san)]
        parent, node = node, node.add_variation(board.parse_san(san))
        if others and chance.random() < 0.3:
            parent.add_variation(chance.choice(others), comment="(or; this 1-0)")
        if chance.random() < 0.3:
            node.nags.add(chance.randint(1, 20))
        node.comment = chance.choice(["", "a { brace and\ntwo lines 1. e4", "[%clk 0:01:02]"])
    return str(game)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_the_main_line_of_another_program_s_pgn_is_read_whole(seed: int) -> None:
    game = game_in(exported_by_python_chess(seed))
    assert list(game.moves_san) == random_export_game(seed, plies=30)["moves"].split()


@given(text=st.text(st.sampled_from('[]{}()"\\;%$!?*.- \n\r120eNfg4x=#O/½A'), max_size=80))
def test_any_text_gives_games_or_reasons(text: str) -> None:
    for item in read(text):
        assert isinstance(item, Game) or item.reason


@given(cut=st.integers(0, len(LICHESS_GAME)))
def test_wherever_a_lichess_game_is_cut_it_is_whole_or_set_aside(cut: int) -> None:
    for item in read(LICHESS_GAME[:cut]):
        assert isinstance(item, SetAside) or len(item.moves_san) == 5
