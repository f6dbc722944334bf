"""Charts that Slack cannot draw are drawn in the box, and attached."""

import contextlib
import importlib

import pytest

from tests import inside

kit = inside.kit()


@pytest.fixture
def declared(tmp_path):
    with contextlib.chdir(tmp_path):
        inside.begin(tmp_path, {})
        yield importlib.import_module("kit.state").current().declared


@pytest.mark.parametrize(
    ("points", "series", "kind"), [(60, 1, "line"), (400, 3, "bar"), (5, 14, "line"), (0, 13, "bar")]
)
def test_a_chart_too_large_for_slack_becomes_a_picture(declared, tmp_path, points, series, kind):
    values = {f"$x_{number}^2$": [float(n % 7) - 3 for n in range(points)] for number in range(series)}

    kit.chart("Cost in $ and \\frac{", [f"day {n} $" for n in range(points)], values, kind)

    [chart], [attached] = declared.charts, declared.attachments
    assert chart["picture"] == attached["name"] == "chart-1.png"
    first = (tmp_path / attached["path"]).read_bytes()
    assert first.startswith(b"\x89PNG") and len(first) > 2_000
    importlib.import_module("kit.picture").draw(chart, tmp_path / "again.png")
    assert (tmp_path / "again.png").read_bytes() == first


def test_a_chart_that_slack_draws_takes_no_picture_and_the_third_one_does(declared):
    for number in range(3):
        kit.chart(f"Chart {number}", ["a", "b"], {"n": [1, 2]})

    assert [one["picture"] for one in declared.charts] == ["", "", "chart-3.png"]
    assert [one["name"] for one in declared.attachments] == ["chart-3.png"]
