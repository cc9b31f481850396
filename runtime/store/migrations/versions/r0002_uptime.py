"""A store's time that goes on by a host's uptime; entries that know which mutation wrote them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    for column in (
        sa.Column("start", _TEXT), sa.Column("boot", _TEXT), sa.Column("uptime", _NUMBER),
    ):  # fmt: skip
        op.add_column("goalspec_clock", column)
    mutation = sa.Column("mutation", _TEXT, nullable=False, server_default="")
    op.add_column("goalspec_journal", mutation)
