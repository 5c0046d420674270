"""The tables of a batch, as pandas, pyarrow and Dask read them."""

from pathlib import Path

import pandas
import pytest
from made_batch import MadeBatch, MadeLichess, player_games

dataset = pytest.importorskip("pyarrow.dataset")


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> MadeBatch:
    """Two players with evaluated games of two speeds, over two months."""
    folder = tmp_path_factory.mktemp("batch")
    month_ms = 31 * 24 * 3_600_000
    lichess = MadeLichess(
        {
            name: player_games(name, 3, analysed=True)
            + player_games(name, 2, first=7, analysed=True, speed="rapid", created_at_ms=10**12)
            + player_games(name, 1, first=9, analysed=True, created_at_ms=10**12 + month_ms)
            for name in ("Anna", "Bert")
        }
    )
    made = MadeBatch(folder / "out", folder / "store.sqlite", lichess)
    made.run("Anna", "Bert", "Nobody")
    return made


def test_games_lie_by_speed_and_month(batch: MadeBatch) -> None:
    partitions = {file.parent.relative_to(batch.path).as_posix() for file in files(batch)}
    assert partitions == {
        "games/speed=blitz/month=2023-11",
        "games/speed=blitz/month=2001-10",
        "games/speed=rapid/month=2001-09",
    }


def test_pandas_reads_every_game_of_every_player_once(batch: MadeBatch) -> None:
    games = pandas.read_parquet(batch.path / "games")
    assert len(games) == 12
    assert not games.duplicated(["player", "game_id"]).any()
    assert set(games.player) == {"Anna", "Bert"}
    assert set(games.own_name) == {"Anna", "Bert"}
    assert {"color", "score", "own_strength_low", "opponent_strength_high"} <= set(games.columns)
    assert games.created_at.dt.strftime("%Y-%m").equals(games.month.astype(str))


def test_a_partition_is_read_alone(batch: MadeBatch) -> None:
    found = dataset.dataset(batch.path / "games", partitioning="hive")
    blitz = found.to_table(filter=dataset.field("speed") == "rapid")
    assert blitz.num_rows == 4


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # Dask's own
def test_dask_reads_it_too(batch: MadeBatch) -> None:
    frame = pytest.importorskip("dask.dataframe").read_parquet(batch.path / "games")
    counts = frame.groupby("player").game_id.count().compute(scheduler="synchronous")
    assert counts.to_dict() == {"Anna": 6, "Bert": 6}


def test_phases_of_a_game_add_up_to_its_moves(batch: MadeBatch) -> None:
    games = pandas.read_parquet(batch.path / "games")
    for side in ("own", "opponent"):
        phases = [f"{side}_{phase}_moves" for phase in ("opening", "middlegame", "endgame")]
        assert games[phases].sum(axis=1).equals(games[f"{side}_moves"].rename(None))
    percents = games.filter(regex="accuracy_percent").stack().dropna()
    assert len(percents) > 20
    assert percents.between(0, 100).all()


def test_the_summary_has_a_row_a_player_and_speed(batch: MadeBatch) -> None:
    summary = pandas.read_parquet(batch.path / "summary.parquet")
    rows = summary[["player", "speed", "state", "games"]].astype(object)
    told = rows.where(rows.notna(), None).to_numpy().tolist()
    assert sorted(told, key=str) == [
        ["Anna", "blitz", "reported", 4],
        ["Anna", "rapid", "reported", 2],
        ["Bert", "blitz", "reported", 4],
        ["Bert", "rapid", "reported", 2],
        ["Nobody", None, "failed", None],
    ]


def test_what_changes_replaces_what_was_there(batch: MadeBatch) -> None:
    before = batch.files()
    batch.lichess.games_of["Bert"] = (
        player_games("Bert", 1, first=30, analysed=True) + (batch.lichess.games_of["Bert"])
    )
    batch.run("Anna", "Bert", "Nobody")
    games = pandas.read_parquet(batch.path / "games")
    assert games.player.value_counts().to_dict() == {"Bert": 7, "Anna": 6}
    rapid = "games/speed=rapid/month=2001-09/part-0.parquet"
    assert batch.files()[rapid] == before[rapid]
    assert not list((batch.path / ".movelo").glob("games-*"))


def files(batch: MadeBatch) -> list[Path]:
    return sorted((batch.path / "games").rglob("*.parquet"))
