"""One game as annotated PGN, in the forms that Lichess writes, by python-chess's writer.

Evaluations and clocks stand in comments (`[%eval 0.35]`, `[%eval #-3]`, `[%clk 0:02:58.37]`:
the hundredths are given where there are any). A judged move has its NAG ($6 dubious, $2
mistake, $4 blunder), Lichess's sentence, and the better move as a variation. What movelo found
stands in tags of its own, `WhiteStrengthLichessBlitz "1480-1720"` among them.
Source: lila, modules/game/src/main/PgnDump.scala, modules/tree/src/main/Advice.scala.
"""

from __future__ import annotations

from collections.abc import Iterator

import chess
import chess.pgn

from engines.evals import COLORS, Centipawns, Color, Eval, GameEvals, Mate
from pipeline.fetch.pgn_tags import UNDATED
from pipeline.fetch.speeds import UNKNOWN_SPEED
from pipeline.records import (
    Game,
    GamePlayer,
    GameReport,
    Judgement,
    MoveScore,
    NoEstimate,
    SideReport,
)
from pipeline.replay import Replay
from pipeline.selection import is_from_elsewhere

NAGS = {
    Judgement.INACCURACY: chess.pgn.NAG_DUBIOUS_MOVE,
    Judgement.MISTAKE: chess.pgn.NAG_MISTAKE,
    Judgement.BLUNDER: chess.pgn.NAG_BLUNDER,
}

_LONGEST_TAG_CHARACTERS = 200

_VARIANTS = {"standard": "Standard", "chess960": "Chess960", "fromPosition": "From Position"}

_TERMINATIONS = {
    "created": "Unterminated",
    "started": "Unterminated",
    "aborted": "Abandoned",
    "noStart": "Abandoned",
    "timeout": "Time forfeit",
    "outoftime": "Time forfeit",
    "cheat": "Rules infraction",
    "insufficientMaterialClaim": "Insufficient material",
    "unknownFinish": "Unknown",
}


def game_to_pgn(
    report: GameReport,
    game: Game,
    replay: Replay,
    evals: GameEvals | None,
    *,
    movelo_version: str,
) -> str:
    """The game that `report` is about, and a blank line after it.

    `evals` are those that the report was made of, None where there are none. A mate on the
    board has no evaluation, as at Lichess. Quotation marks and backslashes in tags, which
    programs read differently, become ' and /.
    """
    tags = {
        **dict(_game_tags(game)),
        **dict(_found_tags(report)),
        "Annotator": f"movelo {movelo_version}",
    }
    written = chess.pgn.Game(headers={name: _tag_text(value) for name, value in tags.items()})
    if evals is not None and evals.limit is not None:  # others do not tell it, but assume it
        written.comment = " ".join(_eval_comment(evals.evals[0]))
    _add_moves(written, report, game, replay, evals)
    exporter = chess.pgn.StringExporter(columns=None)
    return f"{written.accept(exporter)}\n\n"


def _game_tags(game: Game) -> Iterator[tuple[str, str]]:
    yield "Event", _event(game)
    yield "Site", game.url or "?"
    yield "Date", "????.??.??" if _is_undated(game) else f"{game.created_at:%Y.%m.%d}"
    yield "Round", "-"
    for color in COLORS:
        yield color.capitalize(), _name(game.player(color))
    yield "Result", _result(game)
    yield "GameId", game.id
    if not _is_undated(game):
        yield "UTCDate", f"{game.created_at:%Y.%m.%d}"
        yield "UTCTime", f"{game.created_at:%H:%M:%S}"
    for color in COLORS:
        yield from _player_tags(color.capitalize(), game.player(color))
    yield "Variant", _VARIANTS[game.variant]
    yield "TimeControl", _time_control(game)
    if game.opening is not None:
        yield "ECO", game.opening.eco or "?"
        yield "Opening", game.opening.name or "?"
    if game.status is not None:
        yield "Termination", _TERMINATIONS.get(game.status, "Normal")
    if game.initial_fen is not None:
        yield "FEN", game.initial_fen
        yield "SetUp", "1"


def _event(game: Game) -> str:
    """Lichess's name for it; elsewhere nobody says whether a game was rated."""
    speed = "" if game.speed == UNKNOWN_SPEED else f"{game.speed[0].upper()}{game.speed[1:]} "
    if game.rated:
        return f"Rated {speed}game"
    return f"{speed}game".capitalize() if is_from_elsewhere(game) else f"Casual {speed}game"


def _is_undated(game: Game) -> bool:
    return game.created_at == UNDATED


def _name(player: GamePlayer) -> str:
    if player.computer_level is not None:
        return f"lichess AI level {player.computer_level}"
    return player.name or "Anonymous"


def _result(game: Game) -> str:
    if not game.result_known:
        return "*"
    return {"white": "1-0", "black": "0-1", None: "1/2-1/2"}[game.winner]


def _player_tags(side: str, player: GamePlayer) -> Iterator[tuple[str, str]]:
    yield f"{side}Elo", "?" if player.rating is None else str(player.rating)
    if player.rating_diff is not None:
        yield f"{side}RatingDiff", f"{player.rating_diff:+d}"
    if player.title:
        yield f"{side}Title", player.title


def _time_control(game: Game) -> str:
    if game.clock is None:
        return "-" if game.speed == "correspondence" else "?"
    return f"{game.clock.initial_seconds}+{game.clock.increment_seconds}"


def _found_tags(report: GameReport) -> Iterator[tuple[str, str]]:
    """What the results and the moves say of both sides."""
    for color in COLORS:
        yield from _side_tags(color.capitalize(), report.side(color))
    if report.engine is not None:
        yield "EvaluatedBy", report.engine.name
    if report.limit is not None:
        yield "NodesPerPosition", str(report.limit.nodes_per_position)


def _side_tags(side: str, found: SideReport) -> Iterator[tuple[str, str]]:
    if found.expected_score is not None:
        yield f"{side}ExpectedScore", f"{found.expected_score:.3f}"
    strength = found.strength
    if isinstance(strength, NoEstimate):
        yield f"{side}StrengthAbsent", strength.reason
    else:
        name = f"{side}Strength{_camel_case(strength.scale)}"
        yield name, f"{strength.low:.0f}-{strength.high:.0f}"
        yield f"{name}Median", f"{strength.median:.0f}"
        yield f"{side}StrengthCoverage", f"{strength.coverage:g}"
    summary = found.summary
    if summary is not None and summary.accuracy_percent is not None:
        yield f"{side}AccuracyPercent", f"{summary.accuracy_percent:.2f}"
    if summary is not None and summary.average_centipawn_loss is not None:
        yield f"{side}AverageCentipawnLoss", str(summary.average_centipawn_loss)


def _camel_case(scale: str) -> str:
    """`lichess_blitz` as part of a tag's name: `LichessBlitz`."""
    return "".join(f"{word[:1].upper()}{word[1:]}" for word in scale.split("_"))


def _add_moves(
    written: chess.pgn.Game,
    report: GameReport,
    game: Game,
    replay: Replay,
    evals: GameEvals | None,
) -> None:
    scores = {move.ply: move for move in report.moves}
    node: chess.pgn.GameNode = written
    for ply, board in zip(range(1, replay.plies + 1), replay.boards(), strict=False):
        parent, score = node, scores.get(ply)
        node = parent.add_main_variation(chess.Move.from_uci(replay.moves_uci[ply - 1]))
        node.comment = " ".join(_comment(ply, score, game, evals))
        if score is not None and score.judgement is not None:
            node.nags.add(NAGS[score.judgement])
            if score.best_move_san is not None:
                parent.add_variation(board.parse_san(score.best_move_san))


def _comment(
    ply: int, score: MoveScore | None, game: Game, evals: GameEvals | None
) -> Iterator[str]:
    if evals is not None:
        yield from _eval_comment(evals.evals[ply])
    if ply <= len(game.clocks_centiseconds):
        yield f"[%clk {_clock_text(game.clocks_centiseconds[ply - 1])}]"
    if score is not None and score.judgement is not None and evals is not None:
        yield _words(score, evals)


def _eval_comment(evaluation: Eval | None) -> Iterator[str]:
    match evaluation:
        case Centipawns(value):
            yield f"[%eval {value / 100}]"
        case Mate(winner, moves) if moves:
            yield f"[%eval #{moves if winner == 'white' else -moves}]"
        case _:
            pass


def _clock_text(centiseconds: int) -> str:
    minutes, rest = divmod(max(0, centiseconds), 6000)
    seconds, hundredths = divmod(rest, 100)
    fraction = f".{hundredths:02d}" if hundredths else ""
    return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}{fraction}"


def _words(score: MoveScore, evals: GameEvals) -> str:
    """`Mistake. Nf3 was best.`, or what happened to a mate in place of the judgement."""
    assert score.judgement is not None, "only a judged move has words"  # noqa: S101
    before, after = evals.evals[score.ply - 1], evals.evals[score.ply]
    said = score.judgement.value.capitalize()
    if _mates(before, score.color):
        said = "Lost forced checkmate sequence"
    elif isinstance(after, Mate):
        said = "Checkmate is now unavoidable"
    best = f" {score.best_move_san} was best." if score.best_move_san is not None else ""
    return f"{said}.{best}"


def _mates(evaluation: Eval | None, color: Color) -> bool:
    return isinstance(evaluation, Mate) and evaluation.winner == color


def _tag_text(text: str) -> str:
    """One line that every reader of PGN takes for the same."""
    plain = text.encode("utf-8", "replace").decode().replace('"', "'").replace("\\", "/")
    line = " ".join("".join(c if c.isprintable() else " " for c in plain).split())
    return line[:_LONGEST_TAG_CHARACTERS].strip()
