"""A team's own proven plans: when one is the same as another, when one is proven, and whether one fits a request."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.domain.counts import counted
from library.catalog import Script
from library.facts import FileFacts
from library.match import COLUMNS, ENOUGH_WORDS, FILES, WORDS, Match, Spoken
from library.toml_text import TomlValue

FEWEST_WORDS = 2  # that a request must share with a plan; one word is easily shared by chance
# Stems, as PostgreSQL writes them, that nearly every request has; they tell no plan from another.
_EVERYWHERE = """
everi week weekli day daili month monthli hour monday tuesday wednesday thursday friday saturday sunday morn last new
post pleas report file data attach list send email mail make show us get compil add give 07:00 08:00 09:00
"""
EVERYWHERE = frozenset(_EVERYWHERE.split())


@dataclass(frozen=True)
class Own:
    """One entry of a team's catalogue, with the words it shares with a request, and where it comes from."""

    name: str  # of its routine, or of the folder it was imported from
    script: Script
    parameters: Mapping[str, TomlValue]
    shape: bytes  # shape.json of its sample
    shared: frozenset[str]  # stems
    approved_by: str  # as the workspace calls them; "" where it was imported
    clean_runs: int
    last_good_at: datetime | None
    author_id: str = ""  # the person who wrote its bytes, if one did

    @property
    def provenance(self) -> str:
        """Where it comes from, in a sentence."""
        if not self.last_good_at:
            return f"It is {self.name}, which somebody imported; nobody here has approved it yet."
        runs = counted(self.clean_runs, "clean run")
        said = f"It is {self.name} of this team, approved by {self.approved_by}"
        return f"{said}; {runs}, the last on {self.last_good_at:%Y-%m-%d}."


def fingerprint(plan_py: bytes) -> str:
    """The same for scripts that differ in nothing but parameters: layout, comments, and constants at the top.

    Bytes that are no Python have the digest of the bytes.
    """
    try:
        tree = ast.parse(plan_py)
    except (SyntaxError, ValueError):
        return hashlib.sha256(plan_py).hexdigest()
    if ast.get_docstring(tree) is not None:
        del tree.body[0]
    for node in tree.body:
        if isinstance(node, ast.Assign) and _is_constant(node):
            node.value = ast.Constant(None)
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()


def _is_constant(node: ast.Assign) -> bool:
    """`TOP = 10`: a name in capitals that stands for a literal."""
    if not all(isinstance(target, ast.Name) and target.id.isupper() for target in node.targets):
        return False
    return all(isinstance(one, ast.Constant | ast.List | ast.Tuple | ast.Load) for one in ast.walk(node.value))


def matches(request: Spoken, alike: Sequence[Own]) -> list[Match]:
    """Those with enough telling words, scored as the library's are. `alike` are those whose shape the files have."""
    return [_match(request, one) for one in alike if len(_telling(one)) >= FEWEST_WORDS]


def _match(request: Spoken, one: Own) -> Match:
    telling = _telling(one)
    words = min(1.0, len(telling) / ENOUGH_WORDS)
    said = ", ".join(f"“{word}”" for word in request.as_written(telling)[:4])
    reason = f"{one.provenance} The request shares {said} with it, and the files have the shape that it reads."
    heard = frozenset(request.as_written(one.shared))
    return Match(one.script, round(WORDS * words + FILES + COLUMNS, 3), reason, heard, heard, heard)


def _telling(one: Own) -> frozenset[str]:
    return one.shared - EVERYWHERE


def newest_at(files: Sequence[FileFacts]) -> datetime | None:
    """The last time that files tell of, where it can be read in one way; aware."""
    said = [facts.last_at for facts in files if facts.last_at]
    said += [one.ends[0][1] for facts in files if facts.csv for one in facts.csv.columns if len(one.ends) == 1]
    moments = [datetime.fromisoformat(text) for text in said]
    return max((one if one.tzinfo else one.replace(tzinfo=UTC) for one in moments), default=None)
