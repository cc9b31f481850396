"""What Alembic runs for each migration: on the connection, and in the transaction, that it is
given."""

from alembic import context

given = context.config.attributes
context.configure(
    connection=given["connection"], version_table=given["version_table"], transactional_ddl=True
)
context.run_migrations()
