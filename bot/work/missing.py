"""What a request lacks before any work is done on it, each in a sentence that says what to do."""

from bot.domain.attached import unreadable
from bot.domain.errors import RequestProblem
from bot.domain.help_words import asks_for_help
from bot.domain.ports import DIRECT
from bot.domain.request import MEANT_WORDS
from bot.domain.rhythm import Rhythm
from bot.store.tables_talk import SharedFile, Task
from bot.work.parts import JobParts
from bot.work.staging import earlier_files, from_members

INTRODUCTION = (
    "Hello. I make reports that come back, and answer questions about files: mention me with what you want and attach "
    "the data. What you want once I answer at once. "
    "For example: every Monday compile last week's instrument logs into an error summary and email it to the lab list. "
    "I look at a sample, propose a script, and run it on schedule once a teammate approves."
)
HELP = (
    f"{INTRODUCTION} In the thread of a report you can say another time (“at 08:30”), who gets it, what holds for "
    "holidays or late files, “skip NAME this week”, “why 9?”, and with a mention of me: pause, resume, run now, "
    "backfill, next, retire. /standby help lists what can be typed."
)
NO_WORDS = "What should I make of these files, and when? Say it here, for example: every Monday count the errors."
NO_FILES = "I need the data to look at. Attach one week's files to a message in this thread, and I go on from there."
ASK_IN_A_CHANNEL = (
    "A teammate has to approve what I run, and nobody but you reads this direct message. Ask me the same in a channel "
    "with your teammates, with the files; where I am missing, /invite me first."
)


def require_words(text: str, files: list[SharedFile]) -> None:
    """Raise RequestProblem where too little is said to mean anything."""
    if asks_for_help(text):
        raise RequestProblem(HELP)
    if len(text.split()) < MEANT_WORDS:
        raise RequestProblem(NO_WORDS if files else INTRODUCTION)


def require_teammates(parts: JobParts, task: Task, rhythm: Rhythm) -> None:
    """Raise RequestProblem where somebody would have to approve, and nobody else is there."""
    if rhythm is Rhythm.COMES_BACK and task.channel_id.startswith(DIRECT) and not parts.settings.solo:
        raise RequestProblem(ASK_IN_A_CHANNEL)


def required_files(parts: JobParts, task: Task, files: list[SharedFile], rhythm: Rhythm) -> list[SharedFile]:
    """The files of the thread, those from before we came too. Raises RequestProblem where none or no data is there."""
    require_teammates(parts, task, rhythm)
    files, _ = from_members(parts, files or earlier_files(parts, task))
    if not files:
        raise RequestProblem(NO_FILES)
    if why_not := unreadable((file.name, file.mimetype) for file in files):
        raise RequestProblem(why_not)
    return files
