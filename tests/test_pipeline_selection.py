"""Which games are reported on, and that every other one is accounted for."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pipeline.leftovers import notes_on, nothing_left
from pipeline.records import Game, GamePlayer, SetAside
from pipeline.selection import Selection, color_of, fits, select

START = datetime(2026, 1, 1, tzinfo=UTC)


def game(number: int, **fields: object) -> Game:
    plain = Game(
        id=f"game{number:04}",
        url=f"https://lichess.org/game{number:04}",
        variant="standard",
        speed="blitz",
        rated=True,
        created_at=START + timedelta(days=number),
        white=GamePlayer(name="Ann", rating=1500),
        black=GamePlayer(name="Bob", rating=1500),
        winner="white",
        moves_san=("e4", "e5"),
    )
    return replace(plain, **fields)  # type: ignore[arg-type]


def selection(**fields: object) -> Selection:
    plain = Selection(player="ann", speeds=("blitz", "rapid"))
    return replace(plain, **fields)  # type: ignore[arg-type]


def test_the_newest_games_come_first_with_the_player_s_colour() -> None:
    other_way = game(3, white=GamePlayer(name="Bob"), black=GamePlayer(name="ANN"))
    found = select([game(1), other_way, game(2)], selection())
    assert [(g.id, color) for g, color in found.games] == [
        ("game0003", "black"),
        ("game0002", "white"),
        ("game0001", "white"),
    ]


def test_only_the_last_are_kept_and_the_older_counted() -> None:
    found = select([game(n) for n in range(10)], selection(last=4))
    assert [g.id for g, _ in found.games] == [f"game{n:04}" for n in (9, 8, 7, 6)]
    assert found.not_asked_for == {"older": 6}


def test_speeds_days_and_other_people_are_not_asked_for_and_counted() -> None:
    found = select(
        [
            game(1),
            game(2, speed="bullet"),
            game(3, speed="bullet"),
            game(4, white=GamePlayer(), black=GamePlayer(computer_level=3)),
            game(5),
            game(9),
        ],
        selection(since=START + timedelta(days=1), until=START + timedelta(days=5)),
    )
    assert [g.id for g, _ in found.games] == ["game0005", "game0001"]
    assert found.not_asked_for == {"bullet": 2, "of other players": 1, "later": 1}
    assert found.set_aside == ()


def test_casual_games_of_lichess_are_left_out_unless_asked_for() -> None:
    casual = game(1, rated=False)
    assert select([casual], selection()).not_asked_for == {"casual": 1}
    assert len(select([casual], selection(casual=True)).games) == 1
    assert fits(game(1, rated=False, url=None), selection())  # over the board nobody says


def test_what_cannot_be_used_is_named_with_its_reason() -> None:
    unread = SetAside(where="games.pgn, game 3", reason="illegal move")
    found = select(
        [unread, game(1, variant="atomic"), game(2, moves_san=()), game(3), game(3)], selection()
    )
    assert [(s.where.rsplit("/")[-1], s.reason.split(":")[0]) for s in found.set_aside] == [
        ("games.pgn, game 3", "illegal move"),
        ("game0001", "atomic"),
        ("game0002", "no move was played"),
        ("game0003", "the same game came twice"),
    ]


def test_names_are_compared_without_capitals() -> None:
    assert color_of(game(1), "ANN") == "white"
    assert color_of(game(1), "bob") == "black"
    assert color_of(game(1), "an") is None


def test_the_report_says_what_was_left_out() -> None:
    games = [game(n) for n in range(5)] + [game(6, rated=False), game(7, speed="bullet")]
    chosen = selection(last=3)
    notes = " ".join(notes_on(chosen, select(games, chosen)))
    assert "newest 3 games" in notes and "2 older ones" in notes
    assert "1 casual" in notes and "1 bullet" in notes


def test_ratings_of_games_from_elsewhere_are_said_to_be_of_another_scale() -> None:
    chosen = selection()
    elsewhere = select([game(1, url=None), game(2)], chosen)
    assert any("1 games are not from Lichess" in note for note in notes_on(chosen, elsewhere))
    demonstration = select([game(1, url=None, source="demonstration")], chosen)
    assert not list(notes_on(chosen, demonstration))


def test_nothing_left_says_what_there_was_instead() -> None:
    chosen = selection()
    found = select([game(1, speed="bullet"), game(2, variant="atomic")], chosen)
    sentence = nothing_left(chosen, found, found.set_aside)
    assert sentence.startswith("No blitz or rapid games of ann to report on. There were: 1 bullet;")
    assert "https://lichess.org/game0002: atomic" in sentence
