"""A PGN text -> games, or a reason for each game that cannot be used."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import chess
import chess.pgn
import chess.variant

from config.language import english
from engines.evals import Color
from pipeline.fetch.export import MADE_ID
from pipeline.fetch.pgn_comments import clock_in, evaluation_in, trimmed
from pipeline.fetch.pgn_tags import (
    Tags,
    created_at,
    is_rated,
    lichess_id_of,
    opening_of,
    pace_of,
    player_of,
    result_of,
    source_engine_of,
    source_limit_of,
    url_of,
)
from pipeline.fetch.pgn_text import WrittenGame, WrittenMove, written_games
from pipeline.fetch.statuses import status_of_termination
from pipeline.records import Game, SetAside, SourceEval

_LICHESS_VARIANTS = {
    "3check": "threeCheck",
    "kingofthehill": "kingOfTheHill",
    "racingkings": "racingKings",
}

_TAGS_OF_THE_ID = ("Site", "Date", "UTCDate", "UTCTime", "Round", "White", "Black", "Result", "FEN")

_LONGEST_SHOWN = 100
"""Of a tag's value in a reason; a starting position takes up to 92."""


class _Unusable(Exception):
    """Why a game is set aside."""


def games_from_pgn(text_stream: Iterable[str], *, where: str) -> Iterator[Game | SetAside]:
    """The games of a PGN text in order; one that breaks the rules is set aside by name.

    `text_stream` gives lines (an open text file does). `where` names it: "games.pgn" gives
    "games.pgn, game 3 (line 41)". Variations, NAGs and prose are left out. A game without
    a date gets `UNDATED`, one without time control and speed `UNKNOWN_SPEED`, one without
    an address on Lichess an id made from its tags and moves ("pgn-" and 12 hex digits).
    Clocks are kept as far as every move has one.
    """
    for written in written_games(text_stream):
        yield game_or_reason(written, where=where)


def game_or_reason(written: WrittenGame, *, where: str) -> Game | SetAside:
    """The game with its moves followed on the board, or where it stands and what is wrong."""
    try:
        return _game(written)
    except _Unusable as unusable:
        place = english("{source}, game {number} (line {line})").format(
            source=where, number=written.number, line=written.line
        )
        return SetAside(where=place, reason=str(unusable))


def game_of(
    tags: Tags,
    *,
    game_id: str,
    variant: str,
    result: str | None,
    moves_san: tuple[str, ...],
    clocks_centiseconds: tuple[int, ...],
    source_evals: tuple[SourceEval, ...],
) -> Game:
    """The game that these tags describe; `result` is what its moves end with."""
    winner, result_known = result_of(tags, result)
    pace = pace_of(tags)
    is_on_lichess = lichess_id_of(tags) is not None
    return Game(
        id=game_id,
        variant=variant,
        speed=pace.speed,
        rated=is_rated(tags),
        created_at=created_at(tags),
        white=player_of(tags, "white"),
        black=player_of(tags, "black"),
        winner=winner,
        result_known=result_known,
        status=status_of_termination(tags.get("Termination")),
        url=f"https://lichess.org/{game_id}" if is_on_lichess else url_of(tags),
        clock=pace.clock,
        opening=opening_of(tags),
        initial_fen=tags.get("FEN"),
        moves_san=moves_san,
        clocks_centiseconds=clocks_centiseconds,
        source_evals=source_evals,
        source_engine=source_engine_of(tags) if source_evals else None,
        source_limit=source_limit_of(tags) if source_evals else None,
    )


def _game(written: WrittenGame) -> Game:
    if written.problem:
        said = english("{problem}; correct the text and read it again")
        raise _Unusable(said.format(problem=written.problem))
    _refuse_cut(written)
    tags = written.tags
    board = _start(tags)
    variant = _variant(tags, board)
    evals = trimmed(_follow(board, written.moves))
    return game_of(
        tags,
        game_id=lichess_id_of(tags) or _made_id(written),
        variant=variant,
        result=written.result,
        moves_san=tuple(move.text for move in written.moves),
        clocks_centiseconds=_clocks(written.moves),
        source_evals=evals,
    )


def _refuse_cut(written: WrittenGame) -> None:
    """The last game of a cut text looks whole, but for the result that should end it."""
    if not written.is_last or written.result is not None:
        return
    stated = written.tags.get("Result", "*").strip()
    if stated in ("1-0", "0-1", "1/2-1/2"):
        raise _Unusable(
            english(
                "its moves do not end with the result {stated} of its tags, so the text is cut "
                "there; get the file again"
            ).format(stated=stated)
        )
    if not written.moves:
        raise _Unusable(english("there are tags and nothing after them; get the file again"))


def _start(tags: Tags) -> chess.Board:
    headers = chess.pgn.Headers({})
    for tag in ("Variant", "FEN"):
        if tag in tags:
            headers[tag] = " ".join(tags[tag].split())
    try:
        headers.variant()
    except ValueError:
        said = english("the variant {variant} is not known; leave it out")
        raise _Unusable(said.format(variant=_shown(tags["Variant"]))) from None
    try:
        return headers.board()
    except ValueError:
        said = english("its starting position {fen} cannot be read; correct the FEN tag")
        raise _Unusable(said.format(fen=_shown(tags.get("FEN", "")))) from None


def _shown(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…")


def _variant(tags: Tags, board: chess.Board) -> str:
    """Lichess's word for the variant."""
    if type(board) is not chess.Board:
        uci_variant = str(board.uci_variant)
        return _LICHESS_VARIANTS.get(uci_variant, uci_variant)
    if board.chess960:
        return "chess960"
    said = tags.get("Variant", "").strip().lower() == "from position"
    return "fromPosition" if said or board.fen() != chess.STARTING_FEN else "standard"


def _follow(board: chess.Board, moves: Iterable[WrittenMove]) -> list[SourceEval]:
    """Play the moves on `board`, and give the evaluation after each."""
    evals = []
    for ply, written in enumerate(moves, start=1):
        mover: Color = "white" if board.turn == chess.WHITE else "black"
        board.push(_move(board, written, ply))
        evals.append(SourceEval(evaluation=evaluation_in(written.comment, mover)))
    return evals


def _move(board: chess.Board, written: WrittenMove, ply: int) -> chess.Move:
    dots = "." if board.turn == chess.WHITE else "..."
    move_text = f"{board.fullmove_number}{dots} {written.text[:20]}"

    def unusable(said: str) -> _Unusable:
        return _Unusable(said.format(move=move_text, ply=ply, line=written.line))

    try:
        move = board.parse_san(written.text)
    except chess.IllegalMoveError:
        raise unusable(
            english("{move} (ply {ply}, line {line}) is illegal there; correct the move")
        ) from None
    except chess.AmbiguousMoveError:
        raise unusable(
            english(
                "{move} (ply {ply}, line {line}) could be more than one move; say which piece moves"
            )
        ) from None
    except chess.InvalidMoveError:
        raise unusable(
            english("{move} (ply {ply}, line {line}) is not a move in English notation; correct it")
        ) from None
    if not move:
        raise unusable(
            english(
                "{move} (ply {ply}, line {line}) is a null move, which no game has; take it out"
            )
        )
    return move


def _clocks(moves: Iterable[WrittenMove]) -> tuple[int, ...]:
    clocks = []
    for move in moves:
        centiseconds = clock_in(move.comment)
        if centiseconds is None:
            break
        clocks.append(centiseconds)
    return tuple(clocks)


def _made_id(written: WrittenGame) -> str:
    parts = [written.tags.get(tag, "") for tag in _TAGS_OF_THE_ID]
    parts += [move.text for move in written.moves]
    return (
        MADE_ID + hashlib.sha256("\n".join(parts).encode(errors="surrogatepass")).hexdigest()[:12]
    )
