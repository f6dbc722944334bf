"""Facts on the card come from the bytes of the script, never from what somebody says about it."""

import ast
from pathlib import Path

import pytest

from bot.domain.facts import of_script


def test_imports_are_listed_once_and_in_order():
    facts = of_script("import json\nfrom collections import Counter\nimport json\nfrom kit import inputs\n")
    assert facts.imports == ("collections", "json", "kit")
    assert facts.refused_imports == ()


@pytest.mark.parametrize(
    "line",
    ["import os", "import json, socket", "from urllib.request import urlopen", "import subprocess as math",
     "from . import kit", "from .. import x", "def f():\n    import ctypes",
     "try:\n    import requests\nexcept Exception:\n    pass",
     "import importlib", "import builtins", "import json.decoder, os.path", "import kitten"],
)  # fmt: skip
def test_an_import_that_is_not_allowed_is_refused_wherever_it_stands(line: str):
    assert of_script(line + "\n").refused_imports != ()


def test_checks_are_those_that_the_script_calls():
    facts = of_script(
        "import kit\nfrom kit import Surprise, check, check_usual\n"
        'check("OddFile", True, "fine")\n'
        'kit.check("EmptyFile", True, "fine")\n'
        'check("OddFile", False, "again")\n'
        'if 0:\n    raise Surprise("Late", "late")\n'
        'check_usual("errors", 3)\n'
        '# check("NotThis", True, "")\n'
    )
    assert facts.check_names == ("OddFile", "EmptyFile", "UnusualNumber", "Late")
    assert facts.unclear == ()


def test_a_check_in_words_only_is_none():
    assert of_script("text = 'check(\"OddFile\", True)'\n").check_names == ()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("check(name, True, '')", "line 1: a check whose name is not written out"),
        ("check(f'{1}', True, '')", "line 1: a check whose name is not written out"),
        ("check()", "line 1: a check whose name is not written out"),
        ("eval('1')", "line 1: eval, whose effect the text does not show"),
        ("f = exec", "line 1: exec, whose effect the text does not show"),
        ("getattr(x, y)()", "line 1: getattr, whose effect the text does not show"),
        ("().__class__.__mro__", "line 1: .__mro__, whose effect the text does not show"),
        ("__builtins__['open']", "line 1: __builtins__, whose effect the text does not show"),
        ("from kit import check as fine", "line 1: check imported as fine"),
        ("from kit import *", "line 1: * imported as whatever is there"),
        ("def check(*args): pass", "line 1: check is defined by the script itself"),
        ("def read_csv(file): return []", "line 1: read_csv is defined by the script itself"),
        ("Surprise = ValueError", "line 1: Surprise is given another meaning"),
        ("f = lambda check: check('OddFile', True, '')", "line 1: check is given another meaning"),
        ("from math import sin as check", "line 1: check comes from elsewhere than the kit"),
        ("kit.check = print", "line 1: .check is given another meaning"),
        ("mine.check('OddFile', True, '')", "line 1: .check is of something else than the kit"),
        ("from kit import metric as check", "line 1: check comes from elsewhere than the kit"),
        ("from kit import inputs as read_csv", "line 1: read_csv comes from elsewhere than the kit"),
        ("from json import dumps as kit", "line 1: kit comes from elsewhere than the kit"),
        ("import kit.surprise as kit", "line 1: kit comes from elsewhere than the kit"),
        ("import json as kit", "line 1: kit comes from elsewhere than the kit"),
        ("kit = namedtuple('K', 'check')(print)", "line 1: kit is given another meaning"),
        ("match print:\n    case check: pass", "line 2: check is given another meaning"),
        ("match [1]:\n    case [1, *check]: pass", "line 2: check is given another meaning"),
        ("match {}:\n    case {**check}: pass", "line 2: check is given another meaning"),
        ("try: x\nexcept E as check: pass", "line 2: check is given another meaning"),
        ("with print as check: pass", "line 1: check is given another meaning"),
        ("import json\njson.dumps = print", "line 2: .dumps of json, which is imported, is given another meaning"),
        ("from kit import surprise as s\ns.a.b = 1", "line 2: .b of s, which is imported, is given another meaning"),
        ("operator.attrgetter('__globals__')(check)", "line 1: .attrgetter, whose effect the text does not show"),
        ("from operator import methodcaller as m", "line 1: methodcaller, whose effect the text does not show"),
    ],
)
def test_what_hides_from_a_reader_is_said(line: str, says: str):
    assert says in of_script(line + "\n").unclear


@pytest.mark.parametrize(
    "source",
    ["import kit\nimport kit.surprise\nfrom kit import check\n", "import re\nfind = re.compile('x').findall\n",
     "from decimal import getcontext\ngetcontext().prec = 50\n", "class Row:\n    def f(self):\n        self.n = 1\n"],
)  # fmt: skip
def test_what_hides_nothing_is_not_said_to_hide(source: str):
    assert of_script(source).unclear == ()


def test_what_is_not_python_has_no_facts():
    with pytest.raises(SyntaxError):
        of_script("def (\n")


def test_the_checks_of_a_reader_come_with_a_call_of_it() -> None:
    kit = Path(__file__).parents[2] / "sandbox" / "inside" / "kit" / "tables.py"
    [raised] = [
        one.value for one in ast.parse(kit.read_text()).body
        if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "_RAISED"
    ]  # fmt: skip

    found = of_script("from kit import read_csv\nrows = read_csv('a.csv')\n")

    assert found.reader_checks == eval(ast.unparse(raised))
    assert of_script("from kit import read_csv\n").reader_checks == ()
