"""SMTP by the standard library, with the one question answered that matters: may it have been sent?"""

import re
import smtplib
import ssl
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from mimetypes import guess_type

from bot.domain.errors import MailBusy, MailRefused, MailTooLarge, MailUnclear
from bot.domain.ports import Handed, Letter, Mail
from bot.settings import Settings

TIMEOUT_S = 30
TOO_LARGE = 552
"""RFC 5321, 4.2.3: more than the server stores for a mail. Some say 552 of a full mailbox too, which a smaller mail
does no harm to."""
# What would end a header's line, or cannot be said in UTF-8 at all.
_NO_NAME = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


class SmtpMail:
    """One connection per letter; the server's final reply is the proof."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def send(self, letter: Letter) -> Handed:
        """Raises MailRefused or MailBusy while nothing was handed over, MailUnclear once it may have been.

        MailTooLarge is the refusal that a smaller mail may be spared.
        """
        message = _written(letter, self._settings.mail_from)
        try:
            with smtplib.SMTP(self._settings.smtp_host, self._settings.smtp_port, timeout=TIMEOUT_S) as server:
                self._greet(server)
                refused = self._envelope(server, letter, len(message))
                return Handed(self._hand_over(server, message), refused)
        except smtplib.SMTPResponseException as error:
            raise _refusal(error.smtp_code)(f"The mail server did not take it: {_words(error)}") from error
        except (smtplib.SMTPException, OSError) as error:
            raise MailBusy(f"The mail server cannot be used now: {_words(error)}") from error

    def _greet(self, server: smtplib.SMTP) -> None:
        if self._settings.smtp_starttls:
            server.starttls(context=ssl.create_default_context())
        if self._settings.smtp_user:
            server.login(self._settings.smtp_user, self._settings.smtp_password.get_secret_value())
        server.ehlo_or_helo_if_needed()

    def _envelope(self, server: smtplib.SMTP, letter: Letter, size_bytes: int) -> dict[str, str]:
        """Who is refused for good: one wrong address keeps nobody else from the report.

        Somebody who is refused for now keeps all waiting, so that a mail is sent once; nobody left is a refusal. A
        server that knows sizes (RFC 1870) says before it takes the mail that it is too large.
        """
        sized = [f"size={size_bytes}"] if server.has_extn("size") else []
        code, reply = server.mail(self._settings.mail_from, sized)
        if code != 250:
            raise smtplib.SMTPResponseException(code, reply)
        refused: dict[str, str] = {}
        for address in letter.to:
            code, reply = server.rcpt(address)
            words = f"{address}: {_decoded(reply)}".encode()
            if code not in (250, 251) and (400 <= code < 500 or len(letter.to) == len(refused) + 1):
                raise smtplib.SMTPResponseException(code, words)
            if code not in (250, 251):
                refused[address] = f"{code} {_decoded(reply)}"
        return refused

    def _hand_over(self, server: smtplib.SMTP, message: bytes) -> str:
        try:
            code, reply = server.data(message)
        except (smtplib.SMTPServerDisconnected, OSError) as error:
            raise MailUnclear("The connection to the mail server ended while it was taking the mail.") from error
        if code != 250:
            raise smtplib.SMTPDataError(code, reply)
        return f"{code} {_decoded(reply)}"


def _written(letter: Letter, sender: str) -> bytes:
    """The bytes on the wire. Raises MailRefused where what a script made cannot be written as a mail."""
    try:
        return mime(letter, sender).as_bytes()
    except (ValueError, LookupError) as error:
        raise MailRefused(f"It cannot be written as a mail ({error}), so it was not sent.") from error


def _refusal(code: int) -> type[MailBusy | MailRefused]:
    if code == TOO_LARGE:
        return MailTooLarge
    return MailBusy if 400 <= code < 500 else MailRefused


def mime(letter: Letter, sender: str) -> EmailMessage:
    """The letter as it goes over the wire: plain text, the same as HTML, and the files."""
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = ", ".join(letter.to)
    message["Subject"] = _NO_NAME.sub(" ", letter.subject)
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(letter.message_id, domain=sender.rpartition("@")[2] or "standby")
    message["Auto-Submitted"] = "auto-generated"
    # Lines of a mail end at 998 characters (RFC 5322, 2.1.1); a table's HTML does not.
    message.set_content(_SURROGATE.sub("\ufffd", letter.text), cte="quoted-printable")
    message.add_alternative(_SURROGATE.sub("\ufffd", letter.html), subtype="html", cte="quoted-printable")
    for name, data in letter.attachments:
        kind, _, subtype = (guess_type(name)[0] or "application/octet-stream").partition("/")
        message.add_attachment(data, maintype=kind, subtype=subtype, filename=_NO_NAME.sub("_", name))
    return message


def mail_from(settings: Settings) -> Mail | None:
    """The mail server of the settings; None when none is set up."""
    return SmtpMail(settings) if settings.smtp_host else None


def _words(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{error.smtp_code} {_decoded(error.smtp_error)}"
    return str(error) or type(error).__name__


def _decoded(reply: bytes | str) -> str:
    return reply.decode(errors="replace") if isinstance(reply, bytes) else reply
