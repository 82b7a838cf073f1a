"""Checks that every element of the page on the standard input is closed, and
prints how many there are and how many refer to something outside."""

import sys
from html.parser import HTMLParser


class Checker(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.count, self.links = [], 0, 0

    def handle_starttag(self, tag, attrs):
        self.count += 1
        self.links += sum(name in ("src", "href") and not value.startswith("data:") for name, value in attrs)
        if tag not in ("meta", "link", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            sys.exit(f"</{tag}> closes nothing")


checker = Checker()
checker.feed(sys.stdin.read())
checker.close()
if checker.open:
    sys.exit(f"not closed: {checker.open}")
print(f"{checker.count} elements, {checker.links} links")
