"""A game and its evaluations become scored moves: the inputs that broke other programs, too."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import IllegalMove, InputError
from engines.evals import (
    COLORS,
    LICHESS_ANALYSIS,
    Centipawns,
    EngineId,
    Eval,
    GameEvals,
    Mate,
    SearchLimit,
)
from pipeline.analysis import analyse, scored_move_count, source_evals
from pipeline.records import Clock, Game, GameAnalysis, GamePlayer, Judgement, Phase, SourceEval
from pipeline.replay import replay

SCHOLARS_MATE = "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#"


def game(moves: str, **fields: object) -> Game:
    plain = Game(
        id="abcdefgh",
        variant="standard",
        speed="blitz",
        rated=True,
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        white=GamePlayer(name="ann", rating=1500),
        black=GamePlayer(name="bob", rating=1500),
        winner=None,
        clock=Clock(initial_seconds=180, increment_seconds=2),
        moves_san=tuple(moves.split()),
    )
    return replace(plain, **fields)  # type: ignore[arg-type]


def analysed(
    played: Game, evals: list[Eval | None], best_moves_uci: list[str | None] | None = None
) -> GameAnalysis:
    return analyse(played, replay(played), found_by_engine(played, evals, best_moves_uci))


def found_by_engine(
    played: Game, evals: list[Eval | None], best_moves_uci: list[str | None] | None = None
) -> GameEvals:
    return GameEvals(
        game_id=played.id,
        engine=EngineId(name="an engine"),
        limit=SearchLimit(nodes_per_position=1),
        evals=tuple(evals),
        best_moves_uci=tuple(best_moves_uci or [None] * len(evals)),
    )


def cps(*centipawns: int) -> list[Eval | None]:
    return [Centipawns(value) for value in centipawns]


def from_lichess(*entries: SourceEval) -> dict[str, object]:
    return {"source_evals": entries, "source_engine": LICHESS_ANALYSIS}


def test_every_move_is_scored_from_its_mover_s_point_of_view() -> None:
    moves = analysed(game("e4 e5 Nf3"), cps(20, 30, 130, 130)).moves
    assert [(m.ply, m.color, m.san, m.move_uci) for m in moves] == [
        (1, "white", "e4", "e2e4"),
        (2, "black", "e5", "e7e5"),
        (3, "white", "Nf3", "g1f3"),
    ]
    assert [m.centipawn_loss for m in moves] == [0, 100, 0]
    assert moves[1].win_percent_before == pytest.approx(100 - 52.76, abs=0.01)
    assert moves[1].win_percent_after < moves[1].win_percent_before
    assert [m.legal_move_count for m in moves] == [20, 20, 29]


def test_the_mating_move_counts_and_loses_nothing() -> None:
    evals = [*cps(20, 20, 20, -30, 20, 20), Mate("white", 1), Mate("white", 0)]
    found = analysed(game(SCHOLARS_MATE, winner="white"), evals)
    mate = found.moves[-1]
    assert (mate.san, mate.centipawn_loss, mate.accuracy_percent) == ("Qxf7#", 0, 100)
    assert mate.judgement is None
    assert found.white.moves == 4
    assert found.moves[5].judgement is Judgement.BLUNDER


def test_lichess_leaves_out_the_final_mate_and_movelo_puts_it_back() -> None:
    entries = [SourceEval(evaluation=Centipawns(20)) for _ in range(6)]
    played = game(SCHOLARS_MATE, winner="white", **from_lichess(*entries))
    found = source_evals(played, replay(played))
    assert found is not None
    assert found.evals[0] == Centipawns(15)
    assert found.evals[-1] == Mate("white", 0)
    assert len(found.evals) == len(found.best_moves_uci) == 8


def test_black_to_move_first_is_scored_as_black() -> None:
    fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2"
    played = game("Nf6 Nc3", variant="fromPosition", initial_fen=fen)
    moves = analysed(played, cps(100, 100, -300)).moves
    assert [(m.color, m.centipawn_loss) for m in moves] == [("black", 0), ("white", 400)]


def test_lichess_s_evaluations_say_nothing_about_an_unusual_start() -> None:
    fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2"
    entries = [SourceEval(evaluation=Centipawns(500)), SourceEval(evaluation=Centipawns(500))]
    played = game("Nf6 Nc3", variant="fromPosition", initial_fen=fen, **from_lichess(*entries))
    found = source_evals(played, replay(played))
    assert found is not None and found.evals[0] is None
    assert [m.san for m in analyse(played, replay(played), found).moves] == ["Nc3"]


def test_chess960_castling_is_read() -> None:
    fen = "nrkrbbqn/pppppppp/8/8/8/8/PPPPPPPP/NRKRBBQN w KQkq - 0 1"
    played = game("O-O-O", variant="chess960", initial_fen=fen)
    with pytest.raises(IllegalMove, match="O-O-O at ply 1"):
        replay(played)  # the bishop is not in the way, but the rook on d1 is
    fen = "1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w KQkq - 0 1"
    replayed = replay(game("O-O O-O-O", variant="chess960", initial_fen=fen))
    assert replayed.moves_uci == ("c1f1", "c8b8")
    assert [b.board_fen() for b in replayed.boards()] != [] and replayed.positions().chess960


def test_a_missing_evaluation_takes_out_the_two_moves_beside_it() -> None:
    evals = cps(0, 0, 0, 0, 0)
    evals[2] = None
    found = analysed(game("e4 e5 Nf3 Nc6"), evals)
    assert [m.ply for m in found.moves] == [1, 4]


@given(known=st.lists(st.booleans(), min_size=6, max_size=6), black_first=st.booleans())
def test_scored_moves_are_counted_without_scoring_them(
    known: list[bool], black_first: bool
) -> None:
    fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2"
    unusual = game("Nf6 Nc3 Nc6 Nf3 Bc5", variant="fromPosition", initial_fen=fen)
    played = unusual if black_first else game("e4 e5 Nf3 Nc6 Bc4")
    evals = [Centipawns(10) if one else None for one in known]
    found = analysed(played, evals)
    for color in COLORS:
        counted = scored_move_count(replay(played), found_by_engine(played, evals), color)
        assert counted == len(found.own_moves(color))


def test_too_many_missing_evaluations_leave_the_game_to_stockfish() -> None:
    ten = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6"
    known, hole = SourceEval(evaluation=Centipawns(10)), SourceEval(evaluation=None)
    nearly_whole = game(ten, **from_lichess(*[known] * 9, hole))
    assert source_evals(nearly_whole, replay(nearly_whole)) is not None
    holed = game(ten, **from_lichess(*[known] * 8, hole, hole))
    assert source_evals(holed, replay(holed)) is None
    assert source_evals(game(ten), replay(game(ten))) is None


def test_lichess_s_limit_of_300_plies_is_no_hole() -> None:
    shuffle = " ".join(["Nf3 Nf6 Ng1 Ng8"] * 80)
    entries = [SourceEval(evaluation=Centipawns(0)) for _ in range(300)]
    played = game(shuffle, **from_lichess(*entries))
    found = source_evals(played, replay(played))
    assert found is not None
    assert len(analyse(played, replay(played), found).moves) == 300


def test_a_move_that_the_engine_preferred_is_never_judged() -> None:
    evals = cps(0, -300, -300)
    assert analysed(game("f3 e5"), evals, ["f2f3", None, None]).moves[0].judgement is None
    worse = analysed(game("f3 e5"), evals, ["e2e4", "e7e5", None]).moves[0]
    assert (worse.judgement, worse.best_move_san) == (Judgement.BLUNDER, "e4")


def test_where_nobody_names_better_moves_the_loss_alone_is_judged() -> None:
    move = analysed(game("f3 e5"), cps(0, -300, -300)).moves[0]
    assert (move.judgement, move.is_best_move) == (Judgement.BLUNDER, None)


def test_an_impossible_best_move_is_not_shown() -> None:
    move = analysed(game("f3 e5"), cps(0, 0, 0), ["e2e5", "e7e5", None]).moves[0]
    assert (move.best_move_san, move.is_best_move) == (None, None)


def test_time_left_and_time_spent_are_the_mover_s() -> None:
    clocks = (18003, 18003, 17803, 17003, 17500, 17203)
    played = game("e4 e5 Nf3 Nc6 Bc4", clocks_centiseconds=clocks)  # one clock too many
    moves = analysed(played, cps(0, 0, 0, 0, 0, 0)).moves
    assert [m.seconds_left for m in moves] == [180.03, 180.03, 178.03, 170.03, 175.0]
    assert [m.seconds_spent for m in moves] == [None, None, 4.0, 12.0, pytest.approx(5.03)]


def test_without_clocks_there_is_no_time() -> None:
    move = analysed(game("e4 e5"), cps(0, 0, 0)).moves[0]
    assert (move.seconds_left, move.seconds_spent) == (None, None)


def test_a_game_without_moves_has_nothing_to_score() -> None:
    found = analysed(game(""), cps(15))
    assert found.moves == ()
    assert found.white.accuracy_percent is None and found.white.average_centipawn_loss is None


def test_one_move_each_and_resignation_is_no_division_by_zero() -> None:
    found = analysed(game("e4 e6", winner="black"), cps(20, 20, 30))
    assert (found.white.moves, found.black.moves) == (1, 1)
    assert found.black.average_centipawn_loss == 10


def test_every_move_knows_its_phase() -> None:
    bare = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    played = game("e4 Kd7", variant="fromPosition", initial_fen=bare)
    assert [m.phase for m in analysed(played, cps(0, 0, 0)).moves] == [Phase.ENDGAME] * 2
    assert analysed(game("e4"), cps(0, 0)).moves[0].phase is Phase.OPENING


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"moves_san": ("e4", "e4")}, "Game abcdefgh: e4 at ply 2 is illegal"),
        ({"moves_san": ("e4", "--")}, "ply 2 is a null move"),
        ({"variant": "atomic"}, "Game abcdefgh is atomic; movelo reads standard chess"),
        ({"initial_fen": "8/8/8 w"}, "starts from an unreadable FEN"),
        ({"initial_fen": "8/8/8/8/8/8/8/K7 w - - 0 1"}, "cannot arise in chess"),
    ],
)
def test_what_cannot_be_followed_is_named(fields: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        replay(game("", **fields) if "moves_san" in fields else game("e4", **fields))


def test_an_ambiguous_move_is_named_as_such() -> None:
    with pytest.raises(IllegalMove, match="Nd2 at ply 5 is ambiguous"):
        replay(game("Nf3 Nf6 d3 d6 Nd2"))
