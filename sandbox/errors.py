"""What can go wrong with a box.

BoxError
├── BoxUnavailable      none could be opened; later it may
│   └── BoxBusy         the provider is at its limit just now
├── BoxRefused          the provider will never do this as it was asked
├── BoxLost             the box was there and is gone, or cannot be reached any more
├── BoxTimeout          a command outlived its time and the box was ended with it
├── BoxFull             the box's or the provider's disk is full
├── BoxFileMissing      the path is no file in the box
└── BoxFileTooLarge     the file is larger than the caller can take

A command that fails is no error: it is an `Exit` with another code than 0.
"""

from __future__ import annotations

from typing import ClassVar


class BoxError(Exception):
    """A box failed. `permanent` says that trying the same again cannot help."""

    permanent: ClassVar[bool] = False


class BoxUnavailable(BoxError):
    """No box could be opened: the provider did not answer or failed. Trying again later may work."""


class BoxBusy(BoxUnavailable):
    """The provider has no free box at the moment, or asks for fewer requests. Wait and try again."""


class BoxRefused(BoxError):
    """The provider refuses the request itself: a wrong key, an unknown template, a setting it cannot keep."""

    permanent = True


class BoxLost(BoxError):
    """The box vanished or the line to it broke while it was in use; what it was doing is unknown."""


class BoxTimeout(BoxError):
    """A command did not end within its time; its box was ended so that nothing of it lives on."""


class BoxFull(BoxError):
    """There was no room left for a file."""


class BoxFileMissing(BoxError):
    """The asked-for path does not exist in the box or is no regular file."""

    permanent = True


class BoxFileTooLarge(BoxError):
    """The file holds more bytes than the caller said it can take; nothing of it was kept."""

    permanent = True
