"""Two placements side by side, and when everything ran."""

import json
import re

from cases_views import source_of
from pages import example, picoseconds


def open_encoder(browser, pages):
    page, report = pages.make(source_of(pages, "encoder"), "encoder")
    browser.open(page)
    return page, picoseconds(report)


def compares_with_the_start(browser, pages):
    """What was edited is listed with both devices; a click on a row shows it on both sides."""
    _, before = open_encoder(browser, pages)
    browser.run("app.pickMany(app.search.find('op:softmax'), false); app.move(app.session.assignment.device[app.selection.nodes[0]] === 0 ? 1 : 0);")
    moved = browser.run("return app.session.assignment.getDifferences(app.placement.start).length")
    assert moved > 0
    browser.click("#show-compare")
    browser.frame()
    rows = browser.driver.find_elements("css selector", "#differences tbody tr")
    assert len(rows) == moved, (len(rows), moved)
    assert f"{moved} differences" in browser.text("#compare-head")
    rows[0].find_element("css selector", "button").click()
    browser.frame()
    node = browser.run("return app.selection.nodes[0]")
    assert browser.run("return app.compare.right.scene.selected[arguments[0]]", node) == 1
    assert browser.run("return Math.abs(app.graph.camera.x - app.compare.right.camera.x) + Math.abs(app.graph.camera.scale - app.compare.right.camera.scale)") < 1e-6
    assert browser.run("return String(app.compare.other.cost)") == str(before)
    browser.click("#undo")
    browser.wait("document.querySelectorAll('#differences tbody tr').length === 0")


def compares_two_files(browser, pages):
    """A second placement in the file is matched by name and place; what differs is listed."""
    page, _ = open_encoder(browser, pages)
    rules = pages.write("host.yaml", "default: cpu\n")
    other, _ = pages.make(source_of(pages, "encoder"), "encoder-host", rules)
    with open(page) as file, open(other) as second:
        text, block = file.read(), re.search(r'<script type="application/json" id="placement">.*?</script>', second.read(), re.DOTALL).group(0)
    at = text.index('<script type="application/json"')
    both = pages.write("both.html", text[:at] + block.replace('id="placement"', 'id="against"') + text[at:])
    browser.open(both)
    on_gpu = browser.run("return [...Array(app.problem.numNodes).keys()].filter((n) => app.compare.describeSide(app.placement, app.session.assignment, n) !== app.compare.describeSide(app.against, app.against.start, n)).length")
    browser.click("#show-compare")
    browser.frame()
    assert on_gpu > 0 and len(browser.driver.find_elements("css selector", "#differences tbody tr")) == on_gpu


def add_timeline(pages, page, name):
    """The page of a program as if it had run: each node of a device after the other."""
    with open(page) as file:
        text = file.read()
    block = re.search(r'(<script type="application/json" id="placement">)(.*?)(</script>)', text, re.DOTALL)
    data = json.loads(block.group(2))
    strings = data["view"]["strings"]
    strings.append("kernel")
    nodes = list(range(20, 40))
    data["timeline"] = {
        "clock": "virtual",
        "lanes": ["cpu:0", "gpu:0", "cpu:0 -> gpu:0"],
        "events": {
            "lane": [i % 3 for i in range(20)],
            "start": [7000000 + i * 1000 for i in range(20)],
            "length": {"runs": [900, 20]},
            "name": {"runs": [len(strings) - 1, 20]},
            "node": nodes,
            "bytes": {"runs": [-1, 20]},
        },
        "memory": [{"device": 1, "time": [7000000, 7005000, 7009000], "bytes": [10, 4096, 0]}],
        "measured": {"node": [22], "ps": [5000000]},
    }
    text = text[: block.start(2)] + json.dumps(data).replace("<", "\\u003c") + text[block.end(2) :]
    return pages.write(name, text), nodes


def timeline_and_graph(browser, pages):
    """A click on an event chooses its node; a node that is chosen elsewhere is chosen there."""
    page, _ = open_encoder(browser, pages)
    page, nodes = add_timeline(pages, page, "timed.html")
    browser.open(page)
    browser.click("#show-time")
    browser.wait("document.getElementById('time-canvas') !== null")
    x, y, width, height = browser.run("const t = app.time; const c = t.canvas; return [t.toX(t.data.start[4] + 400), 1.5 * 22, c.clientWidth, c.clientHeight]")
    browser.run("document.getElementById('time-canvas').focus()")
    browser.click_at("#time-canvas", int(x - width / 2), int(y - height / 2))
    assert browser.run("return app.selection.nodes") == [nodes[4]]
    assert browser.run("return app.scene.selected[arguments[0]]", nodes[4]) == 1
    browser.keys("n")
    assert browser.run("return app.selection.nodes") == [nodes[5]]
    browser.run("app.time.zoomAt(0, 0.1)")
    browser.run("app.pickNode(arguments[0], false, true)", nodes[19])
    start, end = browser.run("return [app.time.from, app.time.to]")
    assert start <= 7019000 and end >= 7019900, (start, end)
    assert "times" in browser.text("#measured") or "ratio" in browser.text("#measured")


def shows_a_run(browser, pages):
    """A program that ran has lanes of its devices, and what it took on them; its events are its operations."""
    page = pages.path("run.html")
    inputs = ("1x3x10x10xf32=1", "8x3x3x3xf32=1", "8xf32=-30", "4x8x3x3xf32=1")
    pages.run("hetero-run", example("conv-on-gpu"), f"--rules={example('conv-on-gpu')[:-5]}.yaml", f"--view={page}", *[f"--input={value}" for value in inputs])
    browser.open(page)
    browser.keys("t")
    browser.wait("document.getElementById('time-canvas') !== null")
    lanes = browser.run("return app.time.data.lanes")
    assert any(lane.startswith("cpu:0") for lane in lanes) and any(lane.startswith("gpu:1") for lane in lanes), lanes
    convolutions = browser.run("return app.search.find('op:conv_2d').filter((node) => app.time.data.node.includes(node)).length")
    assert convolutions == 2, convolutions
    assert len(browser.driver.find_elements("css selector", "#measured tbody tr")) >= 2
    browser.click("#measured tbody button")
    node = browser.run("return app.selection.nodes[0]")
    assert browser.run("return app.placement.timeline.measured.has(arguments[0])", node)


CASES = [compares_with_the_start, compares_two_files, timeline_and_graph, shows_a_run]
