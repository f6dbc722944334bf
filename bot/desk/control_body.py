"""What a request to the control API says: its query, and its JSON or form with files."""

from __future__ import annotations

from starlette.requests import Request

from bot.desk.errors import BadRequest
from bot.desk.shapes import Json


async def read_body(request: Request) -> tuple[Json, tuple[tuple[str, bytes], ...]]:
    """All values by name, and the files by name. Raises BadRequest for JSON that is no object."""
    values: Json = dict(request.query_params)
    files: list[tuple[str, bytes]] = []
    content_type = request.headers.get("content-type", "")
    if "multipart/form-data" in content_type or "x-www-form-urlencoded" in content_type:
        async with request.form(max_files=200, max_part_size=16_777_216) as form:
            for name, value in form.multi_items():
                if isinstance(value, str):
                    values[name] = value
                else:
                    files.append((value.filename or name, await value.read()))
    elif request.method == "POST" and await request.body():
        body = await request.json()
        if not isinstance(body, dict):
            raise BadRequest("The body must be a JSON object.")
        values |= body
    return values, tuple(files)
