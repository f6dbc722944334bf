"""Drafts that are broken by hand, one way each, with the words by which each must be refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.flows.silence import MONDAYS, PLAN, REPORT, TOML


@dataclass(frozen=True)
class Broken:
    """A draft: the healthy one of `silence` with one thing wrong. `says` must all be in the refusal."""

    name: str
    says: tuple[str, ...]
    files: Mapping[str, str] = field(default_factory=dict)
    when: str = MONDAYS

    def draft(self) -> dict[str, bytes]:
        healthy = {"plan.py": PLAN, "report.md": REPORT, "plan.toml": TOML}
        return {name: text.encode() for name, text in {**healthy, **self.files}.items()}


def _plan(old: str, new: str) -> dict[str, str]:
    assert PLAN.count(old) == 1, f"the healthy plan has {PLAN.count(old)} places like {old!r}"
    return {"plan.py": PLAN.replace(old, new)}


def _toml(old: str, new: str) -> dict[str, str]:
    assert old in TOML, f"the healthy plan.toml has nothing like {old!r}"
    return {"plan.toml": TOML.replace(old, new)}


_CHECKS = TOML[TOML.index("[[checks]]") : TOML.index("[[intermediates]]")]
_DEAF = (
    PLAN.replace("        len(times) > 1,", "        True,")
    .replace("max(gaps)", "max(gaps, default=0)")
    .replace('check("OddLines", not odd,', 'check("OddLines", True,')
)
_LAST = "report(device=rows[0][0]"
_ATTACHES = PLAN.replace("from kit import check,", "from kit import attach, check,").replace(
    _LAST, f'attach("list", "/etc/passwd")\n{_LAST}'
)

BROKEN = (
    Broken("no check is declared", ("it declares no check",), _toml(_CHECKS, "")),
    Broken(
        "a declared check is nowhere in the script",
        ("its check OddLevels is nowhere in the script",),
        _toml('name = "OddLines"', 'name = "OddLevels"'),
    ),
    Broken("it is deaf to its likeliest surprise", ("should have raised OddFile", "cannot hear"), {"plan.py": _DEAF}),
    Broken(
        "its likeliest surprise raises another check",
        ("should have raised NoInput", "raised OddFile"),
        _toml('[surprise]\nname = "OddFile"', '[surprise]\nname = "NoInput"'),
    ),
    Broken("its drift is no drift", ("no drift", "log-to-yaml"), _toml("log-to-json", "log-to-yaml")),
    Broken(
        "its drift fits none of the files",
        ("cannot be tried on this data",),
        _toml("log-to-json", "column-renamed"),
    ),
    Broken(
        "it would use the network",
        ("imports socket, which scripts may not",),
        _plan("from datetime", "import socket\nfrom datetime"),
    ),
    Broken(
        "it would run programs",
        ("imports subprocess, which scripts may not",),
        _plan("from datetime", "import subprocess\nfrom datetime"),
    ),
    Broken(
        "its report says when it ran",
        ("two different reports",),
        _plan(f"{_LAST}.removesuffix(\".log\")", f"{_LAST} + datetime.now().isoformat()"),
    ),
    Broken("its report lacks a value", ("without a value: ['minutes']",), _plan("minutes=rows[0][1], ", "")),
    Broken(
        "it is deaf, and its report lacks a value",
        ("In rehearsal, on the attached data, the script broke", "without a value: ['minutes']"),
        {"plan.py": _DEAF.replace("minutes=rows[0][1], ", "")},
    ),
    Broken(
        "a value has no place in its report",
        ("without a placeholder: ['lines']",),
        {"report.md": REPORT.replace("{{lines}} lines read", "all of them")},
    ),
    Broken("it never reports", ("without calling report",), {"plan.py": PLAN[: PLAN.index(_LAST)]}),
    Broken("it is not Python", ("it is not Python",), _plan("in text_lines(file.path):", "in text_lines(file.path)")),
    Broken(
        "it holds what cannot be seen",
        ("characters that cannot be seen",),
        _plan('check("NoInput", bool(files)', 'check("NoInput", bool(files)\u202e'),
    ),
    Broken(
        "a line is longer than anybody reads",
        ("more than 200",),
        _plan("rows = []\n", f"rows = []  # {'x' * 220}\n"),
    ),
    Broken(
        "it would set its own schedule",
        ("schedule is not yours to write",),
        _toml("[surprise]", "[schedule]\n[surprise]"),
    ),
    Broken("its plan.toml is not TOML", ("plan.toml is not valid TOML",), _toml("title =", "title")),
    Broken("it has no report", ("The draft lacks report.md",), {"report.md": " "}),
    Broken(
        "it breaks on healthy data",
        ("broke at line", "ZeroDivisionError"),
        _plan(_LAST, f"rows[0][1] /= lines - lines\n{_LAST}"),
    ),
    Broken(
        "it halts on healthy data",
        ("raised OddFile", "none of its lines begins"),
        _plan("        len(times) > 1,", "        len(times) > 10**9,"),
    ),
    Broken(
        "a row of its table lacks a cell",
        ("broke at line", "columns and a row with"),
        _plan('["device", "minutes"], rows)', '["device", "minutes", "since"], rows)'),
    ),
    Broken(
        "it attaches what lies outside",
        ("broke at line", "not below outputs/"),
        {"plan.py": _ATTACHES},
    ),
    Broken("it asks for another time than people did", ("asked for '0 7 * * mon'",), when="0 9 * * fri"),
    Broken("it would run once", ("A plan comes back",), when="once"),
)  # fmt: skip
