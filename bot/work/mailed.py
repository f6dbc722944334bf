"""What became of a mail: whom the server refused, and whether it went without its files."""

from bot.domain.errors import ChatError, MailTooLarge
from bot.domain.ports import Handed, Letter, Mail, Place
from bot.domain.redact import redacted
from bot.log import log
from bot.store.tables_runs import Delivery
from bot.work.jobs import say
from bot.work.letters import without_files
from bot.work.outbox import attach_once
from bot.work.parts import JobParts


def hand_over(mail: Mail, letter: Letter) -> tuple[Handed, Letter]:
    """What the server said, and the letter that it took: one that is too large for it goes without its files.

    That one was refused for certain, so it is no second sending. Raises MailError.
    """
    try:
        return mail.send(letter), letter
    except MailTooLarge:
        if not letter.attachments:
            raise
        smaller = without_files(letter)
        return mail.send(smaller), smaller


def note_each(parts: JobParts, delivery_id: int, name: str, letter: Letter, handed: Handed, home: Place) -> None:
    """What became of it for each recipient; who was refused is said in the thread, for nobody else would tell."""
    each = {address: handed.refused.get(address, "sent") for address in letter.to}
    with parts.db.transaction() as session:
        row = session.get_one(Delivery, delivery_id)
        row.recipients = each
        if handed.refused:
            who = "; ".join(f"{address} ({redacted(why)})" for address, why in handed.refused.items())
            count = f"{len(each) - len(handed.refused)} of {len(each)} addresses"
            text = f"The mail to {name} went to {count}. Refused: {who}. A rerun does not send it again."
            say(session, home, f"delivery:{row.key}:refused", text)


def bring_files(parts: JobParts, key: str, name: str, files: tuple[tuple[str, bytes], ...], home: Place) -> None:
    """Into the routine's thread, where whoever misses them looks. The mail is out, so nothing here changes its end."""
    where = "They are here"
    for file, data in files:
        try:
            attach_once(parts, home, file, data, f"delivery:{key}:{file}")
        except ChatError as error:
            log.warning("files_not_brought", delivery=key, file=file, why=str(error))
            where = f"They could not be posted here either ({error})"
    names = ", ".join(file for file, _ in files)
    with parts.db.transaction() as session:
        text = f"The mail to {name} went without its files ({names}): the mail server takes none so large. {where}."
        say(session, home, f"delivery:{key}:smaller", text)
