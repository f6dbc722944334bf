"""Facts for the card, computed from the bytes of a script alone; what cannot be classified is said to be so."""

import ast
import io
import re
import tokenize
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

ALLOWED_IMPORTS = frozenset(
    {
        "kit", "bisect", "collections", "csv", "dataclasses", "datetime", "decimal", "enum", "fractions",
        "functools", "hashlib", "heapq", "itertools", "json", "math", "operator", "re", "statistics", "string",
        "textwrap", "typing", "unicodedata", "zoneinfo", "duckdb", "polars", "openpyxl", "matplotlib",
    }
)  # fmt: skip
# The kit's check that names its surprise itself, and that name.
CHECK_USUAL, UNUSUAL = "check_usual", "UnusualNumber"
# Names that make a script do what its text does not show.
OPAQUE = frozenset(
    {
        "eval", "exec", "compile", "__import__", "__builtins__", "__loader__", "getattr", "setattr", "delattr",
        "globals", "locals", "vars", "breakpoint",
    }
)  # fmt: skip
# The same in modules that a script may import: what they reach is named in a text.
_BY_TEXT = frozenset({"attrgetter", "methodcaller", "get_type_hints", "make_dataclass"})
# What these of the kit raise by themselves; a script that calls one has these checks too.
_TABLE = (
    *("OddHeader", "RaggedRow", "BrokenQuotes", "BlankLine", "RepeatedHeader"),
    *("TotalRow", "OddNumber", "EmptyFile", "RowCap"),
)
READER_CHECKS: Mapping[str, tuple[str, ...]] = {
    "read_csv": _TABLE,
    "read_table": _TABLE,
    "agreed_files": ("NoInput", "MissingFile", "DuplicateFile", "EmptyFile", "StaleFile"),
    "check_steady": (
        "EmptyFile", "RowsTwice", "OddNumber", "MixedUnits", "OddDate", "UnusualNumber", "MissingDay", "NewName",
        "StaleFile", "OutsideWindow",
    ),
    "check_dates": ("StaleFile", "OutsideWindow"),
    "check_days": ("MissingDay",),
    "check_ends": ("EndsEarly", "StaleFile", "OutsideWindow"),
    "check_log": (
        "OddFile", "UnknownLevel", "GrammarShare", "OutOfOrder", "OddTime", "OddDate", "StaleFile", "OutsideWindow",
        "MissingDay", "UnusualNumber",
    ),
    "check_silence": ("Silence",),
}  # fmt: skip
DECLARES_CHECK = ("check", "Surprise", CHECK_USUAL)
# What a script that says it asks the kit must leave to the kit.
KITS_OWN = frozenset({*DECLARES_CHECK, *READER_CHECKS})
_RESERVED = KITS_OWN | {"kit"}


@dataclass(frozen=True)
class ScriptFacts:
    """What the source shows: modules it imports, names of its checks, and whatever hides from a reader.

    `reader_checks` are those that come with the kit's readers which it calls. `letters` are the signs outside ASCII in
    its texts, by name: a text that looks like another is no name, so Python takes it, and it fits nothing.
    """

    imports: tuple[str, ...]
    refused_imports: tuple[str, ...]
    check_names: tuple[str, ...]
    unclear: tuple[str, ...]
    reader_checks: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()


def of_script(source: str) -> ScriptFacts:
    """Read the facts off a script. Raises SyntaxError when it is not Python."""
    tree = ast.parse(source)
    imports = sorted({name for node in ast.walk(tree) for name in _imported(node)})
    checks: list[str] = []
    unclear: list[str] = []
    modules = {name for node in ast.walk(tree) for name in _bound_by_import(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            _read_call(node, checks, unclear)
        else:
            unclear += _opaque(node)
            unclear += _patched(node, modules)
        unclear += (f"line {line}: {what}" for line, what in _rebound(node))
    return ScriptFacts(
        imports=tuple(imports),
        refused_imports=tuple(n for n in imports if n.split(".")[0] not in ALLOWED_IMPORTS),
        check_names=tuple(dict.fromkeys(checks)),
        unclear=tuple(unclear),
        reader_checks=tuple(dict.fromkeys(_of_readers(tree))),
        letters=tuple(dict.fromkeys(_letters(source))),
    )


def _of_readers(tree: ast.AST) -> list[str]:
    called = [node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    return [name for reader in called for name in READER_CHECKS.get(reader, ())]


def _letters(source: str) -> Iterator[str]:
    """`° (degree sign)` for each sign outside ASCII that stands in a text; comments do nothing."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            yield from (f"{c} ({_name(c)})" for c in token.string if c > "\x7f")


def mixed_letters(text: str) -> tuple[str, ...]:
    """Letters of other alphabets in words that have Latin ones too, by name: they look like words that they are not."""
    words = [word for word in re.findall(r"\w+", text) if not word.isascii() and re.search("[A-Za-z]", word)]
    others = (c for word in words for c in word if c > "\x7f" and c.isalpha() and not _name(c).startswith("latin "))
    return tuple(dict.fromkeys(f"{c} ({_name(c)})" for c in others))


def _name(char: str) -> str:
    return unicodedata.name(char, f"U+{ord(char):04X}").lower()


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return ["." * node.level + (node.module or "")]
    return []


def _read_call(node: ast.Call, checks: list[str], unclear: list[str]) -> None:
    called = node.func
    name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
    if name == CHECK_USUAL:
        checks.append(UNUSUAL)
    elif name in DECLARES_CHECK:
        first = node.args[0] if node.args else None
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            checks.append(first.value)
        else:
            unclear.append(f"line {node.lineno}: a check whose name is not written out")


def _rebound(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Names of the kit that the script itself gives a meaning, so that what is called by one is no check of the kit."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in _RESERVED:
        yield node.lineno, f"{node.name} is defined by the script itself"
    elif isinstance(node, ast.Name) and node.id in _RESERVED and not isinstance(node.ctx, ast.Load):
        yield node.lineno, f"{node.id} is given another meaning"
    elif isinstance(node, ast.arg) and node.arg in _RESERVED:
        yield node.lineno, f"{node.arg} is given another meaning"
    elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name in _RESERVED:
        yield node.lineno, f"{node.name} is given another meaning"
    elif isinstance(node, ast.MatchMapping) and node.rest in _RESERVED:
        yield node.lineno, f"{node.rest} is given another meaning"
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((node.lineno, f"{one} comes from elsewhere than the kit") for one in _from_elsewhere(node))
    elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and node.attr in KITS_OWN:
        yield node.lineno, f".{node.attr} is given another meaning"
    elif isinstance(node, ast.Attribute) and node.attr in DECLARES_CHECK and not _is_kit(node.value):
        yield node.lineno, f".{node.attr} is of something else than the kit"


def _from_elsewhere(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Names of the kit that an import gives to something else, be it another thing of the kit."""
    of_kit = isinstance(node, ast.ImportFrom) and node.module == "kit" and not node.level
    for one in node.names:
        first = one.name if isinstance(node, ast.ImportFrom) else one.name.split(".")[0]
        bound = one.asname or first
        is_itself = bound == one.name if of_kit else isinstance(node, ast.Import) and one.name == bound == "kit"
        is_package = isinstance(node, ast.Import) and first == "kit" and not one.asname
        if bound in _RESERVED and not (is_itself or is_package):
            yield bound


def _bound_by_import(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [one.asname or one.name.split(".")[0] for one in node.names]
    return []


def _patched(node: ast.AST, modules: set[str]) -> list[str]:
    """Something of a module is made another thing, which whoever uses that module then gets."""
    if not isinstance(node, ast.Attribute) or isinstance(node.ctx, ast.Load):
        return []
    root = node.value
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name) or root.id not in modules or node.attr in KITS_OWN:
        return []
    return [f"line {node.lineno}: .{node.attr} of {root.id}, which is imported, is given another meaning"]


def _is_kit(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "kit"


def _opaque(node: ast.AST) -> list[str]:
    """Whatever lets a script do, or call a check by, what its text does not show."""
    if isinstance(node, ast.Name) and node.id in OPAQUE:
        return [f"line {node.lineno}: {node.id}, whose effect the text does not show"]
    if isinstance(node, ast.Attribute) and node.attr.startswith("__") and node.attr.endswith("__"):
        return [f"line {node.lineno}: .{node.attr}, whose effect the text does not show"]
    if isinstance(node, ast.Attribute) and node.attr in _BY_TEXT:
        return [f"line {node.lineno}: .{node.attr}, whose effect the text does not show"]
    if isinstance(node, ast.ImportFrom):
        renamed = [one for one in node.names if one.name == "*" or (one.name in DECLARES_CHECK and one.asname)]
        reach = [one.name for one in node.names if one.name in _BY_TEXT]
        return [
            *(f"line {node.lineno}: {one.name} imported as {one.asname or 'whatever is there'}" for one in renamed),
            *(f"line {node.lineno}: {one}, whose effect the text does not show" for one in reach),
        ]
    return []
