"""Where a routine's data comes from, as plan.toml says it; what an address may be is decided here alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from urllib.parse import parse_qsl, unquote, urlsplit

from library.manifest import ChannelSource, FilesSource, QuerySource, Source
from library.manifest_keys import Keys
from library.toml_text import TomlValue

SCHEMES = ("https", "http", "s3", "gs", "sftp")
LONGEST = 500
MOST_ADDRESSES = 100
LONGEST_QUERY = 20_000
# Of strftime only numbers: names of days and months depend on a machine's language.
PLACEHOLDER = re.compile(r"\{(slot|since|until)(?::((?:%[YymdHMGVj]|[A-Za-z0-9_.-])+))?\}")
WILD = re.compile(r"[*?]")

_CONNECTION = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_PARQUET = re.compile(r"[a-z0-9][a-z0-9_-]{0,80}\.parquet")
_HOST = re.compile(r"[A-Za-z0-9.-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?")
_BUCKET = re.compile(r"[a-z0-9][a-z0-9._-]{1,221}")
_SECRET_WORDS = re.compile(r"(?i)signature|credential|token|secret|passw|api[-_]?key|^sig$|^key$|^auth")
_UNSEEN = re.compile(r"[<>\x00-\x20\x7f-\xa0\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3000\ufeff]")


def read_source(keys: Keys) -> Source:
    """Raises ManifestError, naming the key."""
    kind = keys.text("kind")
    if kind == "channel":
        return keys.closing(ChannelSource(keys.text("channel")))
    if kind == "files":
        return keys.closing(FilesSource(_addresses(keys), *_newness(keys)))
    if kind == "query":
        return keys.closing(_query(keys))
    raise keys.wrong("kind", kind, '"channel", "files" or "query"')


def source_table(source: Source) -> Mapping[str, TomlValue]:
    """What `read_source` reads."""
    if isinstance(source, ChannelSource):
        return {"kind": "channel", "channel": source.channel}
    if isinstance(source, FilesSource):
        after = {"after": source.after} if source.after else {}
        new = {"take": "new", **after} if source.only_new else {}
        return {"kind": "files", "files": list(source.files), **new}
    return {"kind": "query", "connection": source.connection, "query": source.query, "file": source.file}


def address_problem(address: str) -> str:
    """What an address of files should be instead; empty where it may stand in a plan."""
    bare = PLACEHOLDER.sub("x", address)
    if len(address) > LONGEST or _UNSEEN.search(address.replace(" ", "")) or address != address.strip():
        return f"at most {LONGEST} characters, all of them visible, without < and >"
    if "{" in bare or "}" in bare:
        return "without braces but for {slot}, {since} and {until}, such as {slot:%G-W%V} or {since:%Y-%m-%d}"
    if "\\" in bare or any(step in (".", "..") for step in bare.split("/")):
        return "an address without backslashes and without steps such as .."
    if "**" in bare:
        return "without **; name each folder on the way, or put * for one of them"
    return _path_problem(bare) if bare.startswith("/") else _url_problem(address, bare)


def query_problem(query: str) -> str:
    """What a query should be instead; empty where it may stand in a plan."""
    bare = PLACEHOLDER.sub("", query)
    if len(query) > LONGEST_QUERY or "\x00" in query:
        return f"one SELECT of at most {LONGEST_QUERY} characters"
    if any(":" in found[0] for found in PLACEHOLDER.finditer(query)) or re.search(r"\{(slot|since|until)\b", bare):
        return "a SELECT in which {slot}, {since} and {until} stand without a format"
    return ""


def _path_problem(path: str) -> str:
    return "the files in a folder, such as /srv/lab/*.log" if path.endswith("/") else ""


def _url_problem(address: str, bare: str) -> str:
    try:
        parts = urlsplit(bare)
        _ = parts.port  # raises where it is none
    except ValueError:
        return "an address such as https://example.org/report.csv"
    if parts.scheme not in SCHEMES or not address.startswith(f"{parts.scheme}://"):
        return f"an address that begins with {', '.join(f'{one}://' for one in SCHEMES)}, or a path such as /srv/lab"
    if "@" in parts.netloc:
        return "without a user or password: those belong into STANDBY_SOURCES, where nobody reads them"
    host, path = address.split("://", 1)[1].partition("/")[::2]
    if PLACEHOLDER.search(host) or not (_BUCKET if parts.scheme in ("s3", "gs") else _HOST).fullmatch(host):
        return "an address whose host or bucket is spelled out in plain letters"
    if parts.scheme in ("http", "https"):
        return _web_problem(bare)
    return "" if path and not path.endswith("/") else "files, such as s3://bucket/week/*.csv"


def _web_problem(bare: str) -> str:
    parts = urlsplit(bare)
    steps = unquote(parts.path).split("/")
    if "\\" in unquote(parts.path) or any(step in (".", "..") for step in steps):
        return "an address without steps such as .., written as %2e or not"
    if "#" in bare:
        return "without a # part"
    if " " in bare:
        return "without spaces; write %20"
    if WILD.search(parts.path):
        return "one file: a web server cannot be asked for all that match *. Name each"
    if any(_SECRET_WORDS.search(name) for name, _ in parse_qsl(parts.query, keep_blank_values=True)):
        return "without a key in it: keys belong into STANDBY_SOURCES, where nobody reads them"
    return ""


def _addresses(keys: Keys) -> tuple[str, ...]:
    addresses = keys.texts("files")
    for address in addresses:
        if wanted := address_problem(address):
            raise keys.wrong("files", address, wanted)
    if len(set(addresses)) < len(addresses) or len(addresses) > MOST_ADDRESSES:
        raise keys.wrong("files", list(addresses)[:3], f"at most {MOST_ADDRESSES} addresses, each once")
    return addresses


def _newness(keys: Keys) -> tuple[bool, str]:
    take = keys.text("take") if "take" in keys.left else "all"
    if take not in ("all", "new"):
        raise keys.wrong("take", take, '"all", or "new" for what no report before had')
    after = keys.text("after") if take == "new" and "after" in keys.left else ""
    try:
        is_moment = not after or datetime.fromisoformat(after).tzinfo is not None
    except ValueError:
        is_moment = False
    if not is_moment:
        raise keys.wrong("after", after, 'a moment with its zone, such as "2026-09-07T05:00:00+00:00"')
    return take == "new", after


def _query(keys: Keys) -> QuerySource:
    connection = keys.matching("connection", _CONNECTION, "the name of a source in STANDBY_SOURCES")
    query = keys.text("query")
    if wanted := query_problem(query):
        raise keys.wrong("query", query[:80], wanted)
    file = keys.matching("file", _PARQUET, 'a name such as "rows.parquet"')
    return QuerySource(connection, query, file)
