"""A question in the thread, and the form that its button opens."""

import slackblocks as sb

from bot.domain.counts import counted
from bot.domain.views import Button, QuestionField, QuestionView
from bot.domain.words import Verb
from bot.slack import ids
from bot.slack.cards.blocks import (
    NOTHING,
    Json,
    Rendered,
    message,
    modal,
    note,
    paragraph,
    sentence,
    text,
    titled_bullets,
    user,
)
from bot.slack.cards.buttons import actions
from bot.slack.text import clip, fallback

MOST_FIELDS = 20
MOST_CHOICES = 100


def render(view: QuestionView) -> Rendered:
    blocks: list[sb.Block] = [sentence(view.text, 1_500)]
    if view.fields:
        title = "Asked" if view.answered_by else "To fill in"
        blocks.append(titled_bullets(title, [_line(f) for f in view.fields[:MOST_FIELDS]]))
    if view.answered_by:
        blocks.append(paragraph(text("Answered by "), user(view.answered_by)))
    elif view.button:
        blocks += actions([view.button])
    return Rendered(text=fallback(view.text), blocks=message(blocks))


def _line(field: QuestionField) -> list[sb.RichTextElement]:
    hint = [text(f" – {clip(field.hint, 120)}")] if field.hint else []
    return [text(clip(field.label, 100)), *hint]


def form(view: QuestionView, metadata: str) -> Json:
    """The modal: one input a field, by the field's name."""
    blocks: list[sb.Block] = [sentence(view.text, 1_500)]
    blocks += [_input(field) for field in view.fields[:MOST_FIELDS]]
    return modal(
        "A question", blocks, callback_id=ids.QUESTION_FORM, metadata=metadata, submit="Answer", close="Cancel"
    )


def _input(field: QuestionField) -> sb.InputBlock:
    return sb.InputBlock(
        label=sb.PlainText(clip(field.label, 200) or NOTHING),
        element=_menu(field) if field.choices else _line_input(field),
        block_id=field.name,
        hint=sb.PlainText(clip(field.hint, 300)) if field.hint else None,
    )


def _line_input(field: QuestionField) -> sb.PlainTextInput:
    return sb.PlainTextInput(
        action_id=ids.FIELD, initial_value=clip(field.initial, 3_000) or None, max_length=3_000, min_length=1
    )


def _menu(field: QuestionField) -> sb.StaticSelectMenu:
    options = [
        sb.Option(sb.PlainText(clip(choice.label, 75) or NOTHING), choice.value)
        for choice in field.choices[:MOST_CHOICES]
    ]
    initial = next((o for o, c in zip(options, field.choices, strict=False) if c.value == field.initial), None)
    return sb.StaticSelectMenu(action_id=ids.FIELD, options=options, initial_option=initial)


def reason_form(title: str, label: str, metadata: str, submit: str) -> Json:
    """The modal that asks why; Slack refuses to send it empty."""
    why = sb.PlainTextInput(action_id=ids.FIELD, multiline=True, max_length=3_000, focus_on_load=True)
    blocks = [sb.InputBlock(label=sb.PlainText(label), element=why, block_id=ids.REASON_BLOCK)]
    return modal(title, blocks, callback_id=ids.REASON_FORM, metadata=metadata, submit=submit, close="Cancel")


def report_form(words: str, files: int, metadata: str) -> Json:
    """Asks what should come back of a message, and when; its own words stand there already."""
    what = sb.PlainTextInput(
        action_id=ids.FIELD, multiline=True, max_length=3_000, min_length=1, initial_value=clip(words, 2_900) or None
    )
    when = sb.PlainTextInput(action_id=ids.FIELD, max_length=200, placeholder=sb.PlainText("every Monday at 07:00"))
    count = counted(files, "file") if files else "No files"
    has = f"{count} in this message. Those of its whole thread count as the data."
    blocks = [
        sb.InputBlock(label=sb.PlainText("What should come back?"), element=what, block_id=ids.REASON_BLOCK),
        sb.InputBlock(
            label=sb.PlainText("When? (if the words above do not say it)"),
            element=when,
            block_id=ids.WHEN_BLOCK,
            optional=True,
        ),
        note(has),
    ]
    title = "Recurring report"
    return modal(title, blocks, callback_id=ids.REPORT_FORM, metadata=metadata, submit="Ask", close="Cancel")


def second_look(words: str, press_id: str, metadata: str) -> Json:
    """The modal that asks once more, with the button that counts."""
    blocks: list[sb.Block] = [sentence(words, 2_900), *actions([Button(Verb.APPROVE_WITHOUT, press_id)])]
    return modal("With weaker checks?", blocks, callback_id=ids.NOTICE, metadata=metadata)


def notice(title: str, words: str) -> Json:
    """A modal that only says something."""
    return modal(title, [sentence(words, 2_900)], callback_id=ids.NOTICE)
