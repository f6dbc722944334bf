"""No secret leaves in a log, an error or the history; and ordinary words, digests and ids stay as they are."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.redact import MASK, redacted, redacted_all

# Written in two parts, so that no scanner takes this file for a leak.
CANARIES = {
    "Slack bot token": "xoxb-" + "123456789012-abcdefCANARY",
    "Slack app token": "xapp-" + "1-A0123-456-CANARYcanary",
    "Slack web hook": "https://hooks.slack.com/" + "services/T0/B0/CANARYcanary",
    "model key": "sk-ant-" + "api03-CANARYCANARYCANARY",
    "box key": "e2b_" + "0123456789abcdef0123456789abcdef",
    "AWS key": "AKIA" + "ABCDEFGHIJKLMNOP",
    "GitHub token": "ghp_" + "CANARYCANARYCANARYCANARYCANARY",
    "JSON web token": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.CANARY",
    "password in a setting": "STANDBY_SMTP_PASSWORD=" + "CANARY-correct-horse",
    "password in JSON": '"password": "' + 'CANARY-correct-horse"',
    "database password": "postgresql+psycopg://standby:" + "CANARYpw@db.example/standby",
    "bearer": "Authorization: Bearer " + "CANARYcanaryCANARY",
    "signed URL": "https://b.s3.amazonaws.com/x?X-Amz-Signature=" + "CANARYcanary",
    "private key": "-----BEGIN PRIVATE " + "KEY-----\nCANARY\n-----END PRIVATE KEY-----",
}


def secret_of(canary: str) -> str:
    """The part that may be seen nowhere."""
    return (
        canary
        if "CANARY" not in canary
        else canary[canary.index("CANARY") :].split("@", maxsplit=1)[0].split('"', maxsplit=1)[0]
    )


@pytest.mark.parametrize("kind", CANARIES)
def test_a_secret_is_masked_wherever_it_stands(kind: str) -> None:
    text = f"It failed: {CANARIES[kind]} was refused"
    assert secret_of(CANARIES[kind]) not in redacted(text)
    assert MASK in redacted(text)
    assert redacted(text).startswith("It failed: ")


@pytest.mark.parametrize("kind", CANARIES)
def test_what_is_masked_stays_as_it_is(kind: str) -> None:
    once = redacted(CANARIES[kind])
    assert redacted(once) == once


@pytest.mark.parametrize(
    "text",
    [
        "a" * 64,
        "OddFile: spectro-07.log is 1.4 MB but none of its lines has a level I know.",
        "approved by <@U0BOB000001> in <#C0LAB000001>",
        "postgresql+psycopg://localhost:5432/standby",
        "weekly-error-report, slot Mon 7 Dec 2026 07:00 Europe/Oslo, version 1 (9f2c1a7b)",
        "The token budget of this thread is used up.",
    ],
)
def test_ordinary_words_stay(text: str) -> None:
    assert redacted(text) == text


@given(st.recursive(st.none() | st.integers() | st.sampled_from(list(CANARIES.values())), st.lists))
def test_a_secret_is_masked_however_deep_it_lies(value: object) -> None:
    whole = str(redacted_all({"body": value}))
    assert not any(secret_of(canary) in whole for canary in CANARIES.values())


def test_logs_of_ours_and_of_libraries_hold_no_secret() -> None:
    code = (
        "import logging, sys\nfrom bot.log import log, set_up\nset_up('bot')\n"
        "for secret in sys.argv[1:]:\n"
        "    log.warning('refused', url=secret, args=[secret], error=ValueError(secret))\n"
        "    logging.getLogger('httpx').error('sent %s', secret)\n"
        "    try:\n        raise ValueError(secret)\n"
        "    except ValueError:\n        log.exception('failed')\n"
    )
    ended = subprocess.run([sys.executable, "-c", code, *CANARIES.values()], capture_output=True, text=True, check=True)
    assert ended.stderr.count("failed") >= len(CANARIES)
    for kind, canary in CANARIES.items():
        assert secret_of(canary) not in ended.stderr, kind
