"""What the model is told: the request with what is known around it, and later what halted. Bounded, clean, fenced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.agent.cleaning import bounded, clean, fenced
from bot.domain.counts import counted
from bot.work.compose import Terms, recipients
from sandbox.drifts import DRIFTS
from sandbox.hearing.fit import fits
from sandbox.outcome import Surprised
from sandbox.sample import Sample

REQUEST_BYTES, SURPRISE_BYTES, PLAN_BYTES = 6_000, 2_048, 40_000
ONCE = (
    "Asked once, so nothing is scheduled. Look at one file or two, then compute the answer with run_code over all of "
    "them: declare each table of it with the kit's table(title, columns, rows), and what the script held with "
    "intermediate(name, count, unit). The tables of your last good run are posted as they are, with your last words "
    "beside them; keep those to a sentence or two and repeat no table. Halt rather than guess: where the data is not "
    "what the question takes it for, say so."
)
PLAN_FIRST = (
    "They want to see a plan first: answer with five numbered lines of what you would do, and end your turn. When "
    "somebody agrees or changes a line, carry it out line by line: begin each with think, “Line 2: ” and what you do. "
    "When somebody changes the plan meanwhile, first give think all its lines as they are now, numbered, and go on "
    "from there."
)
VERDICTS = ("The world changed", "The script is wrong", "The data is wrong")
ASK_FOR_VERDICT = (
    "Begin your last message with one of the three verdicts: “The world changed:”, “The script is wrong:” (both after "
    "schedule took a complete new version), or “The data is wrong:” (no new version). Say it again so."
)


def request_words(
    request: str,
    terms: Terms,
    samples: Sequence[Sample],
    now: datetime,
    draft: Mapping[str, bytes],
    problem: str = "",
    *,
    is_plan_first: bool = False,
) -> str:
    """The first message of a draft: everything that changes from task to task stands here and not in the prompt."""
    when = f"{terms.when} {terms.zone}" if terms.when else f"not said for certain; the zone is {terms.zone}"
    today = f"Today is {now.astimezone(ZoneInfo(terms.zone)):%A %d %B %Y}."
    settled = f"{today} Settled by Standby: schedule {when}; the report goes to {recipients(terms.destinations)}."
    if terms.is_once:
        settled = f"{today} {ONCE}"
    if is_plan_first:
        settled += f" {PLAN_FIRST}"
    lines = [
        "Somebody in the thread asks:",
        bounded(clean(request), REQUEST_BYTES, "the request goes on"),
        "",
        settled,
        "None of the proven scripts fits, or it did not satisfy. Attached:" if samples else "Nothing is attached.",
        fenced("inputs", listing(samples)),
        f"Drifts that fit these files: {', '.join(fitting(samples)) or 'none'}.",
    ]
    if problem:
        failed = fenced("rehearsal", bounded(clean(problem), SURPRISE_BYTES, "it goes on"))
        lines += ["The proven script below was tried and cannot be proposed as it is:", failed]
    return "\n".join(lines) + _plan_words(draft)


def moved_words(rung: str, terms: Terms, *, is_plan_first: bool) -> str:
    """What is said when somebody moves the task to another rung."""
    now = f"{ONCE} {PLAN_FIRST}" if is_plan_first else ONCE
    if not terms.is_once:
        when = terms.when or "as they said"
        now = f"Write the plan and call schedule. Settled by Standby: schedule {when} {terms.zone}."
    return f"Somebody in the thread wants this done in another way: {rung}. {now}"


def keep_words(terms: Terms) -> str:
    """What is said when an answer becomes a routine: its script is the draft to begin with."""
    when = f"{terms.when} {terms.zone}" if terms.when else f"as they said above; the zone is {terms.zone}"
    return (
        "Somebody in the thread keeps this as a routine, so it comes back: make a plan as code of it. The script that "
        "gave the answer is your draft's plan.py. Write it whole with its checks and report(...), then report.md and "
        "plan.toml, try it with `run plan.py`, and call schedule. Settled by Standby: "
        f"schedule {when}; the report goes to {recipients(terms.destinations)}. The same shape of data comes each time."
    )


def surprise_words(
    *,
    routine: str,
    version: str,
    slot: str,
    cause: str,
    name: str,
    body: Mapping[str, object],
    before: str,
    samples: Sequence[Sample] = (),
    draft: Mapping[str, bytes] | None = None,
) -> str:
    """The one message by which a halted run comes back. `body` is message, seen, expected, file and rows."""
    rows = body.get("rows")
    shown = [str(row) for row in rows[:3]] if isinstance(rows, Sequence) and not isinstance(rows, str) else []
    said = [f"{key}: {body[key]}" for key in ("message", "seen", "expected", "file") if body.get(key)]
    happened = (
        f"The run of {routine} ({version}) for {slot} ended with a {cause}: {name}. It halted before the report; "
        f"nothing was delivered. {before}"
    )
    lines = [
        happened,
        fenced(name, bounded(clean("\n".join([*said, *shown])), SURPRISE_BYTES, "more is in the files")),
    ]
    if samples:
        lines += [f"In inputs, of that run: {counted(len(samples), 'file')}. Those it is about may be sampled."]
        lines += [f"Drifts that fit these files: {', '.join(fitting(samples)) or 'none'}."]
    lines += ["Answer with one of the three verdicts."]
    return "\n".join(lines) + _plan_words(draft or {})


def resume_md(routine: str, seen: Surprised) -> bytes:
    """resume.md of a drafted plan: the very words by which its likeliest surprise would wake the conversation."""
    body = {"message": seen.message, "seen": seen.seen, "expected": seen.expected, "file": seen.file, "rows": seen.rows}
    words = surprise_words(
        routine=routine, version="this version", slot="a coming slot", cause="surprise", name=seen.name, body=body,
        before="Rendered in rehearsal, from the likeliest surprise.",
    )  # fmt: skip
    return words.encode() + b"\n"


def listing(samples: Sequence[Sample]) -> str:
    """Names, sizes and kinds, at most as many as a reader takes in."""
    lines = [f"inputs/{one.facts.name}  {one.facts.size_bytes:,} bytes  {one.facts.kind}" for one in samples[:100]]
    if len(samples) > 100:
        lines.append(f"… {len(samples) - 100} more")
    return bounded(clean("\n".join(lines)), 4_096, "list_files shows them")


def fitting(samples: Sequence[Sample]) -> list[str]:
    """Ids of the drifts that change one of these files; a likeliest surprise befalls a file, not the set of them."""
    found = (drift for drift in DRIFTS.values() if drift.change is not None)
    return sorted(drift.id for drift in found if any(fits(drift, one.facts, len(samples)) for one in samples))


def verdict_in(words: str) -> str:
    """The verdict that a last message begins with; empty where it begins otherwise."""
    start = words.lstrip(" *_#>\"'“").lower()
    return next((one for one in VERDICTS if start.startswith(one.lower())), "")


def _plan_words(draft: Mapping[str, bytes]) -> str:
    """The files of a version that another hand wrote; a draft of one's own needs no telling."""
    if not draft:
        return ""
    files = "\n\n".join(f"--- {name}\n{body.decode()}" for name, body in sorted(draft.items()))
    shown = bounded(clean(files), PLAN_BYTES, "read_file shows the rest")
    return f"\nThe version that exists, as your draft:\n{fenced('draft', shown)}"
