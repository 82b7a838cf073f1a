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


def paint_time(browser, pages):
    """A run on the emulator."""
    page = pages.path("run.html")
    inputs = ("1x3x10x10xf32=1", "8x3x3x3xf32=1", "8xf32=-30", "4x8x3x3xf32=1")
    pages.run("hetero-run", "examples/conv-on-gpu.mlir", "--rules=examples/conv-on-gpu.yaml", f"--view={page}", *[f"--input={value}" for value in inputs])
    browser.open(page)
    browser.run("app.showPanel('time'); app.pickNode(app.search.find('op:conv_2d')[0], false, true);")
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
        paint_time(browser, pages)


if __name__ == "__main__":
    main()
