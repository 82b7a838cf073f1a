#!/usr/bin/env python3
"""Tests the page of a placement in Debian's browser, without a screen. Runs in
the environment that hetero_page of scripts/lib/setup.sh makes.

  test/Target/Page/run.py --bin build/dev/bin
  test/Target/Page/run.py --bin build/dev/bin --only edits --keep /tmp/pages
"""

import argparse
import os
import sys
import tempfile
import time
import traceback

from browser import Browser
from pages import Pages
import cases_edits
import cases_large
import cases_panels
import cases_solvers
import cases_views

# The cheapest first; each is a function of a browser and of pages.
CASES = [*cases_solvers.CASES, *cases_views.CASES, *cases_panels.CASES, *cases_edits.CASES, *cases_large.CASES]


def run_case(case, browser, pages):
    """True if it passed. A page that says anything on the console fails."""
    start = time.monotonic()
    try:
        case(browser, pages)
        messages = browser.messages()
        assert not messages, f"the console has {messages[:5]}"
    except Exception:  # whatever a driver or a page raises is a failure of the case
        print(f"FAILED {case.__name__}: {case.__doc__}")
        traceback.print_exc(file=sys.stdout)
        return False
    print(f"passed {case.__name__} in {time.monotonic() - start:.1f} s")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="folder of the tools")
    parser.add_argument("--only", default="", help="cases whose name has this")
    parser.add_argument("--keep", help="folder that the pages are left in")
    options = parser.parse_args()
    wanted = [case for case in CASES if options.only in case.__name__]
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        os.makedirs(options.keep or folder, exist_ok=True)
        pages = Pages(os.path.abspath(options.bin), options.keep or folder)
        passed = sum(run_case(case, browser, pages) for case in wanted)
    print(f"{passed} passed, {len(wanted) - passed} failed")
    return passed != len(wanted) or not wanted


if __name__ == "__main__":
    sys.exit(main())
