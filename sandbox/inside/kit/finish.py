"""The end of a run: everything declared, as one document, or a reason why there is no report."""

from __future__ import annotations

from typing import Any

from .render import render
from .state import State, current
from .surprise import Surprise

TEXT_LIMIT = 100_000


def report_document() -> dict[str, Any]:
    """The report as outcome.json has it, without attachments' sizes and the time taken, which the runner measures."""
    state = current()
    _refuse_unread(state)
    if state.declared.values is None:
        raise RuntimeError("The script ended without calling report(...), so there is nothing to deliver.")
    markdown = render(state.template, state.declared.values)
    if len(markdown) > TEXT_LIMIT:
        raise ValueError(f"The report's text has {len(markdown):,} characters; at most {TEXT_LIMIT:,}. Use a table.")
    declared = {name: value for name, value in vars(state.declared).items() if name != "values"}
    return {"kind": "report", "markdown": markdown, **declared, "checks": _checks(state)}


def surprise_document(surprise: Surprise) -> dict[str, Any]:
    state = current()
    evidence = {key: getattr(surprise, key) for key in ("name", "message", "seen", "expected", "file", "rows")}
    so_far = {"intermediates": state.declared.intermediates, "checks": _checks(state)}
    return {"kind": "surprise", **evidence, **so_far}


def _checks(state: State) -> list[dict[str, Any]]:
    return [{"name": name, "times": times} for name, times in state.checks.items()]


def _refuse_unread(state: State) -> None:
    """The net below every script: what a reader could not explain was looked at by a check, or the run halts."""
    for log in state.opened_logs:
        if not log.is_finished:
            raise RuntimeError(f"{log.name} was opened and not read to its end, so its counts are not complete.")
        if (log.unexplained_lines or log.unknown_levels) and log.name not in state.checked_files:
            raise Surprise(
                "UnexplainedLines",
                f"lines of {log.name} that were not understood: {log.unexplained_lines + log.unknown_levels.total():,}",
                seen=log.evidence_text,
                expected=log.reader.expectation,
                file=log.name,
                rows=log.evidence,
            )
