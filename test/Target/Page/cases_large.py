"""Large programs open fast and move smoothly. The limits are those of a machine
that does other things as well; `scripts/benchmark page` prints what it is on
one that does not."""

import networks
from measure import measure_frames, measure_open

# How much longer than on a quiet machine.
SLACK = 4
# Seconds in which a quiet machine shows a page that has nothing.
BLANK = 0.15


def find_slack(browser, pages):
    """How much longer things may take on this machine now, by a page that has nothing."""
    blank = pages.write("blank.html", '<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><title>blank</title>')
    return SLACK * max(1, measure_open(browser, blank, runs=2) / BLANK)


def open_large(browser, pages, count, seconds):
    page, _ = pages.make(pages.write(f"many{count}.mlir", networks.make_many(count)), f"many{count}")
    slack = find_slack(browser, pages)
    opened = measure_open(browser, page)
    frames = measure_frames(browser)
    print(f"{count} operations: opened in {opened:.2f} s, {frames['rate']:.0f} frames a second, the longest {frames['slowest']:.0f} ms")
    assert opened < slack * seconds, (opened, slack)
    assert frames["rate"] > 30 / slack, (frames, slack)
    return slack


def ten_thousand(browser, pages):
    """10,000 operations open in a second and move at 30 frames a second; an edit is priced at once."""
    slack = open_large(browser, pages, 10000, 1)
    milliseconds = browser.run(
        "const node = app.search.find('op:exp')[500]; void app.session.pricer; const start = performance.now();"
        "app.pickNode(node, false, true); app.move(1); return performance.now() - start;"
    )
    print(f"an edit takes {milliseconds:.0f} ms")
    assert browser.run("return app.session.isEdited") and milliseconds < slack * 100, (milliseconds, slack)


def hundred_thousand(browser, pages):
    """100,000 operations open in three seconds."""
    open_large(browser, pages, 100000, 3)


CASES = [ten_thousand, hundred_thousand]
