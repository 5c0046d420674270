"""Everything movelo raises on purpose, in one tree.

    MoveloError                    exit code 1
    ├── InputError                 a file, a line or a game that cannot be read
    │   ├── UnreadableFile         neither PGN nor NDJSON, missing, or not to be opened
    │   ├── IllegalMove            a game whose moves do not follow from its start
    │   └── FieldRefused           what a calculator's rule refuses about one of its fields
    ├── NoGames                    nothing is left to report on
    ├── LichessError               Lichess answered, but not with games
    │   ├── UnknownPlayer          no account of that name
    │   ├── ClosedAccount          the account exists and is closed
    │   ├── MarkedAccount          the account broke Lichess's terms of service
    │   ├── RejectedUserAgent      games are refused although the account exists
    │   ├── RateLimited            429, even after the waits that Lichess asks for
    │   └── LichessUnreachable     no connection, or it was cut too often
    ├── EngineError                a UCI engine failed
    │   ├── EngineNotFound         there is none on this machine
    │   ├── EngineNotStarted       there is one on a cluster's worker, and it does not start
    │   ├── EngineDied             the process ended, or talked nonsense
    │   ├── EngineHung             no answer before its deadline
    │   └── EngineInstallError     the download failed its checks
    ├── ModelError                 the fitted model file is missing or of another version
    ├── StoreError                 disk full, read-only, or written by a newer movelo
    └── SettingsError              an unknown setting or a value out of range

Each message is one sentence for a person: what, where, and what to do about it.

With what the command line ends:

    0      done; also when whoever reads the output (head, less) has enough
    1      it could not be done; doctor: movelo cannot work here; sync: a player's games could not
           all be fetched; batch: nothing could be made
    2      the command line or a setting is wrong
    3      batch: some players failed, the others are done
    130    stopped with Ctrl-C; what was fetched and evaluated is kept
    143    ended by SIGTERM, likewise

The pages and the API answer StoreError with 503, what was asked wrongly with 4xx, and what nobody
foresaw with 500.
"""

from __future__ import annotations


class MoveloError(Exception):
    """Any failure that movelo foresees; `str()` is the sentence a user reads."""

    exit_code = 1


class InputError(MoveloError):
    """A file, a line or a game that cannot be read."""


class UnreadableFile(InputError):
    """A file that is missing, not to be opened, or neither PGN nor NDJSON."""


class IllegalMove(InputError):
    """A game whose moves do not follow from its starting position."""


class FieldRefused(InputError):
    """What a rule refuses about one field of a calculator, `field`, whichever is blamed else."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


class NoGames(MoveloError):
    """Nothing is left to report on after the filters."""


class LichessError(MoveloError):
    """Lichess answered, but not with games."""


class UnknownPlayer(LichessError):
    """Lichess knows no account of that name."""


class ClosedAccount(LichessError):
    """The account exists and is closed; Lichess does not export its games."""


class MarkedAccount(LichessError):
    """The account is marked for breaking Lichess's terms of service."""


class RejectedUserAgent(LichessError):
    """The account exists, yet its games answer 404: Lichess refuses the client."""


class RateLimited(LichessError):
    """Lichess still answers 429 after the waits that it asks for."""


class LichessUnreachable(LichessError):
    """No connection to Lichess, or one that was cut too often."""


class EngineError(MoveloError):
    """A UCI engine failed."""


class EngineNotFound(EngineError):
    """No engine on this machine."""


class EngineNotStarted(EngineError):
    """A worker's engine could not even be started; inside the engine room only."""


class EngineDied(EngineError):
    """The engine's process ended or talked nonsense."""


class EngineHung(EngineError):
    """The engine gave no answer before its deadline."""


class EngineInstallError(EngineError):
    """An engine could not be obtained, or failed its checks."""


class ModelError(MoveloError):
    """The fitted model file is missing, damaged or of another version."""


class StoreError(MoveloError):
    """What is kept between runs cannot be read or written."""


class SettingsError(MoveloError):
    """An unknown setting, or a value out of its range."""

    exit_code = 2
