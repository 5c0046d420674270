"""Rounding and words: how movelo writes numbers, ranges, dates and the game's own terms.

Ratings that were estimated are rounded to 10 and shown as ranges; ratings that Lichess
gave are shown as they are. Every display uses these, so that they agree.
"""

from __future__ import annotations

import math
from datetime import datetime, tzinfo

from engines.evals import Color, EngineId, SearchLimit
from pipeline.records import Clock, Judgement, MoveScore, NoEstimate, StrengthRange

ABSENT = "—"
COLOR_NAMES: dict[Color, str] = {"white": "White", "black": "Black"}
JUDGEMENT_MARKS = {Judgement.INACCURACY: "?!", Judgement.MISTAKE: "?", Judgement.BLUNDER: "??"}

_SCALES = {"fide": "FIDE", "uscf": "US Chess", "cfc": "CFC", "cma": "CMA", "fqe": "FQE"}
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_HALVES = {0.25: "¼", 0.5: "½", 0.75: "¾"}
# https://github.com/lichess-org/scalachess, core/src/main/scala/Status.scala
_STATUSES = {
    "mate": "checkmate",
    "resign": "resignation",
    "stalemate": "stalemate",
    "timeout": "a player left",
    "draw": "draw",
    "outoftime": "time ran out",
    "cheat": "cheating detected",
    "noStart": "a player never moved",
    "unknownFinish": "ended in an unknown way",
    "insufficientMaterialClaim": "claimed: no mating material",
    "variantEnd": "variant ending",
    "aborted": "aborted",
}


# --- ratings and ranges --------------------------------------------------------------------


def rounded_to_ten(rating: float) -> int:
    """The nearest ten, halves upwards: 1475 becomes 1480."""
    return math.floor(rating / 10 + 0.5) * 10


def range_text(low: float, high: float) -> str:
    """`1,480–1,790`: both ends rounded to 10."""
    return f"{rounded_to_ten(low):,}–{rounded_to_ten(high):,}"


def strength_text(strength: StrengthRange | NoEstimate) -> str:
    """A strength as a range, never as a point; a dash when there is none."""
    if isinstance(strength, NoEstimate):
        return ABSENT
    return range_text(strength.low, strength.high)


def views_text(with_human_model: int, games: int, *, with_pairing: bool = False) -> str:
    """Who looked at the moves of `games` games, the human-move model at some or all of them."""
    paired = f"; {WITH_PAIRING}" if with_pairing else ""
    if not with_human_model:
        return f"from Stockfish's view alone{paired}"
    some = "" if with_human_model == games else f", in {with_human_model:,} of {games:,} games,"
    return f"from Stockfish's view and{some} a human-move model{paired}"


WITH_PAIRING = "with the pairing: also from the opponents' moves"


def reason_text(estimate: object) -> str:
    """Why there is no estimate; empty when there is one."""
    return sentence_part(estimate.reason) if isinstance(estimate, NoEstimate) else ""


def rating_text(rating: float | None, *, provisional: bool = False) -> str:
    """`1,834`, or `1,834?` when provisional (Lichess's own sign); a dash when unknown."""
    if rating is None:
        return ABSENT
    return f"{math.floor(rating + 0.5):,}{'?' if provisional else ''}"


def coverage_text(*coverages: float) -> str:
    """`80 %` from 0.8; `80–90 %` when the coverages (0 to 1) differ; empty for none."""
    percents = sorted({round(100 * coverage, 1) for coverage in coverages})
    if not percents:
        return ""
    ends = (percents[0],) if len(percents) == 1 else (percents[0], percents[-1])
    return "–".join(f"{percent:g}" for percent in ends) + " %"


# --- scores and percentages ----------------------------------------------------------------


def score_text(score: float | None) -> str:
    """`12½`, `½`, `0`; a dash when there is no result."""
    if score is None:
        return ABSENT
    whole, half = divmod(round(2 * score), 2)
    if not half:
        return f"{whole:,}"
    return f"{whole:,}½" if whole else "½"


def score_of_text(score: float, games: int) -> str:
    """`12½/20`."""
    return f"{score_text(score)}/{games:,}"


def outcome_word(score: float | None) -> str:
    """What one game's score (0, ½, 1) is called."""
    return "no result" if score is None else {0.0: "loss", 0.5: "draw", 1.0: "win"}[score]


def decimal_text(value: float | None, places: int) -> str:
    """`0.57`; a dash when unknown."""
    return ABSENT if value is None else f"{value:,.{places}f}"


def percent_text(percent: float | None) -> str:
    """`84 %` from a percentage of 0 to 100; a dash when unknown."""
    return ABSENT if percent is None else f"{math.floor(percent + 0.5)} %"


def probability_text(probability: float) -> str:
    """`38 %` from 0.384; finer below 10 %, and never a bare 0 % or 100 %."""
    percent = 100 * probability
    if percent < 0.1:
        return "under 0.1 %"
    if percent > 99.9:
        return "over 99.9 %"
    return f"{percent:.1f} %" if percent < 9.95 or percent > 99 else f"{percent:.0f} %"


def counted(number: int, noun: str) -> str:
    """`1 game`, `1,204 games`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


# --- dates ---------------------------------------------------------------------------------


def date_text(when: datetime, zone: tzinfo) -> str:
    """`2026-03-14`, the day in `zone`."""
    return when.astimezone(zone).date().isoformat()


def long_date_text(when: datetime, zone: tzinfo) -> str:
    """`14 March 2026`, the day in `zone`."""
    local = when.astimezone(zone)
    return f"{local.day} {_MONTHS[local.month - 1]} {local.year}"


def period_text(first: datetime, last: datetime, zone: tzinfo) -> str:
    """`3 January – 14 March 2026`; one date when both fall on the same day."""
    start, end = long_date_text(first, zone), long_date_text(last, zone)
    if start == end:
        return end
    year = end.rpartition(" ")[2]
    return f"{start.removesuffix(f' {year}')} – {end}"


def zone_text(zone: tzinfo, when: datetime) -> str:
    """`UTC`, `Europe/Berlin`, or what the zone calls itself on that day."""
    key = getattr(zone, "key", None)
    return str(key or when.astimezone(zone).tzname() or "local time")


# --- the game's own terms ------------------------------------------------------------------


def speed_name(speed: str) -> str:
    """`Blitz` from Lichess's `blitz`, `UltraBullet` from `ultraBullet`."""
    return speed[:1].upper() + speed[1:]


def scale_name(scale: str) -> str:
    """`Lichess blitz` from `lichess_blitz`, `FIDE` from `fide`."""
    site, _, speed = scale.partition("_")
    site = "Chess.com" if site == "chesscom" else speed_name(site)
    return _SCALES.get(scale) or f"{site} {speed}".rstrip()


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
    return "" if status is None else _STATUSES.get(status, sentence_part(status))


def engine_text(engine: EngineId | None, limit: SearchLimit | None) -> str:
    """Who evaluated and with how much thought: `Stockfish 15.1, 100,000 nodes a position`."""
    if engine is None:
        return "not evaluated"
    network = f" ({sentence_part(engine.network)})" if engine.network else ""
    thought = f", {limit.nodes_per_position:,} nodes a position" if limit else ""
    return f"{sentence_part(engine.name)}{network}{thought}"


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


# --- text that came from outside -----------------------------------------------------------


def one_line(text: str, longest: int = 60) -> str:
    """`text` as it may be shown: one line, at most `longest` characters, nothing that acts.

    Control characters (a terminal obeys them), direction overrides and lone surrogates are
    dropped, runs of white space become one space.
    """
    # Only the start is looked at: a name may be a megabyte long.
    start = text[: 8 * longest]
    visible = "".join(" " if char.isspace() else char for char in start if _is_harmless(char))
    line = " ".join(visible.split())
    if len(line) > longest or len(text) > len(start):
        return line[: longest - 1].rstrip() + "…"
    return line or ABSENT


def sentence_part(text: str) -> str:
    """`text` on one line, long enough for a sentence, without a closing full stop."""
    return one_line(text, longest=300).rstrip(".")


def _is_harmless(char: str) -> bool:
    return char.isprintable() or char.isspace()
