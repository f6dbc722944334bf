"""The check of the model: whether one is set up, answers, and lives on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing

from bot.agent.client import Model
from bot.agent.config import ModelSettings
from bot.agent.errors import ModelAway, ModelRefused
from bot.processes.checks import Finding
from bot.settings import Settings, SettingsError

NONE = "none: no key is set here, so plans come from the library alone"
ADVICE = (
    "To have new scripts written, set ANTHROPIC_API_KEY for the agent, or STANDBY_MODEL_BASE_URL for another server."
)


def of(environ: Mapping[str, str]) -> Callable[[Settings], Finding]:
    """The check for the model that this environment sets up; the agent reads the same variables, and no other part."""

    def model(_settings: Settings) -> Finding:
        try:
            settings = ModelSettings.load(environ)
        except SettingsError as error:
            return Finding("model", False, "its settings cannot be used", str(error))
        return _answering(settings) if settings else Finding("model", True, NONE, ADVICE)

    return model


def _answering(settings: ModelSettings) -> Finding:
    """Asks the server about the model, which costs nothing."""
    key = "key set" if settings.key.get_secret_value() else "no key"
    where = f"{settings.name} at {settings.base_url} ({key})"
    try:
        with closing(Model(settings)) as model:
            life = model.lifecycle()
    except ModelRefused as error:
        todo = "Check ANTHROPIC_API_KEY, STANDBY_MODEL_NAME and STANDBY_MODEL_BASE_URL."
        return Finding("model", False, f"{where}: refused: {error}", todo)
    except ModelAway as error:
        todo = "Check STANDBY_MODEL_BASE_URL and _PROXY, and that this computer may reach it."
        return Finding("model", False, f"{where}: {error}", todo)
    if life.word == "retired":
        return Finding("model", False, f"{where}: it is retired", "Set STANDBY_MODEL_NAME to another model.")
    if life.word == "deprecated":
        until = f" on {life.retires_on}" if life.retires_on else ""
        todo = f"Set STANDBY_MODEL_NAME to another model before it is retired{until}; new conversations then use that."
        return Finding("model", True, f"{where}: answers, deprecated", todo)
    caps = f"at most ${settings.draft_usd:.2f} a draft, ${settings.day_usd:.2f} a day"
    return Finding("model", True, f"{where}: answers{f', {life.word}' if life.word else ''}; {caps}")
