"""Parses a graph on the standard input by the grammar of Graphviz, as far as
the compiler uses it, and prints how many statements there are. Nodes of edges
must be declared."""

import re
import sys

TOKEN = re.compile(r'\s*("(?:[^"\\\n]|\\.)*"|->|[A-Za-z_][A-Za-z_0-9]*|[{}\[\];,=])')


class Parser:
    def __init__(self, text):
        self.tokens, position = [], 0
        text = text.rstrip()
        while position < len(text):
            match = TOKEN.match(text, position)
            if not match:
                sys.exit(f"no token at {text[position:position + 40]!r}")
            self.tokens.append(match.group(1))
            position = match.end()
        self.next = self.count = 0
        self.declared, self.used = set(), set()

    def take(self, expected=None):
        token = self.tokens[self.next]
        if expected and token != expected:
            sys.exit(f"expected {expected!r}, got {token!r}")
        self.next += 1
        return token

    def peek(self):
        return self.tokens[self.next]

    def name(self):
        token = self.take()
        if not re.match(r'["A-Za-z_]', token):
            sys.exit(f"expected a name, got {token!r}")
        return token

    def attributes(self):
        self.take("[")
        while self.peek() != "]":
            self.name()
            self.take("=")
            self.name()
            if self.peek() != "]":
                self.take(",")
        self.take("]")

    def statements(self):
        self.take("{")
        while self.peek() != "}":
            self.statement()
        self.take("}")

    def statement(self):
        self.count += 1
        if self.peek() == "subgraph":
            self.take()
            self.name()
            self.statements()
            return
        first = self.name()
        if self.peek() == "=":
            self.take()
            self.name()
        elif self.peek() == "->":
            self.take()
            self.used |= {first, self.name()}
        else:
            self.declared.add(first)
        if self.peek() == "[":
            self.attributes()
        self.take(";")


parser = Parser(sys.stdin.read())
parser.take("digraph")
parser.name()
parser.statements()
if parser.next != len(parser.tokens):
    sys.exit("expected the end of the file")
if missing := parser.used - parser.declared:
    sys.exit(f"edges of nodes that are not declared: {missing}")
print(parser.count, "statements")
