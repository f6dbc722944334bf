"""What people are shown, as plain values; `bot.slack.cards` turns each into blocks."""

from dataclasses import dataclass, field
from datetime import datetime

from bot.domain.overview import HistoryView, RoutinesView, RoutineView
from bot.domain.words import Cause, Verb


@dataclass(frozen=True)
class Button:
    """One press: `press_id` is random, stored, and bound to card, digest and state."""

    verb: Verb
    press_id: str


@dataclass(frozen=True)
class Table:
    """Cells are text already; the first row of a data table is `columns`."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Chart:
    """kind is bar or line; every series has one value per label."""

    title: str
    kind: str
    labels: tuple[str, ...]
    series: tuple[tuple[str, tuple[float, ...]], ...]
    picture: str = ""  # the name of the attached picture that shows it, where Slack cannot


@dataclass(frozen=True)
class NoteView:
    """A plain sentence or two of ours."""

    text: str
    buttons: tuple[Button, ...] = ()
    people: tuple[str, ...] = ()  # user ids that are shown as people where the text names them as <@U…>


@dataclass(frozen=True)
class WordsView:
    """What a model wrote, for the thread: shown as text under a label that says so."""

    text: str


@dataclass(frozen=True)
class Step:
    """status is pending, in_progress, complete or error."""

    text: str
    status: str
    detail: str = ""


@dataclass(frozen=True)
class StepsView:
    """What is being done, while it is done; `is_over` once it is. It streams for one person, where one is named."""

    title: str
    steps: tuple[Step, ...]
    for_user_id: str = ""
    is_over: bool = False


@dataclass(frozen=True)
class Choice:
    label: str
    value: str


@dataclass(frozen=True)
class QuestionField:
    """One thing to fill in; without choices it is free text."""

    name: str
    label: str
    hint: str = ""
    choices: tuple[Choice, ...] = ()
    initial: str = ""


@dataclass(frozen=True)
class QuestionView:
    """Something that has to be known before a plan can be proposed."""

    text: str
    fields: tuple[QuestionField, ...]
    button: Button | None
    answered_by: str = ""


@dataclass(frozen=True)
class ReportView:
    """A report, or the preview of one. `foot` says slot, version, digest and who approved."""

    title: str
    markdown: str
    tables: tuple[Table, ...] = ()
    charts: tuple[Chart, ...] = ()
    foot: str = ""


@dataclass(frozen=True)
class CheckLine:
    name: str
    says: str


@dataclass(frozen=True)
class Kept:
    """An intermediate that never entered the conversation, as measured in rehearsal."""

    name: str
    count: int
    unit: str


@dataclass(frozen=True)
class BasisView:
    """What an answer given once rests on: its rung, its script, what stayed in the box and what was looked at."""

    title: str
    rung: str
    why: str
    script: str  # the name of the file in the thread that holds it
    read: str  # what the computer read, and for how long
    kept: tuple[Kept, ...]
    looked_at: str  # what left the box
    notes: tuple[str, ...] = ()
    buttons: tuple[Button, ...] = ()


@dataclass(frozen=True)
class HearingView:
    """What the hearing test found. `deaf` and `broke` are clauses that read after "if"."""

    fit: int
    well: int  # heard, or rightly left alone, with Standby's own guard
    alone: int  # by the script without it
    deaf: tuple[str, ...] = ()
    broke: tuple[str, ...] = ()
    never_fired: tuple[str, ...] = ()  # names of declared checks
    not_tried: int = 0
    problem: str = ""


@dataclass(frozen=True)
class Change:
    """What a new version changes: the diff, and checks that are gone, changed or new."""

    from_version: int
    diff: str
    checks_removed: tuple[str, ...] = ()
    checks_added: tuple[str, ...] = ()
    replay: tuple[str, ...] = ()
    is_script_same: bool = False
    are_slots_same: bool = False  # its times, and what becomes of a slot that is late, without files, on a holiday
    are_checks_same: bool = False
    is_surprise_same: bool = False
    checks_loosened: tuple[str, ...] = ()  # those that both versions have, with what makes each hear less
    counted_otherwise: tuple[str, ...] = ()  # those that read as before and count something computed otherwise


@dataclass(frozen=True)
class DecisionWords:
    """How a card ended: verb in words, who (a user id), when (in the card's zone), and the reason given."""

    words: str
    by: str
    at: datetime
    reason: str = ""


@dataclass(frozen=True)
class ApprovalView:
    """The card. Everything except `answer` and `why` is computed from the bytes of the plan."""

    routine: str
    title: str
    version: int
    digest: str
    rung: str
    why: str
    request: str
    asked_by: str
    author: str
    reads: str
    sends: tuple[str, ...]
    schedule: str
    next_times: tuple[str, ...]
    checks: tuple[CheckLine, ...]
    imports: tuple[str, ...]
    unclear: tuple[str, ...]
    kept: tuple[Kept, ...]
    sample_words: str
    bill: str  # what was paid so far, beside the least that a loop would cost
    surprise: str
    first_message: str
    preview: ReportView
    script: str
    parameters: str
    sends_said: tuple[str, ...] = ()  # the same with channels by name, for where only plain text stands
    slot_terms: tuple[str, ...] = ()  # what happens to a slot that is late, without files, on a holiday
    letters: tuple[str, ...] = ()  # signs outside ASCII in the script's texts, by name
    shaped_by: tuple[str, ...] = ()  # user ids of those whose replies shaped it
    not_read: str = ""  # the sentence about what of the request this plan makes nothing of
    notes: tuple[str, ...] = ()
    hearing: HearingView | None = None
    change: Change | None = None
    answer: str = ""
    buttons: tuple[Button, ...] = ()
    decision: DecisionWords | None = None


@dataclass(frozen=True)
class SurpriseView:
    """A halted or failed slot, told in the routine's thread."""

    cause: Cause
    routine: str
    title: str
    slot: str
    name: str
    message: str
    seen: str = ""
    expected: str = ""
    rows: tuple[str, ...] = ()
    foot: str = ""
    times: int = 1
    next_step: str = ""
    buttons: tuple[Button, ...] = field(default=())
    people: tuple[str, ...] = ()  # whom the message names, where it is a sentence of ours


View = (
    NoteView
    | WordsView
    | BasisView
    | StepsView
    | QuestionView
    | ReportView
    | ApprovalView
    | SurpriseView
    | RoutineView
    | RoutinesView
    | HistoryView
)
