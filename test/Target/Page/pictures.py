#!/usr/bin/env python3
"""Makes the pictures of docs/Visualizer.md anew, in the environment that
hetero_page of scripts/lib/setup.sh makes.

  test/Target/Page/pictures.py --bin build/dev/bin
"""

import argparse
import os
import tempfile

import networks
from browser import Browser
from cases_panels import add_timeline
from pages import ROOT, Pages

PICTURES = os.path.join(ROOT, "docs", "pictures")
SIZE = (1080, 680)


def choose(browser, query):
    browser.run("app.pickNode(app.search.find(arguments[0])[0], false, true); app.graph.camera.scale = 9; app.graph.reveal(app.selection.nodes[0]);", query)


def paint_graph(browser, page):
    browser.open(page)
    choose(browser, "name:step op:softmax")
    browser.screenshot(os.path.join(PICTURES, "page-graph.png"))


def paint_edit(browser, page):
    """Dark, with two sides."""
    browser.open(page)
    choose(browser, "name:step op:softmax")
    browser.run("app.move(0); app.showPanel('compare'); app.theme.set(true);")
    browser.screenshot(os.path.join(PICTURES, "page-compare.png"))


def paint_time(browser, pages, page):
    browser.open(add_timeline(pages, page, "timed.html")[0])
    browser.run("app.showPanel('time')")
    browser.screenshot(os.path.join(PICTURES, "page-time.png"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="folder of the tools")
    options = parser.parse_args()
    os.makedirs(PICTURES, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Browser(*SIZE) as browser:
        pages = Pages(os.path.abspath(options.bin), folder)
        page, _ = pages.make(pages.write("encoder.mlir", networks.make_encoder()), "encoder")
        paint_graph(browser, page)
        paint_edit(browser, page)


if __name__ == "__main__":
    main()
