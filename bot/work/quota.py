"""How much one person and one channel may ask for within an hour, and the plain words for what is more."""

from datetime import datetime, timedelta

from sqlmodel import Session

from bot.domain.ports import Place
from bot.domain.slot_terms import span_words
from bot.log import log
from bot.settings import Settings
from bot.store import talk
from bot.work.jobs import say

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


def too_much(session: Session, settings: Settings, place: Place, user_id: str, at: datetime) -> str:
    """Why a request of this moment is one too many; nothing when it is not.

    It is also said in the thread, and not again before a place was free in between: a flood
    of refusals would hold up what others wait for.
    """
    person = talk.asked_since(session, place.team_id, at - HOUR, user_id=user_id)
    channel = talk.asked_since(session, place.team_id, at - HOUR, channel_id=place.channel_id)
    for who, kind, most, found in (
        (f"<@{user_id}>", "person", settings.requests_of_person, person),
        (f"<#{place.channel_id}>", "channel", settings.requests_in_channel, channel),
    ):
        if most and len(found) >= most:
            wait = span_words(max(MINUTE, found[-most] + HOUR - at + MINUTE))
            text = (
                f"{who}: I take at most {most} requests an hour from one {kind}, so nothing was begun for this one or "
                f"for any that follow it now. Ask again in {wait}; what was begun before goes on."
            )
            log.warning("request_refused", by=user_id, channel=place.channel_id, most=most, kind=kind)
            key = f"quota:{place.team_id}:{who}:{found[-most].isoformat()}"
            say(session, place, key, text, people=(user_id,))
            return text
    return ""
