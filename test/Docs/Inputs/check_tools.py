"""Compares the tools that documents call with those that scripts/run builds: check_tools.py ROOT

README.md and the documents that people start with; `hetero-opt-test-passes` and the
like are the tests' own.
"""

import pathlib
import re
import sys

FIRST = ("README.md", "docs/GettingStarted.md", "docs/Tutorial.md", "docs/Visualizer.md", "docs/Features.md", "docs/Pipeline.md")


def find_called(text: str) -> set[str]:
    """First words of commands, and plugins."""
    words = {word for line in re.findall(r"^\$ (.*(?:\\\n.*)*)", text, re.M) for word in line.split()}
    # The table of README.md has them in its first column.
    cells = re.findall(r"^\| ((?:`[\w.-]+`(?:, )?)+) \|", text, re.M) if text.startswith("# hetero") else []
    named = set(re.findall(r"`(hetero-[\w-]+)`", " ".join(cells)))
    plugins = {name for name in re.findall(r"build/dev/bin/(\w+)\.so", text)}
    return {word for word in words if re.fullmatch(r"hetero-[\w-]+", word)} | named | plugins


def main() -> None:
    root = pathlib.Path(sys.argv[1])
    script = (root / "scripts" / "run").read_text(encoding="utf-8").replace("\\\n", " ")
    built = set(re.search(r"ninja -C \S+ (.*) \|\|", script).group(1).split())
    called = {name: find_called((root / name).read_text(encoding="utf-8")) for name in FIRST}
    for name, tools in called.items():
        for tool in sorted(tools - built):
            print(f"{name} calls {tool}, which scripts/run does not build")
    print(f"{len(set.union(*called.values()))} tools, {len(set.union(*called.values()) - built)} missing")


main()
