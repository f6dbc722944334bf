"""Secrets at rest: encrypted with a key that is not in the database, and bound to the row that they belong to."""

import json
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from bot.domain.errors import StandbyError

MAKE_ONE = "`standby token-key` makes one"


class VaultProblem(StandbyError):
    """The keys cannot be used, or what is stored was not encrypted with any of them."""


class Vault:
    """Fernet (AES-128-CBC and HMAC-SHA256). The first key encrypts; every one decrypts, so that keys can be changed."""

    def __init__(self, keys: str) -> None:
        """`keys` are separated by commas, the newest first. Raises VaultProblem."""
        each = [key.strip() for key in keys.split(",") if key.strip()]
        if not each:
            raise VaultProblem(f"STANDBY_TOKEN_KEYS is not set, so no token may be stored; {MAKE_ONE}.")
        try:
            self._fernet = MultiFernet([Fernet(key) for key in each])
        except ValueError as error:
            raise VaultProblem(f"STANDBY_TOKEN_KEYS holds what is no key; {MAKE_ONE}.") from error

    def sealed(self, owner: str, secrets: dict[str, Any]) -> bytes:
        """These secrets of `owner`, encrypted. Under another owner's name they do not open."""
        return self._fernet.encrypt(json.dumps({"owner": owner, **secrets}).encode())

    def opened(self, owner: str, kept: bytes) -> dict[str, Any]:
        """The secrets. Raises VaultProblem where no key fits, or the row of one was copied into another's."""
        try:
            found: dict[str, Any] = json.loads(self._fernet.decrypt(kept))
        except InvalidToken as error:
            raise VaultProblem(
                f"The token of {owner} was encrypted with a key that STANDBY_TOKEN_KEYS does not hold any more. "
                "Bring the key back (behind the new one, after a comma), or install the app there again."
            ) from error
        if found.pop("owner") != owner:
            raise VaultProblem(f"The token stored for {owner} belongs to somebody else, so it is not used.")
        return found


def new_key() -> str:
    """A key for STANDBY_TOKEN_KEYS."""
    return Fernet.generate_key().decode()
