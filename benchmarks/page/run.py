#!/usr/bin/env python3
"""Measures the page of a placement in Debian's browser, without a screen and
without a GPU: how long it takes to write and to open, against a page that does
nothing but parse the same data, and how many pictures it paints in a second
while it is zoomed and moved. The page and its reference are opened in turns;
the fastest of some runs counts. Run it by `scripts/benchmark page`, which has the
browser's driver.

  benchmarks/page/run.py --bin build/release/bin
  benchmarks/page/run.py --bin build/release/bin --ops 10000,100000 --runs 5
"""

import argparse
import os
import resource
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test", "Target", "Page"))

import networks
from browser import Browser
from measure import measure_frames
from pages import Pages

PARSER = '<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,">{data}<script>JSON.parse(document.getElementById("placement").textContent)</script>'


def make_page(pages, count):
    """The page, and the processor seconds that writing it took."""
    source = pages.write(f"many{count}.mlir", networks.make_many(count))
    placed = pages.path(f"many{count}.mlirbc")
    pages.run("hetero-opt", source, "--hetero-place", "--mlir-print-debuginfo", "--emit-bytecode", "-o", placed)
    page = pages.path(f"many{count}.html")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    pages.run("hetero-translate", "--placement-to-html", placed, "-o", page)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return page, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def make_reference(pages, page):
    """A page that only parses the data of another."""
    with open(page) as file:
        text = file.read()
    start = text.index('<script type="application/json"')
    end = text.index("</script>", start) + len("</script>")
    return pages.write(os.path.basename(page) + ".reference.html", PARSER.format(data=text[start:end]))


def measure(browser, pages, count, runs):
    page, written = make_page(pages, count)
    reference = make_reference(pages, page)
    opened, parsed = [], []
    for _ in range(runs):
        parsed.append(browser.open(reference))
        opened.append(browser.open(page))
    frames = max((measure_frames(browser) for _ in range(runs)), key=lambda found: found["rate"])
    return os.path.getsize(page), written, min(opened), min(parsed), frames


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "release", "bin"))
    parser.add_argument("--ops", default="10000,100000,1000000")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    print("| operations | MB | bytes each | written, s | opened, s | of parsing alone | frames/s | longest frame, ms |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        pages = Pages(options.bin, folder)
        for count in map(int, options.ops.split(",")):
            size, written, opened, parsed, frames = measure(browser, pages, count, options.runs)
            print(
                f"| {count:,} | {size / 1e6:.1f} | {size / count:.0f} | {written:.1f} | {opened:.2f} | {opened / parsed:.2f} |"
                f" {frames['rate']:.0f} | {frames['slowest']:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
