"""What is kept here speaks of the product to its readers, and of nothing around it."""

import re

from tests.architecture.repository import files, text

# Written apart, so that this file does not hold them.
_NOT_HERE = {
    "sub" + "agent": "how something was written",
    "/wo" + "rk/": "a folder of somebody's machine",
    "py" + "pi.org/simple": "an index; whoever installs chooses theirs",
    "# TO" + "DO": "a wish; wishes are issues",
    "# FIX" + "ME": "a wish; wishes are issues",
}
_ALLOWED = {
    # uv writes into its lock file where each package came from
    ("uv.lock", "py" + "pi.org/simple"),
}


def test_no_file_speaks_of_what_is_not_the_product():
    found = [
        f"{path}:{number}: {word} ({why})"
        for path in files()
        for number, line in enumerate(text(path).splitlines(), 1)
        for word, why in _NOT_HERE.items()
        if re.search(rf"(?<!\w){re.escape(word)}", line) and (str(path), word) not in _ALLOWED
    ]
    assert found == []


def test_no_file_has_a_name_for_leftovers():
    vague = re.compile(r"(^|/|_)(utils?|helpers?|managers?|common|misc)(_|\.|/|$)")
    assert [str(path) for path in files() if vague.search(str(path))] == []
