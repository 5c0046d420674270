"""What went wrong with a database, in one sentence that says what to do."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError

from config.errors import StoreError
from config.language import _, english, retold
from pipeline.store.place import FilePlace, ServerPlace

# By SQLite's own names for what went wrong (https://www.sqlite.org/rescode.html).
_FILE_ADVICE = {
    "SQLITE_FULL": english("free some disk space or set MOVELO_DATA to a folder on another disk"),
    "SQLITE_IOERR": english("see whether the disk is full, over a quota or failing"),
    "SQLITE_BUSY": english("wait for the other movelo that is writing to it"),
    "SQLITE_CORRUPT": english("move the file away, or put back a copy of it"),
    "SQLITE_NOTADB": english("move the file away"),
}
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")

# By PostgreSQL's codes (https://www.postgresql.org/docs/current/errcodes-appendix.html).
_SERVER_ADVICE = {
    "25006": english("name a server that takes writes"),
    "42501": english("have its owner GRANT this user the right to create and use tables there"),
    "53100": english("free some disk space on the server"),
    "53300": english("wait until others have finished, or raise its max_connections"),
}
# Nothing but words is told of a connection that does not come about.
_CONNECTION_ADVICE = {
    "password authentication": english("correct the user and the password in the database URL"),
    "pg_hba.conf": english("let this user in from this machine in the server's pg_hba.conf"),
    "permission denied": english("have its owner GRANT this user the right to CONNECT"),
    "too many": english("wait until others have finished, or raise its max_connections"),
    "database system is": english("wait until it has started"),
    "role": english("correct the user in the database URL"),
    "database": english("create it (createdb), or name another in the database URL"),
}
_REFUSED = english("see that the database URL names the right user, password and database")
_UNREACHED = english("see that the server runs and that the database URL names its host and port")


def store_error(place: FilePlace | ServerPlace, error: Exception) -> StoreError:
    """One sentence; what a driver says is in it, without passwords."""
    cause = _in_one_line(getattr(error, "orig", None) or error)
    if isinstance(place, FilePlace):
        return _of_file(place, error, cause)
    for secret in place.secrets:
        cause = cause.replace(secret, "…")
    advice = _server_advice(error, cause)
    return StoreError(
        _(
            "The store {place} cannot be used: {cause}; nothing kept so far is lost: "
            "{advice}, then run again."
        ).format(place=place, cause=cause, advice=retold(advice))
    )


def _of_file(place: FilePlace, error: Exception, cause: str) -> StoreError:
    name = getattr(getattr(error, "orig", None), "sqlite_errorname", "")
    usual = _("see that the folder can be written to, or set MOVELO_DATA to another one")
    advice = next((said for known, said in _FILE_ADVICE.items() if name.startswith(known)), usual)
    said = (
        _("The store {place} cannot be used: {cause}; {advice}, then run again.")
        if name.startswith(_DAMAGED)
        else _(
            "The store {place} cannot be used: {cause}; nothing kept so far is lost: "
            "{advice}, then run again."
        )
    )
    return StoreError(said.format(place=place, cause=cause, advice=retold(advice)))


def _server_advice(error: Exception, cause: str) -> str:
    code = getattr(getattr(error, "orig", None), "sqlstate", None)
    if code is not None:
        return _SERVER_ADVICE.get(code, _("see what the server's log says"))
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return _("see that the server runs")
    refusal = cause.partition("FATAL:")[2]
    usual = _REFUSED if refusal else _UNREACHED
    if "no password supplied" in cause:
        return _("give one in the database URL, or in ~/.pgpass")
    return next((said for word, said in _CONNECTION_ADVICE.items() if word in refusal), usual)


def _in_one_line(error: BaseException) -> str:
    """Of several attempts at a connection the last one is told."""
    lines = [" ".join(line.split()) for line in str(error).splitlines() if line.strip()]
    told = [line for line in lines if "FATAL:" in line or "failed:" in line] or lines
    if not told:
        return type(error).__name__
    return told[-1].removeprefix("- ").removeprefix("connection failed: ").rstrip(".")
