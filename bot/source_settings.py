"""One named source of the settings: below which address files may be read, and the login that stays here."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, SecretStr, field_validator, model_validator

SCHEMES = ("https", "http", "s3", "gs", "sftp", "postgresql")
EXAMPLE = '{"lab-archive": {"root": "s3://lab-archive/logs/", "user": "AKIA", "password": "secret"}}'


class SourceSettings(BaseModel):
    """Where a routine may read, and as whom; nothing of it but `root` and the name is ever shown."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    root: str  # what every address must begin with; for a database, postgresql://host:port/name
    private: bool = False  # the host may be one of an inner network
    channels: tuple[str, ...] = ()  # ids of the channels whose people may read it; none: all channels
    user: str = ""  # login; for s3 the id of the access key
    password: SecretStr = SecretStr("")  # for s3 the secret of the access key
    token: SecretStr = SecretStr("")  # https: sent as a bearer token, to this host alone
    key_file: Path | None = None  # sftp: a private key; gs: the file of a service account
    host_key: str = ""  # sftp: the server's public key, as in known_hosts
    endpoint: str = ""  # s3 and gs: another server that speaks the same
    region: str = ""  # s3

    @field_validator("root")
    @classmethod
    def _whole(cls, value: str) -> str:
        """Ends with a slash, so that https://host allows no https://host.evil.example."""
        parts = urlsplit(value)
        if value.startswith("/"):
            return value.rstrip("/") + "/"
        if parts.scheme == "postgresql" and "@" not in parts.netloc and "pass" not in parts.query:
            return value
        if parts.scheme not in SCHEMES or not parts.netloc or parts.query or parts.fragment:
            raise ValueError(f"root {value!r} is no folder and no address that begins with one of {', '.join(SCHEMES)}")
        if "@" in parts.netloc:
            raise ValueError("root holds a login; write that as user and password beside it")
        if re.search(r"[*?{}\\\s]|/\.\.?(/|$)", value):
            raise ValueError(f"root {value!r} must be spelled out: no *, no {{slot}}, no ..")
        return value.rstrip("/") + "/"

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        if self.scheme == "http" and not self.private:
            raise ValueError("root is http://, which anybody on the way can read; only a private host may have that")
        if self.scheme == "sftp" and not self.host_key:
            raise ValueError("an sftp source needs host_key (ssh-keyscan HOST shows it), or anybody could be that host")
        return self

    @property
    def scheme(self) -> str:
        """`file` for a folder."""
        return "file" if self.root.startswith("/") else urlsplit(self.root).scheme

    def covers(self, address: str) -> bool:
        """Whether an address lies below the root."""
        return self.scheme != "postgresql" and address.startswith(self.root) and "/../" not in address

    def masked(self, text: str) -> str:
        """The text without this source's secrets, whatever form they have."""
        for secret in (self.password.get_secret_value(), self.token.get_secret_value()):
            if secret:
                text = text.replace(secret, "[masked]")
        return text

    def as_written(self) -> dict[str, object]:
        """What the variable holds, secrets included: for the environment of the parts that read sources."""
        plain = self.model_dump(mode="json", exclude_defaults=True, exclude={"password", "token"})
        secrets = {"password": self.password.get_secret_value(), "token": self.token.get_secret_value()}
        return {**plain, **{name: value for name, value in secrets.items() if value}}
