"""What Alembic runs for each migration: on the connection, and in the transaction, that it is
given."""

from alembic import context

from goalspec.runtime.store.tables import REVISION

connection = context.config.attributes["connection"]
context.configure(connection=connection, version_table=REVISION.name, transactional_ddl=True)
context.run_migrations()
