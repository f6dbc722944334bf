"""Names that travel through Slack and come back: action ids, callback ids, scopes, metadata."""

from typing import Any, Final

from bot.domain.orders import Order

# A button's action_id is its verb (bot.domain.words.Verb), its value a press id. The ids here are the other ones.
NEXT_PAGE: Final = "next_page"
PREVIOUS_PAGE: Final = "previous_page"

# On the Home tab, and in the modals that open from it. The value of an order is ROUTINE_ID:STAMP.
ORDERS: Final = {
    "order_run": Order.RUN_NOW,
    "order_pause": Order.PAUSE,
    "order_resume": Order.RESUME,
}
HISTORY: Final = "routine_history"
HISTORY_PAGE: Final = "history_page"
MORE: Final = "routine_more"  # an overflow menu; its entries are VERSIONS:… and HAND_OVER:…
SCRIPT: Final = "routine_script"
VERSIONS: Final = "versions"
HAND_OVER: Final = "hand_over"
HOME_PAGE: Final = "home_page"
OPEN_LINK: Final = "open_link"  # a button that only leads somewhere

# callback_id of a modal
REPORT_FORM: Final = "report_form"
HAND_OVER_FORM: Final = "hand_over_form"
REASON_FORM: Final = "reason_form"
QUESTION_FORM: Final = "question_form"
PAGES: Final = "pages"
NOTICE: Final = "notice"

# A form has one input per block; the block carries the field's name, the element always this.
FIELD: Final = "value"
REASON_BLOCK: Final = "reason"
WHEN_BLOCK: Final = "when"

MAKE_ROUTINE: Final = "turn_into_report"
"""callback_id of the message shortcut."""

COMMAND: Final = "/standby"

METADATA_TYPE: Final = "standby"
"""event_type of the metadata under which every message of ours is posted."""

NEEDED_SCOPES: Final = frozenset(
    {
        "app_mentions:read",
        "channels:history",
        "groups:history",
        "im:history",
        "channels:read",
        "groups:read",
        "chat:write",
        "files:read",
        "files:write",
        "users:read",
        "usergroups:read",
        "commands",
    }
)
"""What the bot token must be allowed; the manifest asks for exactly these."""


def metadata_of(key: str) -> dict[str, Any]:
    """The metadata by which a message is found again under its key."""
    return {"event_type": METADATA_TYPE, "event_payload": {"key": key}}
