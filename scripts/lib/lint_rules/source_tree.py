"""The files of the project as the rules see them: read once, includes resolved."""

import os
import re
import subprocess
from dataclasses import dataclass
from functools import cached_property

from lint_rules.cpp_scan import Scan

SOURCE_SUFFIXES = (".h", ".cpp", ".c", ".cu", ".td", ".def", ".inc")


@dataclass(frozen=True, order=True)
class Problem:
    """What a rule found. The line is no part of what an exception names."""

    file: str
    line: int
    text: str
    rule: str

    def __str__(self):
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.text} [{self.rule}]"

    @property
    def key(self):
        return f"{self.file}: {self.text} [{self.rule}]"


class SourceTree:
    def __init__(self, root):
        self.root = root
        self._texts = {}
        self._scans = {}

    @cached_property
    def files(self):
        """The names of all files that git knows or would add."""
        done = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=self.root,
            capture_output=True,
            text=True,
            check=True,
        )
        return [name for name in sorted(set(done.stdout.splitlines())) if os.path.isfile(os.path.join(self.root, name))]

    @cached_property
    def names(self):
        return set(self.files)

    def under(self, *prefixes, suffixes=None):
        for name in self.files:
            if name.startswith(prefixes) and (suffixes is None or name.endswith(suffixes)):
                yield name

    def text(self, name):
        if name not in self._texts:
            with open(os.path.join(self.root, name), encoding="utf-8", errors="replace") as file:
                self._texts[name] = file.read()
        return self._texts[name]

    def lines(self, name):
        return enumerate(self.text(name).splitlines(), 1)

    def scan(self, name):
        if name not in self._scans:
            self._scans[name] = Scan(self.text(name))
        return self._scans[name]

    def raw_includes(self, name):
        """(line, what stands between the quotes) of a file."""
        for match in re.finditer(r'^[ \t]*#?[ \t]*include[ \t]+["<]([^">\n]+)[">]', self.text(name), re.M):
            yield self.text(name).count("\n", 0, match.start()) + 1, match.group(1)

    def includes(self, name):
        """(line, file of this project) that a file includes."""
        for line, target in self.raw_includes(name):
            found = self.resolve(name, target)
            if found:
                yield line, found

    def resolve(self, name, target):
        if target.startswith("hetero/"):
            return self.generated(f"include/{target}")
        for folder in (os.path.dirname(name), "lib"):
            path = os.path.normpath(os.path.join(folder, target))
            if path in self.names:
                return path
        return None

    def generated(self, path):
        """A header of include/, or for one that tablegen writes a name in the
        same folder."""
        if path in self.names or path.endswith(".inc"):
            return path
        return None


def room_of(name):
    """The folder under lib/ that a file belongs to; public headers lie in
    include/hetero/ under the same name."""
    return os.path.dirname(name).replace("include/hetero", "lib", 1)
