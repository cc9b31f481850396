"""The tables of the first release. A migration never changes: it says the tables as they were."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _column(name: str, type: sa.types.TypeEngine[Any] = _TEXT) -> sa.Column[Any]:
    return sa.Column(name, type, nullable=False)


def upgrade() -> None:
    op.create_table(
        "goalspec_sessions",
        sa.Column("session", _TEXT, primary_key=True),
        _column("version", _NUMBER),
        sa.Column("record", _TEXT),
        _column("events", _NUMBER),
        _column("digest"),
        _column("updated_at"),
        sa.Column("wake_at", _TEXT),
        sa.Column("owner", _TEXT),
        _column("token", _NUMBER),
        sa.Column("expires_at", _TEXT),
        _column("seen_at"),
    )
    op.create_index("goalspec_sessions_wake_at", "goalspec_sessions", ["wake_at"])
    op.create_index("goalspec_sessions_seen_at", "goalspec_sessions", ["seen_at"])
    op.create_table(
        "goalspec_monitors", sa.Column("session", _TEXT, primary_key=True), _column("state")
    )
    op.create_table(
        "goalspec_journal",
        sa.Column("session", _TEXT, primary_key=True),
        sa.Column("number", _NUMBER, primary_key=True, autoincrement=False),
        _column("event"),
        _column("digest"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "goalspec_history",
        sa.Column("number", _NUMBER, primary_key=True),
        _column("session"),
        _column("record"),
    )
    op.create_index("goalspec_history_session", "goalspec_history", ["session", "number"])
    op.create_table(
        "goalspec_inbox",
        sa.Column("number", _NUMBER, primary_key=True),
        _column("id"),
        _column("session"),
        _column("command"),
        _column("actor"),
        _column("at"),
        _column("taken", sa.Boolean()),
        sqlite_autoincrement=True,
    )
    op.create_index("goalspec_inbox_id", "goalspec_inbox", ["id"], unique=True)
    op.create_index("goalspec_inbox_session", "goalspec_inbox", ["session", "taken", "number"])
    op.create_index("goalspec_inbox_at", "goalspec_inbox", ["at"])
    op.create_table(
        "goalspec_audit",
        sa.Column("number", _NUMBER, primary_key=True),
        _column("session"),
        _column("at"),
        sa.Column("actor", _TEXT),
        sa.Column("command", _TEXT),
        _column("code"),
        _column("message"),
    )
    op.create_index("goalspec_audit_session", "goalspec_audit", ["session", "number"])
    op.create_table(
        "goalspec_tokens",
        sa.Column("session", _TEXT, primary_key=True),
        sa.Column("digest", _TEXT, primary_key=True),
        _column("expires_at"),
    )
    clock = op.create_table("goalspec_clock", sa.Column("high", _TEXT, primary_key=True))
    op.bulk_insert(clock, [{"high": ""}])
