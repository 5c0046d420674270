"""What chess and Lichess call things, in the reader's language: colours, speeds, endings, moves."""

from __future__ import annotations

from config.language import _, english, retold
from config.localized import number_text
from engines.evals import Color, EngineId, SearchLimit
from pipeline.records import Clock, Judgement, MoveScore
from reports.lines import ABSENT, sentence_part

COLOR_NAMES: dict[Color, str] = {"white": english("White"), "black": english("Black")}
JUDGEMENT_MARKS = {Judgement.INACCURACY: "?!", Judgement.MISTAKE: "?", Judgement.BLUNDER: "??"}

_JUDGEMENTS = {
    Judgement.INACCURACY: english("inaccuracy"),
    Judgement.MISTAKE: english("mistake"),
    Judgement.BLUNDER: english("blunder"),
}
_SCALES = {"fide": "FIDE", "uscf": "US Chess", "cfc": "CFC", "cma": "CMA", "fqe": "FQE"}
_SPEEDS = {
    "ultraBullet": "UltraBullet",
    "bullet": english("Bullet"),
    "blitz": english("Blitz"),
    "rapid": english("Rapid"),
    "classical": english("Classical"),
    "correspondence": english("Correspondence"),
}
_HALVES = {0.25: "¼", 0.5: "½", 0.75: "¾"}
# https://github.com/lichess-org/scalachess, core/src/main/scala/Status.scala
_STATUSES = {
    "mate": english("checkmate"),
    "resign": english("resignation"),
    "stalemate": english("stalemate"),
    "timeout": english("a player left"),
    "draw": english("draw"),
    "outoftime": english("time ran out"),
    "cheat": english("cheating detected"),
    "noStart": english("a player never moved"),
    "unknownFinish": english("ended in an unknown way"),
    "insufficientMaterialClaim": english("claimed: no mating material"),
    "variantEnd": english("variant ending"),
    "aborted": english("aborted"),
}


def color_name(color: Color) -> str:
    """`White` or `Black`."""
    return retold(COLOR_NAMES[color])


def judgement_name(judgement: Judgement) -> str:
    """`inaccuracy`, `mistake`, `blunder`."""
    return retold(_JUDGEMENTS[judgement])


def speed_name(speed: str) -> str:
    """`Blitz` from Lichess's `blitz`, `UltraBullet` from `ultraBullet`."""
    return retold(_SPEEDS.get(speed, speed[:1].upper() + speed[1:]))


def scale_name(scale: str) -> str:
    """`Lichess blitz` from `lichess_blitz`, `FIDE` from `fide`."""
    site, _separator, speed = scale.partition("_")
    named = {"chesscom": "Chess.com"}.get(site, site[:1].upper() + site[1:])
    return _SCALES.get(scale) or f"{named} {_scale_speed(speed)}".rstrip()


def _scale_speed(speed: str) -> str:
    return speed_name(speed).lower() if speed in _SPEEDS else speed


def time_control_text(clock: Clock | None) -> str:
    """`5+3`, `½+0`: minutes and increment seconds, as Lichess writes them."""
    if clock is None:
        return ABSENT
    minutes, seconds = divmod(clock.initial_seconds, 60)
    part = _HALVES.get(seconds / 60, f".{100 * seconds // 60:02d}" if seconds else "")
    whole = "" if part in _HALVES.values() and not minutes else str(minutes)
    return f"{whole}{part}+{clock.increment_seconds}"


def status_text(status: str | None) -> str:
    """How a game ended, in words; Lichess's own word where it is a new one."""
    return "" if status is None else retold(_STATUSES.get(status, sentence_part(status)))


def engine_text(engine: EngineId | None, limit: SearchLimit | None) -> str:
    """Who evaluated and with how much thought: `Stockfish 15.1, up to 10,000 nodes a position`."""
    if engine is None:
        return _("not evaluated")
    network = f" ({sentence_part(engine.network)})" if engine.network else ""
    name = f"{sentence_part(retold(engine.name))}{network}"
    if limit is None:
        return name
    said = (
        _("{engine}, up to {nodes} nodes a position")
        if limit.spares_nodes
        else _("{engine}, {nodes} nodes a position")
    )
    return said.format(engine=name, nodes=number_text(limit.nodes_per_position))


def move_number_text(move: MoveScore) -> str:
    """`12.` for White's move, `12…` for Black's, counted from the game's start."""
    black_began = (move.color == "white") == (move.ply % 2 == 0)
    number = (move.ply + black_began + 1) // 2
    return f"{number}." if move.color == "white" else f"{number}…"


def marked_san(move: MoveScore) -> str:
    """`Nf3`, or `Nf3?!` with the sign of its judgement."""
    return sentence_part(move.san) + (JUDGEMENT_MARKS[move.judgement] if move.judgement else "")


def white_win_percent(move: MoveScore) -> float:
    """White's win percent (0 to 100) after the move."""
    return move.win_percent_after if move.color == "white" else 100 - move.win_percent_after
