"""Names, addresses, days, shares, texts on the command line: whatever a person may type.

    python tests/fuzz_names.py --seconds 600

See `fuzz_driver` for what else it can be told.
"""

import re
from pathlib import Path, PureWindowsPath

import typer
from fuzz_driver import main

from config.errors import MoveloError
from config.file_names import file_stem
from config.language import best_language, language_of
from pipeline.cli.import_games import _share_of
from pipeline.cli.options import end_of, formats_of, speeds_of, start_of
from pipeline.fetch.lichess_names import checked_username, game_id_of
from pipeline.records import GamePlayer
from pipeline.store.place import FilePlace, place_of
from reports.names import lichess_link, player_name

SEEDS = (
    *(b"https://lichess.org/q7ZvsdUF/black#12", b"lichess.org/q7ZvsdUFabcd?x=1", b"Quillfeather"),
    *(b"2026-01-31", b"2026-01-31T23:59:59+02:00", b"9999-12-31", b"0001-01-01", b"0.5%"),
    *(b"blitz,rapid", b"html,json", b"fr-CH, fr;q=0.9, en;q=0.8, *;q=0.5", b"fr_FR.UTF-8"),
    *(
        b"postgresql://me:word@localhost:5432/movelo?sslmode=require",
        b"C:\\games\\..\\CON.pgn",
        b"con",
    ),
    "𠀀".encode() * 90,
)
_RESERVED = re.compile(r"(CON|PRN|AUX|NUL|COM[0-9¹²³]|LPT[0-9¹²³])(\..*)?", re.IGNORECASE)


def check_name(data: bytes) -> None:
    """Each reader of such a text takes it, or refuses it in a sentence."""
    text = data.decode("utf-8", "surrogateescape")
    for read in (checked_username, place_of, start_of, end_of, speeds_of, formats_of, _share_of):
        try:
            found = read(text)
        except (MoveloError, typer.BadParameter) as error:
            assert str(error).strip()
        else:
            assert not isinstance(found, FilePlace), "an address is no file"
    assert re.fullmatch("[A-Za-z0-9]{8}", game_id_of(text) or "aaaaaaaa", re.ASCII)
    assert language_of({"LANG": text}) in ("en", "fr", "pt")
    assert best_language(text) in ("en", "fr", "pt")
    link = lichess_link(text)
    assert link is None or re.match(r"https?://lichess\.org(/|\?|#|$)", link, re.IGNORECASE), link
    _check_stem(file_stem(text))
    shown = player_name(GamePlayer(name=text, title=text))
    assert shown.isprintable() or " " in shown
    shown.encode()


def _check_stem(stem: str) -> None:
    """A file of this name stands in its folder, on every system."""
    stem.encode()
    assert 0 < len(stem.encode()) <= 200, stem
    assert Path(stem).name == stem == PureWindowsPath(stem).name
    assert not _RESERVED.fullmatch(stem), stem
    assert not stem.endswith((".", " ")), stem


if __name__ == "__main__":
    main(check_name, SEEDS)
