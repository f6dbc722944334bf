"""Cards: a view in, a message out. Pure, one file per card."""

from collections.abc import Callable
from typing import Any

from bot.domain.overview import HistoryView, RoutinesView, RoutineView
from bot.domain.views import (
    ApprovalView,
    BasisView,
    NoteView,
    QuestionView,
    ReportView,
    StepsView,
    SurpriseView,
    View,
    WordsView,
)
from bot.slack.cards import approval, basis, note, question, report, routine, routines, steps, surprise, words
from bot.slack.cards.blocks import Rendered

_CARDS: dict[type[Any], Callable[[Any], Rendered]] = {
    ApprovalView: approval.render,
    BasisView: basis.render,
    NoteView: note.render,
    QuestionView: question.render,
    ReportView: report.render,
    StepsView: steps.render,
    SurpriseView: surprise.render,
    WordsView: words.render,
    RoutineView: routine.render,
    RoutinesView: routines.render,
    HistoryView: routines.render_history,
}


def render(view: View) -> Rendered:
    """The message that shows this view."""
    return _CARDS[type(view)](view)


__all__ = ["Rendered", "render"]
