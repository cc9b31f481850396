"""What judges were shown and said."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "goalspec_exhibits",
        sa.Column("number", _NUMBER, primary_key=True),
        *(
            sa.Column(name, _TEXT, nullable=False)
            for name in ("id", "session", "evaluation", "kind", "content")
        ),
    )
    op.create_index("goalspec_exhibits_id", "goalspec_exhibits", ["id"], unique=True)
    op.create_index(
        "goalspec_exhibits_session", "goalspec_exhibits", ["session", "number", "evaluation"]
    )
