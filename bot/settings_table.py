"""The settings as a person reads them: the table, and slips of the pen in variable names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from pydantic import SecretStr

from bot.settings import MODEL_PREFIX, PREFIX, Settings
from bot.source_settings import SourceSettings
from bot.workspace_settings import WorkspaceSettings


@dataclass(frozen=True)
class SettingLine:
    """One line of the settings table. `now` never shows a secret: it is `set` or `not set`."""

    variable: str
    meaning: str
    default: str
    now: str


def table(settings: Settings) -> Iterator[SettingLine]:
    """Every setting in the order of the class; `standby settings` and the README's table are made from it."""
    for name, field in Settings.model_fields.items():
        value = getattr(settings, name)
        if isinstance(value, SecretStr):
            default, now = "not set", "set" if value else "not set"
        else:
            standard = "~/.standby" if name == "data_dir" else field.get_default(call_default_factory=True)
            default, now = _shown(standard), _shown(value)
        yield SettingLine(PREFIX + name.upper(), field.description or "", default, now)


def unknown(environ: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each STANDBY_* variable that means nothing to us: most often a slip of the pen."""
    known = [PREFIX + name.upper() for name in Settings.model_fields]
    for name in sorted(environ):
        if name.startswith(PREFIX) and name not in known and not name.startswith(MODEL_PREFIX):
            near = get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]}?" if near else " and is ignored."
            yield f"{name} is no setting of Standby{hint}"


def _inside(value: SourceSettings | WorkspaceSettings | tuple[str, ...]) -> str:
    if isinstance(value, WorkspaceSettings):
        return "set"
    return value.root if isinstance(value, SourceSettings) else " ".join(value)


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_inside(inner)}" for name, inner in value.items()) or "none"
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return re.sub(r"://([^:/@]*):[^@]*@", r"://\1:…@", str(value)) or "empty"
