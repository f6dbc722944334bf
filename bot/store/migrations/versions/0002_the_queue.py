"""The queue's own schema, as its release brings it."""

from alembic import op
from procrastinate.schema import SchemaManager

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Straight to the driver: SQLAlchemy would take the percent signs of plpgsql for parameters.
    driver = op.get_bind().connection.driver_connection
    assert driver is not None, "migrations run on a live connection"
    driver.execute(SchemaManager.get_schema())
