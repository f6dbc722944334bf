"""What can keep a model from answering; every message says what happened, what it means and what to do.

StandbyError
 +-- ModelError
      +-- ModelRefused    the request, the key or the account: trying again changes nothing
      +-- ModelAway       busy, overloaded or out of reach: later it may answer
      +-- Stopped         Standby ended the work: a budget, a loop, a declined request
"""

from bot.domain.errors import StandbyError


class ModelError(StandbyError):
    """No answer came; the conversation stays as it is and can be resumed."""


class ModelRefused(ModelError):
    """The provider refused; the same request would be refused again."""


class ModelAway(ModelError):
    """The provider does not answer now. `wait_s` is how long it asked to wait, or our own guess."""

    permanent = False

    def __init__(self, message: str, wait_s: float) -> None:
        super().__init__(message)
        self.wait_s = wait_s


class Stopped(ModelError):
    """The work ends here, with words for the thread. `can_go_on`: a person may grant another budget."""

    def __init__(self, message: str, *, can_go_on: bool = True) -> None:
        super().__init__(message)
        self.can_go_on = can_go_on
