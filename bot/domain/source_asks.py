"""Where a request says that its data is: addresses, and questions to databases, in the words as Slack sends them."""

import html
import re
from dataclasses import dataclass, replace

_SCHEME = r"(?:https?|s3|gs|sftp)://"
_FENCED = re.compile(r"```(.*?)```|`([^`\n]+)`", re.DOTALL)
_MARKED = re.compile(rf"<({_SCHEME}[^|<>]+)(\|[^<>]*)?>")
_BARE = re.compile(rf"(?<![\w/]){_SCHEME}[^\s<>|\"“”`]+")
# A path of a folder's files: at least two steps, and the last names a file or a pattern.
_PATH = re.compile(r"(?<![\w/.:~])/[^\s/<>|\"“”`]+(?:/[^\s/<>|\"“”`]+)*/[^\s/<>|\"“”`]*[.*?][^\s/<>|\"“”`]*")
_QUERY = re.compile(r"\s*(?:select|with)\b", re.IGNORECASE)
_ADDRESS = re.compile(rf"\s*({_SCHEME}\S.*|/[^\n]*[^/\n\s])\s*")
_AFTER = ".,;:!?)]}'’"
_FILES = r"(?:files?|logs?|tables?|ones|data|objects?|exports?)"
_ONLY_NEW = re.compile(
    rf"\b(?:only|just)\s+(?:take\s+|read\s+|use\s+)?(?:the\s+)?new\s+{_FILES}\b|\bnew\s+{_FILES}\s+only\b"
    rf"|\b(?:only|just)\s+(?:the\s+|those\s+)?(?:{_FILES}\s+)?(?:that|which|what)\s+(?:are|is)\s+new\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class SourceAsks:
    """What may be meant as a source. Which of it is, settings decide."""

    addresses: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    only_new: bool = False  # whether files of an earlier report are to be left out

    @property
    def takes_new(self) -> bool:
        """Whether that can be done: files are known again, rows of a query's answer are not."""
        return self.only_new and not self.queries

    def over(self, earlier: "SourceAsks") -> "SourceAsks":
        """What was said before, with this said later."""
        where = self if self.addresses or self.queries else earlier
        return replace(where, only_new=self.only_new or earlier.only_new)

    def __bool__(self) -> bool:
        return bool(self.addresses or self.queries or self.only_new)


NONE_ASKED = SourceAsks()


def asked_sources(text: str) -> tuple[SourceAsks, str]:
    """The sources that a message names, each once, and the message without them.

    Links that have a name of their own stay in the message under that name.
    """
    found: list[str] = []
    queries: list[str] = []

    def fenced(span: re.Match[str]) -> str:
        inner = html.unescape(_MARKED.sub(r"\1", span[1] or span[2] or "")).strip()
        if _QUERY.match(inner):
            queries.append(inner.rstrip("; \n"))
            return " "
        if _ADDRESS.fullmatch(inner):
            found.append(inner)
            return " "
        return span[0]

    def marked(link: re.Match[str]) -> str:
        found.append(html.unescape(link[1]))
        label = (link[2] or "|")[1:]
        return link[0] if label and "://" not in label else " "

    def bare(word: re.Match[str]) -> str:
        address = _trimmed(word[0])
        found.append(html.unescape(address))
        return " " + word[0][len(address) :]

    rest = _MARKED.sub(marked, _FENCED.sub(fenced, text))
    kept = _MARKED.split(rest)  # a link that stays is not looked into once more
    if len(kept) == 1:
        rest = _PATH.sub(bare, _BARE.sub(bare, rest))
    is_new = _ONLY_NEW.search(" ".join(rest.split())) is not None
    return SourceAsks(tuple(dict.fromkeys(found)), tuple(dict.fromkeys(queries)), is_new), rest


def _trimmed(address: str) -> str:
    """Without the sentence's own marks behind it; a brace that the address opened stays."""
    while address and address[-1] in _AFTER and not (address[-1] == "}" and address.count("{") == address.count("}")):
        address = address[:-1]
    return address
