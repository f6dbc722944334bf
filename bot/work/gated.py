"""The source gate over a whole plan folder, asked wherever its bytes are about to count."""

from bot.domain.gate import source_problems
from library.plan_folder import PlanFolder

# What people write and read; the other files are measured by Standby and hold what data is called.
READ = ("plan.py", "report.md", "plan.toml", "resume.md")


def gate(folder: PlanFolder) -> list[str]:
    """Why the folder may not be shown or run, each with its file; empty means that it may."""
    return [
        f"{name}: {problem}"
        for name in READ
        for problem in source_problems(folder.files[name], is_python=name == "plan.py")
    ]
