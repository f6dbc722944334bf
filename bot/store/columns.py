"""Column kinds that every table uses the same way."""

from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, Column, DateTime, Enum, LargeBinary
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field


def moment(*, optional: bool = False, index: bool = False) -> Any:
    """An instant, kept with its zone. Rows get the time they are told; the database is never asked."""
    default: Any = None if optional else ...
    return Field(default=default, sa_type=DateTime(timezone=True), nullable=optional, index=index)


def document() -> Any:
    """A small JSON value whose shape is documented where it is written."""
    return Field(sa_column=Column(JSONB, nullable=False), default_factory=dict)


def content() -> Any:
    """Bytes as they are."""
    return Field(sa_column=Column(LargeBinary, nullable=False))


def word(values: type[StrEnum], default: StrEnum | None = None, *, index: bool = False) -> Any:
    """One of a closed set, kept as its own text: a new value needs no change of the schema."""
    kind = Enum(values, native_enum=False, length=40, values_callable=lambda e: [member.value for member in e])
    column: Any = Column(kind, nullable=False, index=index)
    return Field(sa_column=column) if default is None else Field(default=default, sa_column=column)


def size() -> Any:
    """Bytes of a file; more than two thousand million are nothing special."""
    return Field(sa_type=BigInteger)
