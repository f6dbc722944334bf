"""The source that a request names, if settings allow it; or the sentence on what is missing."""

import re

from bot.domain.errors import RequestProblem
from bot.domain.request import Wish
from bot.settings import Settings
from bot.sources.opening import is_web, require_allowed, source_of
from bot.sources.query import require_connection
from library.manifest import FilesSource, QuerySource
from library.manifest_source import address_problem, query_problem

OR_ATTACH = "Or attach the files to a message in this thread."


def asked_source(settings: Settings, wish: Wish, *, has_files: bool) -> FilesSource | QuerySource | None:
    """None where the data is what people attach. A link may be about anything: without files, it is about the data.

    Raises RequestProblem, and SourceNotAllowed with what an admin would add.
    """
    if wish.sources.queries and not (has_files and not _databases(settings)):
        return _query(settings, wish)
    meant = [one for one in wish.sources.addresses if source_of(settings, one) is not None]
    if not meant and not has_files:
        meant = list(wish.sources.addresses)
    if not meant:
        return None
    for address in meant:
        if wanted := address_problem(address):
            raise RequestProblem(f"I cannot take data from {_shown(address)}: it should be {wanted}. {OR_ATTACH}")
        require_allowed(settings, address)
    return FilesSource(tuple(meant), only_new=wish.sources.only_new)


def _query(settings: Settings, wish: Wish) -> QuerySource:
    if len(wish.sources.queries) > 1:
        raise RequestProblem("There are several queries, and I can read the rows of one. Write here which it is.")
    query = wish.sources.queries[0]
    if wanted := query_problem(query):
        raise RequestProblem(f"I cannot ask that query: it should be {wanted}.")
    names = _databases(settings)
    said = [name for name in names if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", wish.text)]
    if len(names) > 1 and len(said) != 1:
        raise RequestProblem(f"Which database is that query for: {', '.join(names)}? Write its name here.")
    connection = (said or names or ["books"])[0]
    require_connection(settings, connection)
    return QuerySource(connection, query, f"{connection}.parquet")


def _databases(settings: Settings) -> list[str]:
    return [name for name, one in settings.sources.items() if one.scheme == "postgresql"]


def _shown(address: str) -> str:
    """Without what may be a login or a key: nobody should repeat one."""
    shown = re.sub(r"//[^/@]*@", "//…@", address[:200])
    return shown.partition("?")[0] if is_web(shown) else shown
