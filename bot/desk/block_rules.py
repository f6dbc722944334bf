"""The small rules of which the block tables are made: each looks at one JSON value and names what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class Problem:
    """One broken rule: where (a JSON pointer), which kind of rule, and what the rule asks for."""

    pointer: str
    code: str
    message: str
    constraint: Mapping[str, Any] = field(default_factory=dict)


class Rule(Protocol):
    """Anything that can judge a JSON value found at a place."""

    def problems(self, value: Any, at: str) -> Iterator[Problem]: ...


def failed(at: str, message: str, **constraint: Any) -> Problem:
    return Problem(at, "failed_constraint", message, constraint)


@dataclass(frozen=True)
class Str:
    """A string of `least` to `most` characters, perhaps one of a few words."""

    most: int
    least: int = 1
    one_of: tuple[str, ...] = ()

    def problems(self, value: Any, at: str) -> Iterator[Problem]:
        if not isinstance(value, str):
            yield failed(at, "must be a string", type="string")
        elif self.one_of and value not in self.one_of:
            yield failed(at, f"must be a valid enum value: {', '.join(self.one_of)}", enum=list(self.one_of))
        elif len(value) > self.most:
            yield failed(at, f"must be less than {self.most + 1} characters", max_length=self.most)
        elif len(value) < self.least:
            yield failed(at, f"must be more than {self.least - 1} characters", min_length=self.least)


def word(*one_of: str) -> Str:
    """One of these words."""
    return Str(255, one_of=one_of)


@dataclass(frozen=True)
class Number:
    """A number within bounds; `above` is a bound that the number must exceed."""

    least: float | None = None
    most: float | None = None
    above: float | None = None
    whole: bool = False

    def problems(self, value: Any, at: str) -> Iterator[Problem]:
        if isinstance(value, bool) or not isinstance(value, int if self.whole else int | float):
            yield failed(at, "must be an integer" if self.whole else "must be a number", type="number")
        elif self.least is not None and value < self.least:
            yield failed(at, f"must be at least {self.least}", minimum=self.least)
        elif self.most is not None and value > self.most:
            yield failed(at, f"must be at most {self.most}", maximum=self.most)
        elif self.above is not None and value <= self.above:
            yield failed(at, f"must be greater than {self.above}", exclusive_minimum=self.above)


@dataclass(frozen=True)
class Flag:
    """True or false."""

    def problems(self, value: Any, at: str) -> Iterator[Problem]:
        if not isinstance(value, bool):
            yield failed(at, "must be a boolean", type="boolean")


@dataclass(frozen=True)
class Anything:
    """A value that Slack takes and the desk does not look into."""

    def problems(self, value: Any, at: str) -> Iterator[Problem]:  # noqa: ARG002 - every rule has this signature
        return iter(())


@dataclass(frozen=True)
class Items:
    """A list whose items all obey one rule. `unique` names the item's field that may not repeat."""

    each: Rule
    most: int
    least: int = 1
    unique: str = ""

    def problems(self, value: Any, at: str) -> Iterator[Problem]:
        if not isinstance(value, list):
            yield failed(at, "must be an array", type="array")
            return
        if len(value) > self.most:
            yield failed(at, f"no more than {self.most} items allowed", max_items=self.most)
            return
        if len(value) < self.least:
            yield failed(at, f"no fewer than {self.least} items allowed", min_items=self.least)
        for index, item in enumerate(value):
            yield from self.each.problems(item, f"{at}/{index}")
        if self.unique:
            yield from repeated(value, self.unique, at)


def repeated(items: Sequence[Any], name: str, at: str) -> Iterator[Problem]:
    """A problem for each item whose field `name` was already used by an earlier one."""
    seen: set[Any] = set()
    for index, item in enumerate(items):
        value = item.get(name) if isinstance(item, dict) else None
        if isinstance(value, str) and value in seen:
            yield failed(f"{at}/{index}/{name}", f'`{name}` "{value}" already exists', unique=name)
        if isinstance(value, str):
            seen.add(value)


@dataclass(frozen=True)
class Obj:
    """An object with these fields and no others. `needs` are required; of `needs_one_of` at least one is."""

    fields: Mapping[str, Rule]
    needs: tuple[str, ...] = ()
    needs_one_of: tuple[str, ...] = ()

    def problems(self, value: Any, at: str) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield failed(at, "must be an object", type="object")
            return
        for name in self.needs:
            if value.get(name) is None:
                yield Problem(at, "missing_field", f"missing required field: {name}", {"required": name})
        if self.needs_one_of and not any(value.get(name) for name in self.needs_one_of):
            names = " or ".join(self.needs_one_of)
            yield Problem(at, "missing_field", f"missing required field: {names}", {"required": names})
        for name, inner in value.items():
            if name not in self.fields:
                yield Problem(f"{at}/{name}", "unknown_field", f"invalid additional property: {name}")
            elif inner is not None:
                yield from self.fields[name].problems(inner, f"{at}/{name}")


@dataclass(frozen=True)
class Typed:
    """An object whose `type` chooses its rule from a table; only some types may stand at this place."""

    table: Mapping[str, Obj]
    allowed: frozenset[str]

    def problems(self, value: Any, at: str) -> Iterator[Problem]:
        kind = value.get("type") if isinstance(value, dict) else None
        if not isinstance(kind, str) or kind not in self.table or kind not in self.allowed:
            yield Problem(f"{at}/type", "unsupported_type", f"unsupported type: {kind}", {"enum": sorted(self.allowed)})
        else:
            yield from self.table[kind].problems(value, at)


def typed(table: Mapping[str, Obj], names: Iterable[str]) -> Typed:
    return Typed(table, frozenset(names))


def text(most: int, *, plain_only: bool = False) -> Obj:
    """A text object of at most `most` characters."""
    kinds = ("plain_text",) if plain_only else ("plain_text", "mrkdwn")
    fields: dict[str, Rule] = {"type": word(*kinds), "text": Str(most), "emoji": Flag(), "verbatim": Flag()}
    return Obj(fields, needs=("type", "text"))


def plain(most: int) -> Obj:
    """A plain_text object of at most `most` characters."""
    return text(most, plain_only=True)
