"""Posting once: a row claims the message before it is sent, and carries Slack's ts as proof after."""

import secrets
import time

from sqlalchemy import update
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col

from bot.domain.errors import ChatBusy, ChatRefused, ChatUnclear
from bot.domain.ports import MessageRef, Place
from bot.domain.views import View
from bot.store.tables_runs import Delivery
from bot.store.tables_talk import Post
from bot.work.in_line import WAITING, in_line
from bot.work.parts import Parts
from bot.work.points import Point, passing

# Slack shows a file a moment after it took it; in all this long.
APPEARS_WITHIN_S = (0.2, 0.5, 1.0, 2.0, 4.0)


def unsure_key(delivery: Delivery) -> str:
    """The key of the message that tells of an unknown delivery."""
    return f"delivery:{delivery.key}:unknown"


def post_once(parts: Parts, place: Place, view: View, key: str, *, may_be_there: bool = False) -> MessageRef:
    """Post under `key` unless it is there already. Raises ChatError; calling again is always safe.

    After a claim whose end nobody saw, or where it may be there for another reason, one look at the thread decides
    whether to send again.
    """
    owner = secrets.token_hex(8)
    if not _claim(parts, place, key, owner) or may_be_there:
        if sent := _sent(parts, place, key):
            return sent
        if found := parts.chat.find(place, key):
            return _prove(parts, key, found)
        _take_over(parts, key, owner)
    try:
        with in_line(parts.db, place, key):
            _still_ours(parts, key, owner)
            passing(Point.POST_CLAIMED)
            ref = _post(parts, place, view, key)
            passing(Point.POSTED)
    except ChatBusy:
        _put_off(parts, key, owner)
        raise
    except ChatUnclear:
        lost = parts.chat.find(place, key)
        if lost is None:
            raise
        ref = lost
    return _prove(parts, key, ref)


def attach_once(parts: Parts, place: Place, name: str, data: bytes, key: str) -> None:
    """Put a file into a thread unless it is there already. Raises ChatError; calling again is always safe.

    The file's title carries the key, so that one look finds it. It counts once it is seen: an upload that Slack took
    and does not show is ChatUnclear.
    """
    if not data:
        return  # Slack takes no empty file
    owner, title = secrets.token_hex(8), f"{name} ({key.rpartition(':')[0].replace(':', ' ')})"
    is_ours = _claim(parts, place, key, owner)
    if not is_ours and _sent(parts, place, key):
        return
    if is_ours or not parts.chat.has_file(place, title):
        _upload(parts, place, name, data, title)
    _prove(parts, key, MessageRef(place.channel_id, "attached"))


def _upload(parts: Parts, place: Place, name: str, data: bytes, title: str) -> None:
    lost: ChatUnclear | None = None
    try:
        parts.chat.attach(place, name, data, title=title)
    except ChatUnclear as unclear:
        lost = unclear
    for wait_s in APPEARS_WITHIN_S:
        time.sleep(wait_s)
        if parts.chat.has_file(place, title):
            return
    raise lost or ChatUnclear(f"Slack took the file {name}, but does not show it.")


def _post(parts: Parts, place: Place, view: View, key: str) -> MessageRef:
    """Where the thread is gone, in the channel: what happened to a report must reach somebody."""
    try:
        return parts.chat.post(place, view, key=key)
    except ChatRefused:
        if not place.thread_ts:
            raise
        return parts.chat.post(Place(place.team_id, place.channel_id), view, key=key)


def _claim(parts: Parts, place: Place, key: str, owner: str) -> bool:
    row = insert(Post).values(
        key=key,
        team_id=place.team_id,
        channel_id=place.channel_id,
        thread_ts=place.thread_ts,
        ts="",
        owner=owner,
        claimed_at=parts.clock.now(),
    )
    with parts.db.transaction() as session:
        again = row.on_conflict_do_update(
            index_elements=["key"], set_={"owner": owner}, where=(col(Post.owner) == WAITING) & (col(Post.ts) == "")
        )
        claimed = session.execute(again.returning(col(Post.key))).first()
    return claimed is not None


def _sent(parts: Parts, place: Place, key: str) -> MessageRef | None:
    with parts.db.transaction() as session:
        post = session.get_one(Post, key)
    return MessageRef(place.channel_id, post.ts) if post.ts else None


def _take_over(parts: Parts, key: str, owner: str) -> None:
    with parts.db.transaction() as session:
        session.get_one(Post, key).owner = owner


def _still_ours(parts: Parts, key: str, owner: str) -> None:
    """The last look before sending: a process that was frozen since its claim finds that another took over."""
    with parts.db.transaction() as session:
        post = session.get_one(Post, key)
    if post.owner != owner or post.ts:
        raise ChatBusy("Another worker took this message over.", retry_after_s=0)


def _put_off(parts: Parts, key: str, owner: str) -> None:
    """Nothing was posted for certain, so the next attempt need not look; it keeps its place before later ones."""
    with parts.db.transaction() as session:
        ours = (col(Post.key) == key, col(Post.owner) == owner, col(Post.ts) == "")
        session.execute(update(Post).where(*ours).values(owner=WAITING))


def _prove(parts: Parts, key: str, ref: MessageRef) -> MessageRef:
    with parts.db.transaction() as session:
        session.get_one(Post, key).ts = ref.ts
    passing(Point.POST_PROVED)
    return ref
