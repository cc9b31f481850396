"""The tables of the SQL store. What they come to is reached by the migrations, one after another;
a test holds the two to each other."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, MetaData, Table, Text

REVISIONS = ("0001", "0002", "0003")
"""The migrations, oldest first. The last is what this goalspec works with."""

# Texts compare byte by byte everywhere, times as well as names.
TEXT = Text().with_variant(Text(collation="C"), "postgresql")
NUMBER = BigInteger().with_variant(Integer(), "sqlite")  # whose only key that counts up

METADATA = MetaData()

REVISION = Table("goalspec_revision", METADATA, Column("version_num", TEXT, primary_key=True))

SESSIONS = Table(
    "goalspec_sessions", METADATA,
    Column("session", TEXT, primary_key=True),
    Column("version", NUMBER, nullable=False),
    Column("record", TEXT),
    Column("events", NUMBER, nullable=False),
    Column("digest", TEXT, nullable=False),
    Column("updated_at", TEXT, nullable=False),
    Column("wake_at", TEXT),
    Column("owner", TEXT),
    Column("token", NUMBER, nullable=False),
    Column("expires_at", TEXT),
    Column("seen_at", TEXT, nullable=False),
    Index("goalspec_sessions_wake_at", "wake_at"),
    Index("goalspec_sessions_seen_at", "seen_at"),
)  # fmt: skip

MONITORS = Table(
    "goalspec_monitors", METADATA,
    Column("session", TEXT, primary_key=True),
    Column("state", TEXT, nullable=False),
)  # fmt: skip

JOURNAL = Table(
    "goalspec_journal", METADATA,
    Column("session", TEXT, primary_key=True),
    Column("number", NUMBER, primary_key=True, autoincrement=False),
    Column("event", TEXT, nullable=False),
    Column("digest", TEXT, nullable=False),
    Column("mutation", TEXT, nullable=False),  # which wrote it; of old ones it is empty
    sqlite_with_rowid=False,
)  # fmt: skip

HISTORY = Table(
    "goalspec_history", METADATA,
    Column("number", NUMBER, primary_key=True),
    Column("session", TEXT, nullable=False),
    Column("record", TEXT, nullable=False),
    Index("goalspec_history_session", "session", "number"),
)  # fmt: skip

INBOX = Table(
    "goalspec_inbox", METADATA,
    Column("number", NUMBER, primary_key=True),
    Column("id", TEXT, nullable=False),
    Column("session", TEXT, nullable=False),
    Column("command", TEXT, nullable=False),
    Column("actor", TEXT, nullable=False),
    Column("at", TEXT, nullable=False),
    Column("taken", Boolean, nullable=False),
    Index("goalspec_inbox_id", "id", unique=True),
    Index("goalspec_inbox_session", "session", "taken", "number"),
    Index("goalspec_inbox_at", "at"),
    sqlite_autoincrement=True,
)  # fmt: skip

AUDIT = Table(
    "goalspec_audit", METADATA,
    Column("number", NUMBER, primary_key=True),
    Column("session", TEXT, nullable=False),
    Column("at", TEXT, nullable=False),
    Column("actor", TEXT),
    Column("command", TEXT),
    Column("code", TEXT, nullable=False),
    Column("message", TEXT, nullable=False),
    Index("goalspec_audit_session", "session", "number"),
)  # fmt: skip

EXHIBITS = Table(
    "goalspec_exhibits", METADATA,
    Column("number", NUMBER, primary_key=True),
    Column("id", TEXT, nullable=False),
    Column("session", TEXT, nullable=False),
    Column("evaluation", TEXT, nullable=False),
    Column("kind", TEXT, nullable=False),
    Column("content", TEXT, nullable=False),
    Index("goalspec_exhibits_id", "id", unique=True),
    Index("goalspec_exhibits_session", "session", "number", "evaluation"),
)  # fmt: skip

TOKENS = Table(
    "goalspec_tokens", METADATA,
    Column("session", TEXT, primary_key=True),
    Column("digest", TEXT, primary_key=True),
    Column("expires_at", TEXT, nullable=False),
)  # fmt: skip

# One row: the latest time that `now` gave; and, where a host's clock was behind that of the store,
# the store's time and the host's uptime when this was first seen.
CLOCK = Table(
    "goalspec_clock", METADATA,
    Column("high", TEXT, primary_key=True),
    Column("start", TEXT),
    Column("boot", TEXT),
    Column("uptime", NUMBER),
)  # fmt: skip
