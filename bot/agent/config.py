"""The settings of the model, read from STANDBY_MODEL_* and ANTHROPIC_* by the agent process and by no other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import EnvSettingsSource, SettingsConfigDict

from bot.settings import MODEL_KEYS, MODEL_PREFIX, GivenSettings, SettingsError

ANTHROPIC = "https://api.anthropic.com"
MICRO = 1_000_000


class ModelSettings(GivenSettings):
    """How the model is reached and what it may cost; immutable. Build it with `ModelSettings.load(os.environ)`."""

    model_config = SettingsConfigDict(env_prefix=MODEL_PREFIX, frozen=True, extra="forbid", protected_namespaces=())

    key: SecretStr = Field(SecretStr(""), description="The key; ANTHROPIC_API_KEY where this is not set.")
    base_url: str = Field(ANTHROPIC, description="Any server with Anthropic's Messages API, without /v1.")
    name: str = Field("claude-sonnet-5-5", description="The model that new conversations use.")
    effort: str = Field("", pattern="^(|low|medium|high|max)$", description="How hard it thinks; empty is its default.")
    max_tokens: int = Field(8_000, ge=256, le=64_000, description="Longest answer, in tokens; twice that once if cut.")
    optional_fields: str = Field(
        "auto",
        pattern="^(auto|on|off)$",
        description="Caching, thinking and diagnostics; auto sends them to Anthropic only.",
    )
    proxy: str = Field("", description="Proxy for requests to the model.")
    draft_usd: float = Field(0.50, gt=0, description="Most that one draft may cost, and one press of Go on adds.")
    surprise_usd: float = Field(0.25, gt=0, description="Most that answering one surprise may cost.")
    day_usd: float = Field(5.0, gt=0, description="Most that a workspace may cost in a day (UTC).")
    turns: int = Field(12, ge=1, description="Most answers of the model in one stretch of work.")
    turns_alone: int = Field(60, ge=1, description="Most answers without a word of a person.")
    tokens: int = Field(150_000, ge=1_000, description="Most input tokens in one stretch of work.")
    work_s: float = Field(600, gt=0, description="Most seconds of requests and tools in one stretch of work.")
    patience_s: float = Field(120, ge=0, description="Most seconds to wait between tries of one request.")

    @classmethod
    def load(cls, environ: Mapping[str, str]) -> Self | None:
        """The settings in `environ`; None without a key or a server of one's own. Raises SettingsError."""
        _refuse_unknown(environ, {MODEL_PREFIX + field.upper() for field in cls.model_fields})
        given = {name: value for name, value in environ.items() if value}
        key = next((given[name] for name in MODEL_KEYS if name in given), "")
        is_own_server = f"{MODEL_PREFIX}BASE_URL" in given
        given.setdefault(f"{MODEL_PREFIX}KEY", key)
        given.setdefault(f"{MODEL_PREFIX}BASE_URL", given.get("ANTHROPIC_BASE_URL", ANTHROPIC))
        source = EnvSettingsSource(cls)
        source.env_vars = {name.lower(): value for name, value in given.items()}
        try:
            found = cls(**source())
        except ValidationError as error:
            raise SettingsError("\n".join(_sentences(error))) from error
        return found if found.key.get_secret_value() or is_own_server else None

    @property
    def sends_optional_fields(self) -> bool:
        if self.optional_fields == "auto":
            return self.base_url.rstrip("/") == ANTHROPIC
        return self.optional_fields == "on"


def _refuse_unknown(environ: Mapping[str, str], known: set[str]) -> None:
    """A misspelt budget would be no budget."""
    if unknown := sorted(name for name in environ if name.startswith(MODEL_PREFIX) and name not in known):
        raise SettingsError(f"{', '.join(unknown)} is no setting of the model. There are: {', '.join(sorted(known))}.")


def _sentences(error: ValidationError) -> list[str]:
    problems = error.errors(include_url=False, include_input=False)
    return [f"{MODEL_PREFIX}{str(one['loc'][0]).upper()}: {one['msg']}." for one in problems]
