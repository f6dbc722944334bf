"""What belongs to one workspace alone, where Standby is installed in many: who approves, and where data goes and is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import BaseModel, ConfigDict, SecretStr

from bot.source_settings import SourceSettings

EXAMPLE = '{"T0123ABCD": {"approvers": ["U0123ABCD"], "destinations": {"lab list": ["lab@example.org"]}}}'


class WorkspaceSettings(BaseModel):
    """Of one workspace. Nothing of it is shown, for its sources hold logins."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    approvers: tuple[str, ...] = ()  # none: whoever installed Standby there
    approvers_of: Mapping[str, tuple[str, ...]] = {}  # as STANDBY_APPROVERS_OF
    solo: bool = False
    destinations: Mapping[str, tuple[str, ...]] = {}
    allowed_mail_domains: tuple[str, ...] = ()
    sources: Mapping[str, SourceSettings] = {}


def texts_in(value: object) -> Iterator[str]:
    """Every text inside a setting's value, secrets included."""
    if isinstance(value, SecretStr):
        yield value.get_secret_value()
    elif isinstance(value, str):
        yield value
    elif isinstance(value, SourceSettings | WorkspaceSettings):
        for _, inner in value:
            yield from texts_in(inner)
    elif isinstance(value, Mapping):
        yield from value.keys()
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, tuple):
        yield from value
