"""The annotated PGN: what is written is read back, by movelo's reader and by python-chess."""

import io
import random
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_reports import LIMIT, STOCKFISH, made_strength

from engines.evals import COLORS, LICHESS_ANALYSIS, Centipawns, EngineId, Eval, GameEvals, Mate
from pipeline.analysis import analyse
from pipeline.fetch.export import game_from_export, game_to_export
from pipeline.fetch.pgn import games_from_pgn
from pipeline.fetch.pgn_tags import UNDATED
from pipeline.records import (
    Clock,
    Game,
    GamePlayer,
    Judgement,
    NoEstimate,
    Opening,
    SetAside,
)
from pipeline.replay import replay
from pipeline.report import AssessedGame, game_report
from reports.to_pgn import NAGS, game_to_pgn

ABSENT = NoEstimate(reason="too few moves")


@cache
def made_game(seed: int = 1, *, start: str = "standard", plies: int = 60) -> Game:
    """Random moves, castling wherever it is possible, from a start of the kind named."""
    chance = random.Random(seed)
    board = chess.Board()
    if start == "chess960":
        board = chess.Board.from_chess960_pos(chance.randrange(960))
    elif start == "fromPosition":  # Black begins, at move 31
        board = chess.Board("r3k2r/pp3ppp/8/8/8/8/PP3PPP/R3K2R b KQkq - 0 31")
    fen, moves = board.fen(), []
    while len(moves) < plies and not board.is_game_over():
        legal = sorted(board.legal_moves, key=str)
        move = next(filter(board.is_castling, legal), chance.choice(legal))
        moves.append(board.san_and_push(move))
    return Game(
        id=f"Made{seed:04d}", variant=start, speed="blitz", rated=True,
        created_at=datetime(2026, 3, 14, 18, 5, tzinfo=UTC),
        white=GamePlayer(name="Quillfeather", rating=1612, rating_diff=-5, title="WFM"),
        black=GamePlayer(name="Moorhenry", rating=1590, rating_diff=6),
        winner="black", status="resign", url=f"https://lichess.org/Made{seed:04d}",
        clock=Clock(initial_seconds=180, increment_seconds=2),
        opening=Opening(eco="C50", name="Italian Game"),
        initial_fen=None if start == "standard" else fen, moves_san=tuple(moves),
        clocks_centiseconds=tuple(chance.randrange(1, 400_000) for _ in moves),
    )  # fmt: skip


def made_evals(game: Game, seed: int = 1, **fields: object) -> GameEvals:
    """Wandering and jumping, with mates and gaps; the engine prefers any legal move."""
    chance, checked = random.Random(f"evals {seed}"), replay(game)
    best = [
        chance.choice(sorted(board.legal_moves, key=str)).uci() if any(board.legal_moves) else None
        for board in checked.boards()
    ]
    evals = [_any_eval(chance) for _ in best]
    if checked.final_board().is_checkmate():
        evals[-1] = Mate("black" if checked.final_board().turn else "white", 0)
    made = GameEvals(
        game_id=game.id, engine=STOCKFISH, limit=LIMIT, evals=tuple(evals),
        best_moves_uci=tuple(best),
    )  # fmt: skip
    return replace(made, **fields)  # type: ignore[arg-type]


def _any_eval(chance: random.Random) -> Eval | None:
    kind = chance.random()
    if kind < 0.05:
        return None
    if kind < 0.2:
        return Mate(chance.choice(COLORS), chance.randrange(1, 40))
    return Centipawns(chance.randrange(-1500, 1500))


def pgn_of(game: Game, evals: GameEvals | None = None, **fields: object) -> str:
    checked = replay(game)
    assessed = AssessedGame(
        game=game, color="white", analysis=evals and analyse(game, checked, evals),
        evidence=dict.fromkeys(COLORS, ABSENT), strength=dict.fromkeys(COLORS, ABSENT),
        human=None, human_model_missing=False,
    )  # fmt: skip
    report = replace(game_report(assessed), **fields)  # type: ignore[arg-type]
    return game_to_pgn(report, game, checked, evals, movelo_version="0.1.0")


def read_back(pgn: str) -> Game:
    (game,) = games_from_pgn(io.StringIO(pgn), where="a test")
    assert not isinstance(game, SetAside), game.reason
    return game


def by_python_chess(pgn: str) -> chess.pgn.Game:
    stream = io.StringIO(pgn)
    game = chess.pgn.read_game(stream)
    assert game is not None and not game.errors
    assert chess.pgn.read_game(stream) is None
    return game


def told(evaluation: Eval | None) -> Eval | None:
    """A mate on the board has no evaluation."""
    return None if isinstance(evaluation, Mate) and evaluation.moves == 0 else evaluation


def eval_of(node: chess.pgn.GameNode) -> Eval | None:
    score = node.eval()
    if score is None:
        return None
    mate, centipawns = score.white().mate(), score.white().score()
    if mate is not None:
        return Mate("white" if mate > 0 else "black", abs(mate))
    assert centipawns is not None
    return Centipawns(centipawns)


starts = pytest.mark.parametrize("start", ["standard", "chess960", "fromPosition"])


@starts
@settings(max_examples=12, deadline=None)
@given(st.integers(0, 999))
def test_movelo_reads_the_same_moves_clocks_and_evaluations(start: str, seed: int) -> None:
    game = made_game(seed, start=start)
    evals = made_evals(game, seed)
    again = read_back(pgn_of(game, evals))
    assert replay(again).moves_uci == replay(game).moves_uci
    assert again.clocks_centiseconds == game.clocks_centiseconds
    known = [entry.evaluation for entry in again.source_evals]
    assert known + [None] * (len(game.moves_san) - len(known)) == [*map(told, evals.evals[1:])]
    named = EngineId(name=evals.engine.name)
    assert (again.source_engine, again.source_limit) == (named, evals.limit)
    kept = game_from_export(game_to_export(again), where="a test")
    assert (kept.source_engine, kept.source_limit) == (named, evals.limit)
    ignored = {"source_evals", "source_engine", "source_limit", "moves_san", "opening", "status"}
    for field in set(Game.__dataclass_fields__) - ignored:
        assert getattr(again, field) == getattr(game, field), field
    assert again.opening is not None and again.opening.name == "Italian Game"


@starts
@settings(max_examples=12, deadline=None)
@given(st.integers(0, 999))
def test_python_chess_reads_the_same_moves_clocks_and_evaluations(start: str, seed: int) -> None:
    game = made_game(seed, start=start)
    evals = made_evals(game, seed)
    again = by_python_chess(pgn_of(game, evals))
    nodes = list(again.mainline())
    assert tuple(node.move.uci() for node in nodes) == replay(game).moves_uci
    clocks = [round(100 * (node.clock() or 0)) for node in nodes]
    assert tuple(clocks) == game.clocks_centiseconds
    assert [eval_of(node) for node in (again, *nodes)] == [*map(told, evals.evals)]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 999))
def test_what_is_read_back_is_scored_as_before(seed: int) -> None:
    game = made_game(seed)
    evals = made_evals(game, seed)
    whole = replace(evals, evals=tuple(e or Centipawns(0) for e in evals.evals))
    again = read_back(pgn_of(game, whole))
    source = tuple(entry.evaluation for entry in again.source_evals)
    mate = whole.evals[len(source) + 1 :]
    reread = replace(whole, evals=(whole.evals[0], *source, *mate))
    before, after = (analyse(g, replay(g), e) for g, e in ((game, whole), (again, reread)))
    assert before == after


def test_a_judged_move_has_a_nag_lichess_s_sentence_and_the_better_move() -> None:
    game = made_game()
    evals = made_evals(game)
    scores = {m.ply: m for m in analyse(game, replay(game), evals).moves}
    judged = 0
    for ply, node in enumerate(by_python_chess(pgn_of(game, evals)).mainline(), start=1):
        score = scores.get(ply)
        if score is None or score.judgement is None:
            assert not node.nags and len(node.parent.variations) == 1
            assert "best" not in node.comment
            continue
        judged += 1
        assert node.nags == {NAGS[score.judgement]}
        assert node.comment.endswith(f". {score.best_move_san} was best.")
        _, better = node.parent.variations
        assert better.san() == score.best_move_san
    assert judged > 10
    assert NAGS == {Judgement.INACCURACY: 6, Judgement.MISTAKE: 2, Judgement.BLUNDER: 4}


def test_the_forms_are_lichess_s() -> None:
    game = replace(
        made_game(),
        moves_san=("e4", "e5", "Ba6", "bxa6", "d4"),
        clocks_centiseconds=(18000, 17800, 17737, 360_000, 5),
    )
    evals = GameEvals(
        game_id=game.id, engine=LICHESS_ANALYSIS, limit=None,
        evals=(Centipawns(15), Centipawns(35), Centipawns(-40), Centipawns(-640),
               Mate("black", 3), Mate("white", 2)),
        best_moves_uci=("e2e4", "e7e5", "g1f3", "b7a6", "d2d3", None),
    )  # fmt: skip
    movetext = pgn_of(game, evals).split("\n\n")[1]
    assert movetext == (
        "1. e4 { [%eval 0.35] [%clk 0:03:00] } 1... e5 { [%eval -0.4] [%clk 0:02:58] } "
        "2. Ba6 $4 { [%eval -6.4] [%clk 0:02:57.37] Blunder. Nf3 was best. } ( 2. Nf3 ) "
        "2... bxa6 { [%eval #-3] [%clk 1:00:00] } 3. d4 { [%eval #2] [%clk 0:00:00.05] } 0-1"
    )


def test_a_mate_let_go_or_walked_into_is_told_in_lichess_s_words() -> None:
    game = replace(made_game(), moves_san=("e4", "e5", "Nf3"), clocks_centiseconds=())
    evals = GameEvals(
        game_id=game.id, engine=STOCKFISH, limit=LIMIT,
        evals=(Mate("white", 2), Centipawns(20), Mate("white", 4), Mate("white", 3)),
        best_moves_uci=("d2d4", "d7d5", "g1f3", None),
    )  # fmt: skip
    pgn = pgn_of(game, evals)
    assert "[%eval 0.2] Lost forced checkmate sequence. d4 was best." in pgn
    assert "[%eval #4] Checkmate is now unavoidable. d5 was best." in pgn


def test_both_estimates_stand_in_tags() -> None:
    game = made_game()
    evals = made_evals(game)
    pgn = pgn_of(game, evals)
    assert by_python_chess(pgn).headers["WhiteStrengthAbsent"] == "too few moves"
    ranges = {"white": made_strength(1600, low=1480.2, high=1719.6), "black": ABSENT}
    assessed = AssessedGame(
        game=game, color="white", analysis=analyse(game, replay(game), evals),
        evidence=dict.fromkeys(COLORS, ABSENT), strength=ranges,  # type: ignore[arg-type]
        human=None, human_model_missing=False,
    )  # fmt: skip
    report = game_report(assessed)
    headers = by_python_chess(
        game_to_pgn(report, game, replay(game), evals, movelo_version="0.1.0")
    ).headers
    assert headers["WhiteStrengthLichessBlitz"] == "1480-1720"
    assert headers["WhiteStrengthLichessBlitzMedian"] == "1600"
    assert headers["WhiteStrengthCoverage"] == "0.8"
    assert headers["BlackStrengthAbsent"] == "too few moves"
    expected = [float(headers[f"{side}ExpectedScore"]) for side in ("White", "Black")]
    assert sum(expected) == pytest.approx(1, abs=0.0011) and expected[0] > 0.5
    assert headers["EvaluatedBy"] == "Stockfish 15.1"
    assert headers["NodesPerPosition"] == "100000"
    assert headers["Annotator"] == "movelo 0.1.0"
    assert report.white.summary is not None
    loss = report.white.summary.average_centipawn_loss
    assert headers["WhiteAverageCentipawnLoss"] == str(loss)


def test_a_game_without_evaluations_keeps_its_moves_and_clocks() -> None:
    game = made_game()
    again = read_back(pgn_of(game))
    assert (again.moves_san, again.source_evals) == (game.moves_san, ())
    assert again.clocks_centiseconds == game.clocks_centiseconds


@pytest.mark.parametrize(
    "fields",
    [
        {"winner": None},
        {"winner": None, "result_known": False},
        {"winner": None, "result_known": False, "status": "aborted"},
        {"clock": None, "speed": "correspondence"},
        {
            "created_at": UNDATED,
            "url": None,
            "rated": False,
            "white": GamePlayer(name="A"),
            "black": GamePlayer(name="B", rating=2000),
            "opening": None,
        },
        {"rated": False, "status": "outoftime", "clocks_centiseconds": (500, 400)},
        {"white": GamePlayer(computer_level=3), "black": GamePlayer()},
    ],
    ids=["draw", "no result", "aborted", "no clock", "undated", "casual", "nobody"],
)
def test_what_a_game_lacks_is_lacking_when_it_is_read(fields: dict[str, object]) -> None:
    game = replace(made_game(), **fields)  # type: ignore[arg-type]
    again = read_back(pgn_of(game))
    for field in fields:
        assert getattr(again, field) == getattr(game, field), field


NAMES = st.text(st.characters(exclude_categories=()), min_size=1, max_size=30)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(['"][', '"]\n[Event "x"]', "\\", '\\"', "}", "\0", ";", "% "]), NAMES)
def test_no_name_breaks_the_text(beginning: str, rest: str) -> None:
    player = GamePlayer(name=f"a{beginning}{rest}", title=f"{beginning}{rest}")
    game = replace(made_game(plies=4), white=player, opening=Opening(eco=rest, name=beginning))
    pgn = pgn_of(game)
    again, other = read_back(pgn), by_python_chess(pgn)
    assert again.white.name == other.headers["White"]
    assert again.moves_san == game.moves_san and again.black.name == "Moorhenry"
    assert pgn.encode()


def test_ordinary_names_of_any_language_stay_as_they_are() -> None:
    game = replace(made_game(), white=GamePlayer(name="Ñandú O'Brien, 王 [A]"))
    assert read_back(pgn_of(game)).white.name == "Ñandú O'Brien, 王 [A]"
