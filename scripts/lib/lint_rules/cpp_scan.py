"""Finds in C++ text what is declared and defined at namespace scope, without a
compiler: enough for counting and for matching a header with its source."""

import re
from dataclasses import dataclass, field

_HIDDEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:\\\n|[^\n])*',
    re.S | re.M,
)
_TOKEN = re.compile(r"[(){};]")
_CLASS = re.compile(r"(?:^|\s)(?:class|struct|union)\s+(?:\w+\s+)*?((?:\w+::)*\w+)(?:<[^{}]*>)?(?:\s+final)?\s*(?::[^:].*)?$", re.S)
_NAME = re.compile(r"((?:\w+(?:<[^<>()]*>)?\s*::\s*)*)(~?\w+|operator\s*(?:[^\s\w(]+|\(\)|\w[\w:\s*&]*?))\s*$")
_NOT_FUNCTIONS = {"if", "for", "while", "switch", "return", "defined", "alignas", "decltype", "static_assert", "__attribute__", "noexcept", "sizeof"}


def without_comments(text):
    """The text with comments, literals and directives blanked, lines kept."""

    def blank(match):
        found = match.group(0)
        if found.startswith(('"', "R")):
            return '""' + "\n" * found.count("\n")
        return "\n" * found.count("\n") if "\n" in found else " "

    return _HIDDEN.sub(blank, text)


@dataclass
class Function:
    name: str
    owner: str  # The class of an out-of-line definition or of a method.
    line: int
    is_definition: bool
    is_const: bool
    is_local: bool  # Static, inline, constexpr, extern "C", or in an unnamed namespace.
    is_override: bool = False


@dataclass
class Class:
    name: str
    line: int
    methods: list = field(default_factory=list)


class Scan:
    def __init__(self, text):
        self.functions = []
        self.classes = []
        self._text = without_comments(text)
        self._read()

    def _line(self, position):
        # Declarations come in order, so that lines are counted once.
        self._lines += self._text.count("\n", self._counted, position)
        self._counted = position
        return self._lines

    def _match(self, position, opening, closing):
        """The position after the bracket that closes the one at `position`."""
        depth = 0
        for token in re.compile(f"[{opening}{closing}]").finditer(self._text, position):
            depth += 1 if token.group() == opening else -1
            if depth == 0:
                return token.end()
        return len(self._text)

    def _read(self):
        self._lines, self._counted = 1, 0
        scopes, start, position = [], 0, 0
        while True:
            token = _TOKEN.search(self._text, position)
            if not token:
                return
            position = token.end()
            kind = token.group()
            if kind == "(":
                position = self._match(token.start(), "(", ")")
                continue
            head = self._text[start : token.start()]
            if kind == "{":
                scope = self._open(head, start, scopes)
                if scope:
                    scopes.append(scope)
                    start = position
                else:
                    position = self._match(token.start(), "{", "}")
                    if self._ends(head, position):
                        self._declare(head, start, scopes, True)
                        start = position
                continue
            if kind == ";":
                self._declare(head, start, scopes, False)
            elif kind == "}" and scopes:
                scopes.pop()
            start = position

    def _ends(self, head, position):
        """Whether the braces that end at `position` end a definition: those of
        a member's initializer do not."""
        rest = self._text[position : position + 40].lstrip()
        return "(" in head and not rest.startswith((",", "{"))

    def _open(self, head, start, scopes):
        """The scope that braces open, or nothing for those to skip."""
        plain = head.strip()
        if re.search(r"(?:^|\s)namespace(?:\s+[\w:]+)?$", plain):
            return ("namespace", "" if plain.endswith("namespace") else plain.split()[-1])
        if plain.startswith("extern") and "(" not in plain:
            return ("namespace", "C")
        match = _CLASS.search(re.sub(r"\[\[.*?\]\]|alignas\([^)]*\)", "", plain)) if "=" not in plain.split("(")[0] else None
        if match and "enum" not in plain.split() and not plain.endswith(")"):
            name = match.group(1).split("::")[-1]
            found = Class(name, self._line(start + len(head)))
            self.classes.append(found)
            return ("class", found)
        return None

    def _declare(self, head, start, scopes, is_definition):
        if "(" not in head or re.match(r"\s*(?:using|typedef|friend|static_assert|template\s+class)\b", head):
            return
        opening = self._first_paren(head)
        if opening < 0:
            return
        match = _NAME.search(head[:opening])
        if not match or "=" in re.sub(r"operator\s*\S+", "", head[:opening]):
            return
        name = re.sub(r"\s", "", match.group(2))
        if name in _NOT_FUNCTIONS or name.isupper():
            return
        owner = re.sub(r"<[^<>]*>|\s", "", match.group(1)).rstrip(":").split("::")[-1]
        close = self._match(start + opening, "(", ")") - start
        line = self._line(start + opening)
        local = bool(re.search(r"\b(?:static|inline|constexpr|template)\b", head[:opening]))
        # Functions of a C interface are defined by subject, not by header.
        local = local or any(kind == "namespace" and inner in ("", "C") for kind, inner in scopes)
        inside = next((inner for kind, inner in reversed(scopes) if kind == "class"), None)
        tail = head[close:]
        function = Function(name, owner or (inside.name if inside else ""), line, is_definition, bool(re.match(r"\s*const\b", tail)), local)
        function.is_override = bool(re.search(r"\b(?:override|final)\b", tail))
        if inside is not None:
            if not re.search(r"=\s*(?:default|delete)\s*$", tail):
                inside.methods.append(function)
        elif match.start() > 0 or owner:
            # A namespace-scope name without a type before it is a macro.
            if owner or head[: match.start()].strip():
                self.functions.append(function)

    @staticmethod
    def _first_paren(head):
        """The first parenthesis that is not inside template arguments."""
        depth = 0
        for token in re.finditer(r"operator\s*[^\w\s(]+|->|[<>(]", head):
            if token.group() == "<":
                depth += 1
            elif token.group() == ">":
                depth = max(0, depth - 1)
            elif token.group() == "(" and depth == 0:
                return token.start()
        return -1
