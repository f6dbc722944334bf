"""The mail sink: a real SMTP server that keeps what it is sent and delivers to nobody."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import cast

from aiosmtpd.smtp import SMTP, Envelope, Session

from bot.desk.changes import Changes
from bot.desk.clock import DeskClock
from bot.desk.faults import FaultKind, Faults
from bot.desk.ledger import Ledger
from bot.desk.shapes import Json

LARGEST_MAIL_BYTES = 33_554_432


@dataclass(frozen=True)
class Attachment:
    """A file in a mail. `content_id` is set where the HTML shows it inline."""

    name: str
    mimetype: str
    data: bytes
    content_id: str = ""


@dataclass(frozen=True)
class Mail:
    """One received mail: the envelope, the usual headers and the parts that people look at."""

    number: int
    received_at: datetime
    envelope_from: str
    envelope_to: tuple[str, ...]
    headers: tuple[tuple[str, str], ...]
    subject: str
    text: str
    html: str
    attachments: tuple[Attachment, ...]
    raw: bytes

    def as_json(self) -> Json:
        return {
            "number": self.number,
            "received_at": self.received_at.isoformat(),
            "from": self.envelope_from,
            "to": list(self.envelope_to),
            "headers": [list(one) for one in self.headers],
            "subject": self.subject,
            "text": self.text,
            "html": self.html,
            "attachments": [
                {"name": one.name, "mimetype": one.mimetype, "size": len(one.data), "content_id": one.content_id}
                for one in self.attachments
            ],
        }


@dataclass
class Mailbox:
    """The received mails, oldest first, and the SMTP server that receives them. Their bytes are kept in `folder`."""

    folder: Path
    clock: DeskClock
    ledger: Ledger
    faults: Faults
    changes: Changes
    mails: list[Mail] = field(default_factory=list)

    async def listen(self, host: str, port: int) -> asyncio.Server:
        """Start the server; port 0 takes a free one."""
        loop = asyncio.get_running_loop()
        return await loop.create_server(self._protocol, host, port)

    def path_of(self, number: int) -> Path:
        return self.folder / f"{number}.eml"

    def _protocol(self) -> SMTP:
        return SMTP(self, data_size_limit=LARGEST_MAIL_BYTES, hostname="desk.localhost", enable_SMTPUTF8=True)

    # The names and signatures of these two are aiosmtpd's.
    async def handle_RCPT(
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, rcpt_options: list[str]
    ) -> str:
        fault = self.faults.take(FaultKind.MAIL_REFUSED, address)
        if fault:
            reply = fault.reply or "450 4.2.0 Mailbox busy, try again later"
            self.ledger.mail(envelope.mail_from or "", [address], "", reply)
            return reply
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(rcpt_options)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:
        slow = self.faults.take(FaultKind.MAIL_SLOW)
        if slow:
            await asyncio.sleep(slow.seconds)
        if self.faults.take(FaultKind.MAIL_TOO_LARGE):
            reply = "552 5.3.4 Message size exceeds fixed limit"
            self.ledger.mail(envelope.mail_from or "", envelope.rcpt_tos, "", reply)
            return reply
        mail = self._keep(envelope)
        if self.faults.take(FaultKind.MAIL_LOST_REPLY):
            self.ledger.mail(mail.envelope_from, list(mail.envelope_to), mail.subject, "accepted, reply lost")
            cast("asyncio.Transport", server.transport).abort()
            return "421 gone"
        self.ledger.mail(mail.envelope_from, list(mail.envelope_to), mail.subject, "250 OK")
        return f"250 OK kept as {mail.number}"

    def _keep(self, envelope: Envelope) -> Mail:
        raw = envelope.original_content or b""
        mail = parsed(len(self.mails) + 1, self.clock.now(), envelope.mail_from or "", envelope.rcpt_tos, raw)
        self.folder.mkdir(exist_ok=True)
        self.path_of(mail.number).write_bytes(raw)
        self.mails.append(mail)
        self.changes.tell("mail", number=mail.number)
        return mail


def parsed(number: int, received_at: datetime, sender: str, recipients: list[str], raw: bytes) -> Mail:
    """The mail in these bytes."""
    message = message_from_bytes(raw, policy=policy.default)
    text, html = message.get_body(("plain",)), message.get_body(("html",))
    return Mail(
        number=number,
        received_at=received_at,
        envelope_from=sender,
        envelope_to=tuple(recipients),
        headers=tuple((name, str(value)) for name, value in message.items()),
        subject=str(message.get("Subject", "")),
        text=text.get_content() if text else "",
        html=html.get_content() if html else "",
        attachments=tuple(_attachments(message)),
        raw=raw,
    )


def _attachments(message: EmailMessage) -> list[Attachment]:
    found = []
    for part in message.walk():
        is_file = part.get_content_disposition() == "attachment" or part.get("Content-ID")
        if is_file and not part.is_multipart():
            data = part.get_payload(decode=True)
            found.append(
                Attachment(
                    part.get_filename() or "unnamed",
                    part.get_content_type(),
                    data if isinstance(data, bytes) else b"",
                    str(part.get("Content-ID", "")).strip("<>"),
                )
            )
    return found
