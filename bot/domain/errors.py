"""Standby's own errors; every message says what happened, what it means for the report, and what to do.

StandbyError
 +-- RequestProblem         what was asked cannot become a plan
 +-- RequestChanged         what was asked is something else meanwhile
 +-- ChatError              the workspace
 |    +-- ChatRefused       Slack said no: trying again changes nothing
 |    |    +-- ChatGone     nothing can be posted there any more, whatever it is
 |    +-- ChatBusy          Slack said later
 |    +-- ChatUnclear       no answer: the message may or may not be there
 |    +-- FileRefused       a file of the workspace cannot be taken
 +-- MailError
 |    +-- MailRefused       the mail server said no before taking it
 |    |    +-- MailTooLarge  it is larger than the server takes
 |    +-- MailBusy          the mail server said later, or is out of reach: it was not sent
 |    +-- MailUnclear       no final answer: the mail may or may not have been sent
 +-- PlanProblem            a draft that cannot be shown to people
"""


class StandbyError(Exception):
    """Something that Standby can name; `str()` is a sentence for people."""

    permanent = True


class RequestProblem(StandbyError):
    """What was asked cannot become a plan as it stands; the text says what is missing."""


class RequestChanged(StandbyError):
    """The request was changed or taken back while it was worked on: what was made of it does not count."""


class ChatError(StandbyError):
    """The workspace did not do what was asked of it."""


class ChatRefused(ChatError):
    """Slack refused; the same call would be refused again."""


class ChatGone(ChatRefused):
    """The channel is archived or closed to us, or the app was removed: nothing more arrives there."""


class ChatBusy(ChatError):
    """Slack asked to wait; nothing was posted."""

    permanent = False

    def __init__(self, message: str, retry_after_s: float = 1.0) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class ChatUnclear(ChatError):
    """The answer was lost: the message may be there or not. Look before sending again."""

    permanent = False


class FileRefused(ChatError):
    """A file cannot be taken (other host, login page instead of bytes, too large, gone)."""


class MailError(StandbyError):
    """A mail was not known to be sent."""


class MailRefused(MailError):
    """The mail server refused before accepting the message: it was not sent."""


class MailTooLarge(MailRefused):
    """The mail server takes no mail of this size: it was not sent, and one without its files may be."""


class MailBusy(MailError):
    """The mail server asked to try later (a 4xx reply, RFC 5321 4.2.1) or was out of reach: it was not sent."""

    permanent = False


class MailUnclear(MailError):
    """The connection ended after the message was handed over: it may have been sent."""


class PlanProblem(StandbyError):
    """A draft that may not be shown to people; the text says what and where."""
