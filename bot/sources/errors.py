"""What goes wrong at a source; every message says what happened, what it means for the report, and what to do.

SourceError
 +-- SourceNotAllowed       settings allow no such address
 +-- SourceRefused          the source does not accept us: another try is refused too
 +-- SourceTooLarge         more than settings allow to take
 +-- SourceNameRefused      a file there has a name that cannot be used
 +-- SourceUnreachable      no answer, a slow one, or one that was cut
 +-- SourceChanged          what was read changed meanwhile
"""

from bot.domain.errors import StandbyError


class SourceError(StandbyError):
    """The data could not be taken as it is there, so there is no report from it."""


class SourceNotAllowed(SourceError):
    """No source of the settings covers this address; the text has what an admin would add."""


class SourceRefused(SourceError):
    """Wrong login, no rights, or something that nobody should be sent to."""


class SourceTooLarge(SourceError):
    """More, or larger, than settings allow; told before it is read wherever the source says sizes."""


class SourceNameRefused(SourceError):
    """A file's name could not be used safely, or means two files."""


class SourceUnreachable(SourceError):
    """Nobody answers, or not to the end. Trying again later may help."""

    permanent = False


class SourceChanged(SourceError):
    """Somebody writes the file that is being read. Trying again later may help."""

    permanent = False
