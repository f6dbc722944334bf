"""What each part finds in its environment: what it needs and no more; the model's key is in one alone."""

from __future__ import annotations

import json
from collections.abc import Mapping

from pydantic import SecretStr

from bot.domain.here import is_loopback
from bot.settings import MODEL_KEYS, MODEL_PREFIX, PREFIX, Settings
from bot.source_settings import SourceSettings
from bot.workspace_settings import WorkspaceSettings

# What any program on this computer needs to run at all.
_PLAIN = (
    *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "XDG_RUNTIME_DIR"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"),
)
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
_MODEL = (*MODEL_KEYS, "ANTHROPIC_BASE_URL")

_HOLDING_LOGINS = ("sources", "workspaces")

# Who holds which secret. The servers of `standby up` hold none; all parts seal the history with one key.
_SECRETS: dict[str, tuple[str, ...]] = {
    "bot": (
        *("slack_bot_token", "slack_app_token", "slack_signing_secret"),
        *("slack_client_secret", "token_keys", "workspaces", "history_key"),
    ),
    "agent": (
        *("slack_bot_token", "slack_client_secret", "token_keys", "box_api_key"),
        *("sources", "workspaces", "history_key"),
    ),
    "runner": (
        *("slack_bot_token", "slack_client_secret", "token_keys", "box_api_key", "smtp_password"),
        *("sources", "workspaces", "history_key"),
    ),
    "clock": ("history_key",),
}


def plain(environ: Mapping[str, str]) -> dict[str, str]:
    """For a part that knows no setting of ours: the box server, the desk."""
    return {**{name: environ[name] for name in _PLAIN if name in environ}, "PYTHONUNBUFFERED": "1"}


def for_part(name: str, settings: Settings, environ: Mapping[str, str]) -> dict[str, str]:
    """For `bot`, `agent`, `runner` or `clock`: the settings, those secrets that are its own, and how to get out.

    Slack's clients go through a proxy even to this computer, so with the desk there is none; the agent, which must
    still reach the model through it, finds it as STANDBY_MODEL_PROXY.
    """
    given = plain(environ) | as_variables(settings, _SECRETS[name])
    proxies = {n: environ[n] for p in _PROXIES for n in (p, p.lower()) if n in environ}
    if not is_loopback(settings.slack_api_url):
        given |= proxies
        given["NO_PROXY"] = given["no_proxy"] = _with_loopback(proxies)
    if name == "agent":
        given |= {n: v for n, v in environ.items() if n in _MODEL or n.startswith(MODEL_PREFIX)}
        proxy = proxies.get("HTTPS_PROXY") or proxies.get("https_proxy")
        if proxy and is_loopback(settings.slack_api_url):
            given.setdefault(f"{MODEL_PREFIX}PROXY", proxy)
    return given


def as_variables(settings: Settings, secrets: tuple[str, ...]) -> dict[str, str]:
    """The settings as Settings.load reads them; of the secrets only those named."""
    variables = {}
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if isinstance(value, SecretStr) or name in _HOLDING_LOGINS:
            if name not in secrets:
                continue
            value = value.get_secret_value() if isinstance(value, SecretStr) else value
        variables[PREFIX + name.upper()] = _written(value)
    return variables


def _written(value: object) -> str:
    if isinstance(value, Mapping):
        return json.dumps({name: _inside(one) for name, one in value.items()})
    if isinstance(value, tuple):
        return ",".join(value)
    return str(value)


def _inside(value: object) -> object:
    if isinstance(value, SourceSettings):
        return value.as_written()
    if isinstance(value, WorkspaceSettings):
        sources = {name: one.as_written() for name, one in value.sources.items()}
        return {**value.model_dump(mode="json", exclude={"sources"}), "sources": sources}
    return value


def _with_loopback(proxies: Mapping[str, str]) -> str:
    before = proxies.get("NO_PROXY") or proxies.get("no_proxy")
    return ",".join(filter(None, [before, "127.0.0.1", "localhost"]))
