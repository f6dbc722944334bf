"""Names that travel through Slack and come back: action ids, callback ids, scopes, metadata."""

from typing import Final

# A button's action_id is its verb (bot.domain.words.Verb), its value a press id. The ids here are the other ones.
NEXT_PAGE: Final = "next_page"
PREVIOUS_PAGE: Final = "previous_page"

# callback_id of a modal
REASON_FORM: Final = "reason_form"
QUESTION_FORM: Final = "question_form"
PAGES: Final = "pages"
NOTICE: Final = "notice"

# A form has one input per block; the block carries the field's name, the element always this.
FIELD: Final = "value"
REASON_BLOCK: Final = "reason"

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
