"""What every test may ask for, and the surroundings that all tests share."""

import os

import hypothesis
import pytest

pytest_plugins = ["tests.database", "tests.folders", "tests.golden_files"]

# A busy machine is slow, and that is no defect; with CI set, hypothesis takes its own profile, which repeats itself.
hypothesis.settings.register_profile("here", deadline=None)
if "CI" not in os.environ:
    hypothesis.settings.load_profile("here")

# Whoever runs the tests may use Standby too: their settings and keys are not for the tests.
for name in [n for n in os.environ if n.startswith(("STANDBY_", "ANTHROPIC_")) and n != "STANDBY_TEST_DATA"]:
    del os.environ[name]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--box", choices=("local", "e2b"), default="local", help="which provider the contracts try")
    parser.addoption("--box-template", default="base", help="with --box=e2b: the template with the kit's libraries")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: a flow waits for clocks and sockets about half of its time."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Say, instead of failing, where a test needs an account that this is not."""
    if os.geteuid() == 0:
        return
    for item in items:
        if item.get_closest_marker("root"):
            item.add_marker(pytest.mark.skip(reason="only root can play several users"))
