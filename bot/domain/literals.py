"""What an expression of a script writes out: `1`, `-2.5`, `("a", "b")`; never by running it."""

import ast
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Written:
    """A value; None is one too."""

    value: Any


def written(node: ast.expr) -> Written | None:
    """The value that is written out; None where it has to be computed."""
    try:
        return Written(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError):
        return None
