"""What is being done, while it is done: one plan block, rewritten in place."""

import slackblocks as sb

from bot.domain.views import Step, StepsView
from bot.slack.cards.blocks import Rendered, message, paragraph, sentence, text
from bot.slack.text import clip, fallback

MOST_STEPS = 20
MARKS = {"pending": "○", "in_progress": "…", "complete": "✓", "error": "✗"}


def render(view: StepsView) -> Rendered:
    """The newest steps; older ones are summed up in one line when there are many."""
    if not view.steps:
        return Rendered(text=fallback(view.title), blocks=message([sentence(f"{clip(view.title, 150)} …")]))
    shown = view.steps[-MOST_STEPS:]
    hidden = len(view.steps) - len(shown)
    tasks = [_task(number, step) for number, step in enumerate(shown, hidden + 1)]
    if hidden:
        tasks.insert(0, sb.TaskCardBlock("step-0", f"{hidden} earlier steps", status="complete"))
    plan = sb.PlanBlock(title=clip(view.title, 150) or "Working", tasks=tasks)
    return Rendered(text=fallback(_spoken(view)), blocks=message([plan]))


def _task(number: int, step: Step) -> sb.TaskCardBlock:
    details = paragraph(text(clip(step.detail, 200))) if step.detail else None
    status = step.status if step.status in MARKS else "in_progress"
    return sb.TaskCardBlock(
        f"step-{number}",
        clip(step.text, 150) or "…",
        details=details,
        status=status,  # type: ignore[arg-type] # checked against MARKS just above
    )


def _spoken(view: StepsView) -> str:
    done = [f"{MARKS.get(step.status, '…')} {clip(step.text, 150)}" for step in view.steps[-MOST_STEPS:]]
    return "\n".join([clip(view.title, 150), *done])
