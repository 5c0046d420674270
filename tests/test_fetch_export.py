"""A record of Lichess's export becomes the game it tells of, or a sentence that names the field."""

import string
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_games import random_export_game

from config.errors import InputError
from engines.evals import LICHESS_ANALYSIS, Centipawns, Eval, Mate
from pipeline.fetch.export import game_from_export, game_to_export
from pipeline.fetch.export_evals import mover_of
from pipeline.fetch.speeds import SPEEDS
from pipeline.records import (
    Clock,
    Game,
    GamePlayer,
    LichessSummary,
    Opening,
    SourceEval,
)

BLACK_TO_MOVE = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2"


def record(**changes: Any) -> dict[str, Any]:
    """A small analysed game, with fields changed, or left out where None."""
    game: dict[str, Any] = {
        "id": "Made0001",
        "rated": True,
        "variant": "standard",
        "speed": "blitz",
        "perf": "blitz",
        "createdAt": 1_700_000_000_123,
        "lastMoveAt": 1_700_000_100_000,
        "status": "resign",
        "source": "pool",
        "players": {
            "white": {"user": {"name": "Quillfeather", "id": "quillfeather"}, "rating": 1512},
            "black": {
                "user": {"name": "Moorhenry", "id": "moorhenry", "title": "WFM", "flair": "x"},
                "rating": 1600,
                "ratingDiff": -7,
                "provisional": True,
                "analysis": {
                    "inaccuracy": 1,
                    "mistake": 0,
                    "blunder": 2,
                    "acpl": 44,
                    "accuracy": 81,
                },
            },
        },
        "winner": "white",
        "opening": {"eco": "C20", "name": "King's Pawn Game", "ply": 2},
        "moves": "e4 e5 Qh5 Ke7",
        "clocks": [30003, 30003, 29800, 29500],
        "analysis": [
            {"eval": 30},
            {},
            {"eval": -40, "best": "g1f3", "judgment": {"name": "Inaccuracy", "comment": "…"}},
            {"mate": 1},
        ],
        "clock": {"initial": 300, "increment": 3, "totalTime": 420},
    } | changes
    return {key: value for key, value in game.items() if value is not None}


def read(**changes: Any) -> Game:
    return game_from_export(record(**changes), where="games.ndjson, line 12")


def players(**white: Any) -> dict[str, Any]:
    return {"white": white, "black": record()["players"]["black"]}


# --- what is read --------------------------------------------------------------------------


def test_a_record_is_read_in_full() -> None:
    assert read() == Game(
        id="Made0001",
        variant="standard",
        speed="blitz",
        rated=True,
        created_at=datetime(2023, 11, 14, 22, 13, 20, 123_000, tzinfo=UTC),
        white=GamePlayer(name="Quillfeather", rating=1512),
        black=GamePlayer(
            name="Moorhenry",
            title="WFM",
            rating=1600,
            rating_diff=-7,
            provisional=True,
            lichess_summary=LichessSummary(
                inaccuracies=1,
                mistakes=0,
                blunders=2,
                average_centipawn_loss=44,
                accuracy_percent=81,
            ),
        ),
        winner="white",
        status="resign",
        source="pool",
        url="https://lichess.org/Made0001",
        clock=Clock(initial_seconds=300, increment_seconds=3),
        opening=Opening(eco="C20", name="King's Pawn Game", ply=2),
        moves_san=("e4", "e5", "Qh5", "Ke7"),
        clocks_centiseconds=(30003, 30003, 29800, 29500),
        source_evals=(
            SourceEval(evaluation=Centipawns(30)),
            SourceEval(evaluation=None),
            SourceEval(evaluation=Centipawns(-40), best_move_uci="g1f3", judgement="Inaccuracy"),
            SourceEval(evaluation=Mate("white", 1)),
        ),
        source_engine=LICHESS_ANALYSIS,
    )


def test_a_time_may_come_as_berserk_converts_it() -> None:
    moment = datetime(2023, 11, 15, 0, 13, 20, 123_000, tzinfo=timezone(timedelta(hours=2)))
    game = read(createdAt=moment)
    assert game.created_at == read().created_at
    assert game.created_at.tzinfo is UTC


def test_the_computer_has_a_level_and_neither_name_nor_rating() -> None:
    assert read(players=players(aiLevel=3)).white == GamePlayer(computer_level=3)


def test_an_anonymous_player_has_no_name() -> None:
    assert read(players=players()).white == GamePlayer()


def test_a_player_of_an_imported_game_has_a_name_without_an_account() -> None:
    assert read(players=players(name="M. Vidmar")).white.name == "M. Vidmar"


def test_a_player_may_have_berserked() -> None:
    assert read(players=players(rating=1500, berserk=True)).white.berserk


def test_a_clock_beyond_the_moves_is_left_out() -> None:
    assert read(clocks=[30003, 30003, 29800, 29500, 12]).clocks_centiseconds == (
        30003,
        30003,
        29800,
        29500,
    )


def test_a_game_without_moves_has_neither_clocks_nor_evaluations() -> None:
    game = read(moves=None)
    assert (game.moves_san, game.clocks_centiseconds, game.source_evals) == ((), (), ())
    assert game.source_engine is None


def test_a_game_without_analysis_names_no_engine() -> None:
    assert read(analysis=None).source_engine is None


def test_a_mate_on_the_board_belongs_to_the_mover_whoever_started() -> None:
    white_started = read(moves="f3 e5 g4 Qh4#", analysis=[{"eval": 0}] * 3 + [{"mate": 0}])
    assert white_started.source_evals[-1].evaluation == Mate("black", 0)
    black_started = read(
        moves="Qh4#", clocks=None, initialFen=BLACK_TO_MOVE, analysis=[{"mate": 0}]
    )
    assert black_started.source_evals[-1].evaluation == Mate("black", 0)
    assert mover_of(2, BLACK_TO_MOVE) == "white"


def test_a_mate_by_black_is_negative() -> None:
    game = read(analysis=[{"mate": -3}])
    assert game.source_evals[0].evaluation == Mate("black", 3)


@pytest.mark.parametrize(
    ("clock", "speed"),
    [
        ({"initial": 180, "increment": 2}, "blitz"),
        ({"initial": 600, "increment": 0}, "rapid"),
        (None, "correspondence"),
    ],
)
def test_a_speed_that_is_missing_follows_from_the_clock(
    clock: dict[str, int] | None, speed: str
) -> None:
    assert read(speed=None, perf=None, clock=clock).speed == speed


def test_unknown_fields_do_no_harm() -> None:
    assert read(daring={"deep": [1]}, division={"middle": 3}, lastFen="x") == read()


@pytest.mark.parametrize("field", ["opening", "source", "status", "clock", "clocks", "perf"])
def test_optional_fields_may_be_missing(field: str) -> None:
    assert read(**{field: None}).moves_san == read().moves_san


# --- results -------------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["draw", "stalemate", "outoftime", "timeout", None])
def test_no_winner_is_a_draw(status: str | None) -> None:
    game = read(winner=None, status=status)
    assert (game.winner, game.result_known) == (None, True)


@pytest.mark.parametrize(
    "status", ["created", "started", "aborted", "noStart", "unknownFinish", "resign", "mate"]
)
def test_no_winner_is_no_result_where_the_status_says_so(status: str) -> None:
    game = read(winner=None, status=status)
    assert (game.winner, game.result_known) == (None, False)


@pytest.mark.parametrize(
    ("termination", "status"),
    [
        ("Time forfeit", "outoftime"),
        ("Normal", None),
        ("Abandoned", "aborted"),
        ("resign", "resign"),
        ("stalemate", "stalemate"),
    ],
)
def test_a_termination_may_stand_in_place_of_the_status(
    termination: str, status: str | None
) -> None:
    assert read(status=None, termination=termination).status == status


# --- what is refused -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"id": None}, "id"),
        ({"id": ""}, "id"),
        ({"id": 7}, "id"),
        ({"rated": None}, "rated"),
        ({"rated": "yes"}, "rated"),
        ({"variant": None}, "variant"),
        ({"speed": "swift"}, "speed"),
        ({"createdAt": None}, "createdAt"),
        ({"createdAt": "2024-01-01"}, "createdAt"),
        ({"createdAt": 1.5}, "createdAt"),
        ({"createdAt": True}, "createdAt"),
        ({"createdAt": 10**30}, "createdAt"),
        ({"players": None}, "players"),
        ({"players": []}, "players"),
        ({"players": {"white": {}}}, "players.black"),
        ({"players": players(rating="1500")}, "players.white.rating"),
        ({"players": players(user="Quill")}, "players.white.user"),
        ({"players": players(user={"name": 3})}, "players.white.user.name"),
        ({"players": players(analysis={"inaccuracy": 1})}, "players.white.analysis.mistake"),
        ({"winner": "nobody"}, "winner"),
        ({"moves": ["e4"]}, "moves"),
        ({"clocks": "300"}, "clocks"),
        ({"clocks": [1, None]}, "clocks"),
        ({"clock": {"initial": "5"}}, "clock.initial"),
        ({"clock": {"initial": 300}}, "clock.increment"),
        ({"clock": {"initial": -1, "increment": 0}}, "clock"),
        ({"opening": "C20"}, "opening"),
        ({"analysis": [3]}, "analysis"),
        ({"analysis": [{"eval": 1}, {"eval": "0.3"}]}, "analysis[1].eval"),
    ],
)
def test_a_wrong_field_is_named_with_its_place(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as caught:
        read(**changes)
    assert str(caught.value).startswith(f"games.ndjson, line 12: the field {field} is ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("field", ["clocks", "analysis"])
def test_more_entries_than_moves_are_refused(field: str) -> None:
    entry: object = 3 if field == "clocks" else {"eval": 3}
    with pytest.raises(InputError, match=r"line 12: there are 6 .* for 4 moves"):
        read(**{field: [entry] * 6})


def test_a_long_wrong_value_is_not_shown_in_full() -> None:
    with pytest.raises(InputError) as caught:
        read(winner="x" * 10_000)
    assert len(str(caught.value)) < 300


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(field=st.sampled_from(sorted(record())), value=JSON)
def test_whatever_a_field_holds_there_is_a_game_or_a_sentence(field: str, value: object) -> None:
    try:
        game = game_from_export(record() | {field: value}, where="here")
    except InputError as error:
        assert str(error).startswith("here: ")
    else:
        assert len(game.source_evals) <= len(game.moves_san)
        assert len(game.clocks_centiseconds) <= len(game.moves_san)


# --- there and back ------------------------------------------------------------------------

names = st.text(string.ascii_letters + string.digits + "_-", min_size=2, max_size=20)
small = st.integers(0, 50)

summaries = st.builds(
    LichessSummary,
    inaccuracies=small,
    mistakes=small,
    blunders=small,
    average_centipawn_loss=st.none() | small,
    accuracy_percent=st.none() | st.integers(0, 100),
)
people = st.builds(
    GamePlayer,
    name=names,
    title=st.sampled_from([None, "GM", "BOT"]),
    rating=st.none() | st.integers(400, 3300),
    rating_diff=st.none() | st.integers(-50, 50),
    provisional=st.booleans(),
    berserk=st.booleans(),
    lichess_summary=st.none() | summaries,
)
any_players = (
    people | st.builds(GamePlayer, computer_level=st.integers(1, 8)) | st.just(GamePlayer())
)


@st.composite
def mates_and_centipawns(draw: st.DrawFn) -> Eval | None:
    if draw(st.booleans()):
        return Centipawns(draw(st.integers(-5_000, 5_000)))
    if draw(st.booleans()):
        return Mate(draw(st.sampled_from(["white", "black"])), draw(st.integers(1, 40)))
    return None


@st.composite
def games(draw: st.DrawFn) -> Game:
    game_id = draw(st.text(string.ascii_letters + string.digits, min_size=8, max_size=8))
    plies = draw(st.integers(0, 6))
    evals = draw(
        st.lists(
            st.builds(
                SourceEval,
                evaluation=mates_and_centipawns(),
                best_move_uci=st.sampled_from([None, "e2e4"]),
                judgement=st.sampled_from([None, "Blunder"]),
            ),
            max_size=plies,
        )
    )
    winner = draw(st.sampled_from(["white", "black", None]))
    known = winner is not None or draw(st.booleans())
    return Game(
        id=game_id,
        variant=draw(st.sampled_from(["standard", "chess960", "fromPosition", "atomic"])),
        speed=draw(st.sampled_from(SPEEDS)),
        rated=draw(st.booleans()),
        created_at=draw(
            st.datetimes(datetime(2013, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))
        ).replace(microsecond=draw(st.integers(0, 999)) * 1000),
        white=draw(any_players),
        black=draw(any_players),
        winner=winner,
        result_known=known,
        status=draw(
            st.sampled_from(["draw", "stalemate", None] if known else ["aborted", "noStart"])
        ),
        source=draw(st.sampled_from([None, "arena"])),
        url=f"https://lichess.org/{game_id}",
        clock=draw(st.none() | st.builds(Clock, initial_seconds=small, increment_seconds=small)),
        opening=draw(
            st.none() | st.builds(Opening, eco=st.just("A00"), name=names, ply=st.none() | small)
        ),
        initial_fen=draw(st.sampled_from([None, BLACK_TO_MOVE])),
        moves_san=("e4",) * plies,
        clocks_centiseconds=tuple(draw(st.lists(st.integers(0, 99_999), max_size=plies))),
        source_evals=tuple(evals),
        source_engine=LICHESS_ANALYSIS if evals else None,
    )


@given(game=games())
def test_a_game_survives_being_written_as_a_record(game: Game) -> None:
    assert game_from_export(game_to_export(game), where="there") == game


@pytest.mark.parametrize("seed", range(3))
def test_a_record_survives_being_read_as_a_game(seed: int) -> None:
    given_record = random_export_game(seed, analysed=True)
    written = game_to_export(game_from_export(given_record, where="here"))
    assert written == {key: given_record[key] for key in given_record if key != "lastMoveAt"}


def test_a_result_that_is_not_known_is_written_so() -> None:
    unknown = game_from_export(record(winner=None, status="aborted"), where="here")
    told_as_draw = Game(
        **{name: getattr(unknown, name) for name in Game.__slots__} | {"status": None}
    )
    assert not game_from_export(game_to_export(told_as_draw), where="there").result_known
