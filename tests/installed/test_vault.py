"""Stored tokens: encrypted, bound to their workspace, readable with older keys, and with no other."""

import pytest

from bot.store.vault import Vault, VaultProblem, new_key


def test_a_token_is_stored_encrypted_and_opens_for_its_owner_alone() -> None:
    vault = Vault(new_key())
    kept = vault.sealed("/T1", {"bot_token": "xoxb-secret"})

    assert b"xoxb" not in kept and vault.sealed("/T1", {"bot_token": "xoxb-secret"}) != kept
    assert vault.opened("/T1", kept) == {"bot_token": "xoxb-secret"}
    with pytest.raises(VaultProblem, match="belongs to somebody else"):
        vault.opened("/T2", kept)


def test_keys_are_changed_by_putting_a_new_one_in_front() -> None:
    old, new = new_key(), new_key()
    kept = Vault(old).sealed("/T1", {"bot_token": "xoxb-secret"})

    both = Vault(f"{new}, {old}")
    assert both.opened("/T1", kept)["bot_token"] == "xoxb-secret"
    renewed = both.sealed("/T1", both.opened("/T1", kept))  # as when a token is renewed
    assert Vault(new).opened("/T1", renewed)["bot_token"] == "xoxb-secret"
    with pytest.raises(VaultProblem, match="STANDBY_TOKEN_KEYS does not hold any more"):
        Vault(new).opened("/T1", kept)


@pytest.mark.parametrize("changed", [lambda kept: kept[:-1] + b"A", lambda _: b"", lambda _: b"xoxb-plain"])
def test_what_was_changed_is_not_used(changed: object) -> None:
    vault = Vault(new_key())
    with pytest.raises(VaultProblem):
        vault.opened("/T1", changed(vault.sealed("/T1", {"bot_token": "x"})))  # type: ignore[operator]


@pytest.mark.parametrize("keys", ["", " , ", "too short", "x" * 44])
def test_without_a_usable_key_nothing_is_stored(keys: str) -> None:
    with pytest.raises(VaultProblem, match="standby token-key"):
        Vault(keys)
