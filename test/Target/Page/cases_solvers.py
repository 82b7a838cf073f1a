"""The pricer and the solvers of the page, against enumeration."""

import os

from pages import example

HERE = os.path.dirname(os.path.abspath(__file__))


def load(browser, *names):
    """Adds the checks to the page, in the scope of its scripts."""
    for name in names:
        with open(os.path.join(HERE, name)) as file:
            browser.run("const s = document.createElement('script'); s.textContent = arguments[0]; document.head.append(s);", file.read())


def random_problems(browser, pages):
    """Prices kept while nodes move are those from nothing; with two devices what is found is the least of all placements."""
    page, _ = pages.make(example("shared-operand"), "solvers")
    browser.open(page)
    load(browser, "solver_checks.js")
    failures = browser.run("return checkSolvers(150)")
    assert failures == [], failures[:5]


def random_edits_of_random_problems(browser, pages):
    """What follows an edit is decided around the edit as well as anew; undo and redo go back and forth."""
    page, _ = pages.make(example("shared-operand"), "sessions")
    browser.open(page)
    load(browser, "solver_checks.js", "session_checks.js")
    failures = browser.run("return checkSessions(60)")
    assert failures == [], failures[:5]


CASES = [random_problems, random_edits_of_random_problems]
