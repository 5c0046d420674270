"""The session says who asks, keeps the token to itself, and never waits for ever."""

import logging
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from fake_lichess import Answer, FakeLichess, StallForEver
from made_games import export_games

from config.errors import LichessError, SettingsError
from pipeline.fetch.lichess import Lichess
from pipeline.fetch.session import lichess_session

TOKEN = "lip_NotARealTokenAtAll99"
AGENT = "movelo-tests/1 (nobody@example.org)"


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[FakeLichess]:
    with FakeLichess() as lichess:
        lichess.add_player("Quillfeather", export_games(3))
        yield lichess


def session_with(token: str | None = TOKEN, **options: object) -> requests.Session:
    settings: dict[str, object] = {
        "user_agent": AGENT,
        "connect_timeout_seconds": 2,
        "read_timeout_seconds": 0.2,
    } | options
    return lichess_session(token=token, **settings)  # type: ignore[arg-type]


def lichess_at(base_url: str, session: requests.Session) -> Lichess:
    return Lichess(session, base_url=base_url, sleep=lambda _: None, on_notice=lambda _: None)


def test_every_request_says_who_asks_and_with_which_token(server: FakeLichess) -> None:
    with session_with() as session:
        lichess = lichess_at(server.base_url, session)
        lichess.account("Quillfeather")
        assert len(list(lichess.games("Quillfeather", since=None, until=None))) == 3
        lichess.game("Made0001")
    assert len(server.seen) == 3
    for request in server.seen:
        assert request.headers["user-agent"] == AGENT
        assert request.headers["authorization"] == f"Bearer {TOKEN}"


def test_without_a_token_none_is_sent_not_even_from_a_netrc(
    server: FakeLichess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    with session_with(token=None) as session:
        lichess_at(server.base_url, session).account("Quillfeather")
    assert "authorization" not in server.seen[0].headers


def test_the_token_does_not_follow_a_redirect_to_another_host(server: FakeLichess) -> None:
    with FakeLichess() as elsewhere:
        elsewhere.add_player("Quillfeather")
        target = f"{elsewhere.base_url}/api/user/Quillfeather"
        server.faults.user.append(Answer(302, headers=(("Location", target),)))
        with session_with() as session:
            lichess_at(server.base_url, session).account("Quillfeather")
        assert len(elsewhere.seen) == 1
        assert "authorization" not in elsewhere.seen[0].headers
    assert "authorization" in server.seen[0].headers


def test_the_token_appears_in_no_text(
    server: FakeLichess, caplog: pytest.LogCaptureFixture
) -> None:
    server.faults.user.append(Answer(401, b'{"error":"No such token"}'))
    with caplog.at_level(logging.DEBUG), session_with() as session:
        lichess = lichess_at(server.base_url, session)
        with pytest.raises(LichessError, match="does not accept the access token") as caught:
            lichess.account("Quillfeather")
        lichess.account("Quillfeather")
        texts = [repr(session), repr(vars(session)), repr(session.auth), str(session.auth)]
        texts += [repr(lichess), repr(vars(lichess)), str(caught.value), repr(caught.value)]
    assert caplog.text
    assert TOKEN not in caplog.text
    assert not any(TOKEN in text for text in texts)


@pytest.mark.parametrize("token", ["two words", "lip_\nline", "lip_näh", "x" * 513])
def test_a_token_that_cannot_be_one_is_refused_without_showing_it(token: str) -> None:
    with pytest.raises(SettingsError, match="token") as caught:
        session_with(token=token)
    assert token not in str(caught.value)


def test_space_around_a_token_does_no_harm(server: FakeLichess) -> None:
    with session_with(token=f" {TOKEN}\n") as session:
        lichess_at(server.base_url, session).account("Quillfeather")
    assert server.seen[0].headers["authorization"] == f"Bearer {TOKEN}"


@pytest.mark.parametrize("user_agent", ["", " ", "movelo\nX: y", "mövelo"])
def test_a_user_agent_that_cannot_be_sent_is_refused(user_agent: str) -> None:
    with pytest.raises(SettingsError, match="User-Agent"):
        session_with(user_agent=user_agent)


def test_a_silent_server_is_given_up(server: FakeLichess) -> None:
    server.faults.user.append(StallForEver())
    started = time.monotonic()
    with session_with() as session, pytest.raises(requests.ConnectionError):
        session.get(f"{server.base_url}/api/user/Quillfeather")
    assert time.monotonic() - started < 2
