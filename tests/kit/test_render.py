"""report.md is filled in good words: one of something is no plural, and a span of one day names it once."""

import pytest

from sandbox.inside.kit.render import render


@pytest.mark.parametrize(
    ("template", "values", "words"),
    [
        ("from {{n}} files", {"n": "1"}, "from 1 file"),
        ("from {{n}} files", {"n": "21"}, "from 21 files"),
        ("**{{n}} errors** in {{m}} log files.", {"n": "1", "m": "1"}, "**1 error** in 1 log file."),
        ("{{a}} in {{n}} categories", {"a": "1.50", "n": "1"}, "1.50 in 1 category"),
        ("{{n}} is as it was", {"n": "1"}, "1 is as it was"),
        ("{{rows}} rows of {{files}}", {"rows": "1", "files": "1 files"}, "1 row of 1 files"),  # a value stays as it is
        ("{{since}} to {{until}} UTC", {"since": "2026-11-30", "until": "2026-11-30"}, "2026-11-30 UTC"),
        ("{{since}} to {{until}} UTC", {"since": "2026-11-23", "until": "2026-11-30"}, "2026-11-23 to 2026-11-30 UTC"),
        ("{{a}} to {{a}}", {"a": "{{b}}"}, "{{b}}"),
    ],
)
def test_a_template_reads_well_whatever_its_values_are(template: str, values: dict[str, str], words: str) -> None:
    assert render(template, values) == words
