"""Whatever a UCI engine prints: an option, a score and a move, or a reason why it is none.

    python tests/fuzz_uci.py --seconds 600

See `fuzz_driver` for what else it can be told.
"""

import chess
from fuzz_driver import main

from engines.evals import Centipawns, Mate
from engines.uci_answers import best_move_in, is_exact_score, score_in
from engines.uci_options import UciOptions, option_in

SEEDS = (
    *(b"info depth 10 seldepth 14 multipv 1 score cp 31 nodes 1000 nps 9000 pv e2e4 e7e5",),
    *(b"info depth 3 score mate -2 nodes 100", b"info depth 9 score cp 20 lowerbound nodes 1"),
    *(b"info string score cp 5", b"bestmove e2e4 ponder e7e5", b"bestmove (none)", b"bestmove"),
    *(b"option name Hash type spin default 16 min 1 max 33554432", b"bestmove e7e8Q"),
    *(b"option name Style type combo default Normal var Solid var Normal var Risky",),
    *(b"option name Clear Hash type button", b"option name EvalFile type string default <empty>"),
)
_BOARD = chess.Board()


def check_line(data: bytes) -> None:
    """One line as the process gives it; a refusal is a ValueError, which has words."""
    line = data.partition(b"\n")[0].decode(errors="replace").rstrip()
    if is_exact_score(line):
        _check_score(line)
    try:
        move_uci = best_move_in(line, _BOARD)
    except ValueError as error:
        assert str(error).strip()
    else:
        assert chess.Move.from_uci(move_uci) in _BOARD.legal_moves
    if (option := option_in(line)) is not None:
        _check_option(option.name, line)


def _check_score(line: str) -> None:
    try:
        found = score_in(line, chess.BLACK)
    except ValueError as error:
        assert str(error).strip()
    else:
        assert isinstance(found, Centipawns | Mate)


def _check_option(name: str, line: str) -> None:
    options = UciOptions()
    option = option_in(line)
    assert option is not None
    options.add(option)
    for value in ("1", 1, -(2**70), True, "<empty>", "x" * 1000, "ä"):
        try:
            command = options.command(name, value)
        except ValueError as error:
            assert str(error).strip()
        else:
            assert "\n" not in command[:-1]


if __name__ == "__main__":
    main(check_line, SEEDS)
