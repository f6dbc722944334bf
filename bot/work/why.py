"""“Why 41?” answered from a report's own numbers: measured values, rows, sums, sentences. No model is asked."""

import re
from collections.abc import Iterator
from decimal import Decimal

from sqlmodel import Session

from bot.domain.counts import counted
from bot.domain.slots import schedule_of, slot_words
from bot.domain.why import is_shown_as, number_asked, value_of
from bot.store import plans, runs
from bot.store.plans import known
from bot.store.tables_plans import Plan, Routine
from bot.work.rehearsal import Rehearsal
from library.manifest import Manifest
from sandbox.outcome import Cell, Report, Table
from sandbox.outcome_keys import read_outcome_keys

MOST = 8
ADDENDS = 8


def asks_why(text: str) -> bool:
    """Whether a reply is a question about one number, and nothing else."""
    return value_of(number_asked(text)) is not None


def why(session: Session, routine: Routine, text: str) -> str:
    """Where the number of a question stands in the newest report, else in the preview that waits; empty if nowhere."""
    written = number_asked(text)
    value = value_of(written)
    if value is None:
        return ""
    for where, report, files in _reports(session, routine):
        if lines := list(found_in(report, value)):
            rest = [f"• and {len(lines) - MOST} more places"] if len(lines) > MOST else []
            return "\n".join([f"{written} in {where}:", *(f"• {line}" for line in lines[:MOST]), *rest, files]).strip()
    return ""


def numbers_of(session: Session, routine: Routine) -> str:
    """What the newest report measured, for somebody who asked for a number that it does not hold."""
    for where, report, _ in _reports(session, routine):
        said = ", ".join(f"{name} {_shown(count)}" for name, count in list(report.metrics.items())[:MOST])
        return f"That number stands nowhere in {where}." + (f" What it measured: {said}." if said else "")
    return "There is no report of this routine yet that could be looked at."


def found_in(report: Report, value: Decimal) -> Iterator[str]:
    """Every place that carries the number, the plainest explanation first."""
    for name, count in report.metrics.items():
        if is_shown_as(count, value):
            yield f"the script measured it as “{name}”"
    for one in report.intermediates:
        if is_shown_as(one.count, value):
            yield f"it is “{one.name}”: {_shown(one.count)} {one.unit}, counted inside the script"
    for table in report.tables:
        yield from _in_table(table, value)
    for line in report.markdown.splitlines():
        if any(value_of(word.strip("*_`.,;:()")) == value for word in line.split()):
            yield f"the report says: “{re.sub('[*`#]', '', line).strip(' -')[:200]}”"


def _in_table(table: Table, value: Decimal) -> Iterator[str]:
    title = f"“{table.title}”" if table.title else "the table"
    for number, name in enumerate(table.columns):
        cells = [(_label(row, number), row[number]) for row in table.rows if number < len(row)]
        yield from (f"{title}, row {label}: {name} is {_shown(cell)}" for label, cell in cells if _is(cell, value))
        counts = [(label, cell) for label, cell in cells if isinstance(cell, int | float)]
        if len(counts) > 1 and len(counts) == len(cells) and is_shown_as(sum(cell for _, cell in counts), value):
            yield f"{title}: {name} adds up to it: {_sum(counts)}"
    if len(table.rows) == value and value > 1:
        yield f"{title} has that many rows"


def _is(cell: Cell, value: Decimal) -> bool:
    if isinstance(cell, str):
        return value_of(cell.rstrip("% ")) == value
    return cell is not None and is_shown_as(cell, value)


def _label(row: tuple[Cell, ...], number: int) -> str:
    """What a row is about: its first words, or its first cell."""
    words = next((cell for n, cell in enumerate(row) if isinstance(cell, str) and n != number), None)
    return words or str(row[0])


def _sum(counts: list[tuple[str, int | float]]) -> str:
    shown = " + ".join(f"{_shown(cell)} ({label})" for label, cell in counts[:ADDENDS])
    return shown + (f" + {len(counts) - ADDENDS} more rows" if len(counts) > ADDENDS else "")


def _shown(cell: Cell) -> str:
    return f"{cell:,}" if isinstance(cell, int | float) else str(cell)


def _reports(session: Session, routine: Routine) -> Iterator[tuple[str, Report, str]]:
    """The newest report that was made, then the previews that wait; each with where it is and what it came from."""
    for slot in runs.latest_slots(session, known(routine.id), 10):
        run = runs.last_run(session, known(slot.id))
        made = read_outcome_keys(run.outcome) if run and run.outcome else None
        if run and isinstance(made, Report):
            plan = session.get_one(Plan, run.plan_id)
            when = slot_words(slot.due_at, schedule_of(_manifest(session, plan)))
            files = len(runs.inputs_of(session, known(run.id)))
            came = f"Version {plan.version} of the script made it from {counted(files, 'file')}."
            yield f"the report of {when}", made, came
            break
    for _, plan in plans.open_cards(session, known(routine.id)):
        made = Rehearsal.read(plan.rehearsal).report
        yield f"the preview of version {plan.version}", made, "The rehearsal made it from the attached files."


def _manifest(session: Session, plan: Plan) -> Manifest:
    return plans.manifest(session, known(plan.id))
