"""Moving operations: by mouse, keyboard and search; what that costs; rules that
give the same placement."""

import concurrent.futures
import os
import re

from cases_views import PROGRAMS, source_of
from pages import ROOT, picoseconds
from selenium.webdriver.common.keys import Keys

# Programs in which something is open to choice.
EDITED = ("conv-on-gpu", "shared-operand", "tutorial/model", *PROGRAMS)
COST = "return Number(app.session.getCost())"


def open_encoder(browser, pages):
    page, report = pages.make(source_of(pages, "encoder"), "encoder")
    browser.open(page)
    return picoseconds(report)


def choose(browser, query):
    """The first that a search finds, as the picture shows it."""
    browser.run("app.pickNode(app.search.find(arguments[0])[0], false, true)", query)
    browser.frame()


def by_mouse(browser, pages):
    """A click on the node and one on a device move it; undo brings it back."""
    before = open_encoder(browser, pages)
    choose(browser, "name:layer1 op:softmax")
    node = browser.run("return app.selection.nodes[0]")
    browser.run("app.select([], -1)")
    browser.click_at("#graph", 0, 0)
    assert browser.run("return app.selection.nodes") == [node]
    device = browser.run("return app.session.assignment.device[arguments[0]]", node)
    browser.click(f"#details [data-device='{1 - device}']")
    assert browser.run("return app.session.assignment.device[arguments[0]]", node) == 1 - device
    after = browser.run(COST)
    assert after > before, (before, after)
    assert int(browser.find("#change").get_attribute("data-ps")) == after - before
    browser.click("#undo")
    assert browser.run(COST) == before
    browser.click("#redo")
    assert browser.run(COST) == after


def by_keyboard(browser, pages):
    """Tree, arrows, number keys, undo and redo; nothing needs the mouse."""
    before = open_encoder(browser, pages)
    browser.keys("/")
    assert browser.run("return document.activeElement.id") == "search"
    browser.keys("op:softmax", Keys.ENTER)
    assert browser.run("return app.selection.nodes.length") == 4
    browser.run("document.getElementById('tree').focus()")
    browser.keys(Keys.HOME)
    choose(browser, "name:layer2 op:softmax")
    browser.run("document.getElementById('tree').focus()")
    device = browser.run("return app.session.assignment.device[app.selection.nodes[0]]")
    browser.keys(str(2 - device))
    after = browser.run(COST)
    assert after != before
    browser.control("z")
    assert browser.run(COST) == before
    browser.control("y")
    assert browser.run(COST) == after
    browser.keys("o")
    assert browser.run("return app.session.note").startswith("exact")
    assert browser.run(COST) <= after


def by_rectangle_and_search(browser, pages):
    """All in a rectangle, and all results of a search, move at once, as one step."""
    before = open_encoder(browser, pages)
    choose(browser, "name:layer0 op:softmax")
    browser.drag_with_shift("#graph", (-150, -100), (150, 100))
    assert browser.run("return app.selection.nodes.length") > 1
    field = browser.find("#search")
    field.send_keys("op:matmul name:layer0", Keys.ENTER)
    count = browser.run("return app.selection.nodes.length")
    assert count == 7, count
    browser.click("#details [data-device='0']")
    devices = browser.run("return app.selection.nodes.map((node) => app.session.assignment.device[node])")
    assert devices == [0] * count, devices
    assert browser.run("return app.session.done.length") == 1
    browser.click("#undo")
    assert browser.run(COST) == before


def edit(browser, seed):
    """A random edit: one node, or all of an operation, to a device, or free."""
    return browser.run(
        """
        let state = arguments[0] * 7919 + 17;
        const random = (below) => { state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0; return state % below; };
        const movable = [...Array(app.problem.numNodes).keys()].filter((node) => app.session.getRefusal(node) === "");
        if (movable.length === 0) return 0;
        const node = movable[random(movable.length)];
        const op = app.placement.view.op[node];
        const nodes = random(4) === 0 ? movable.filter((other) => app.placement.view.op[other] === op) : [node];
        const kind = random(8);
        if (kind === 0) { app.session.optimize(); return 1; }
        return kind === 1 ? app.session.free(nodes) : app.session.pin(nodes, random(app.problem.numDevices));
        """,
        seed,
    )


def edit_often(browser, count=30):
    """The text, the sum, the copies and the memory after each of so many edits that changed something."""
    found = []
    for seed in range(20 * count):
        if len(found) == count:
            break
        if edit(browser, seed):
            found.append(browser.run("return {text: writeRules(app.session).text, cost: Number(app.session.getCost()), copies: app.session.pricer.copies, memory: app.session.getMemoryPeaks()}"))
    assert len(found) == count, len(found)
    return found


def check_rules(pages, source, name, state):
    """The exported rules give the sum, the copies and the memory that the page shows."""
    rules = pages.write(f"{name}.yaml", state["text"])
    _, report = pages.place(source, name, rules)
    memory = [device["memory_bytes"] for device in report["devices"]]
    found = (picoseconds(report), report["copies"], memory)
    assert found == (state["cost"], state["copies"], state["memory"]), (name, found, state)
    memory = [device["memory_bytes"] for device in report["devices"]]
    assert memory == state["memory"], (name, report, state)


def random_edits_and_rules(browser, pages):
    """After each of 30 random edits of each program the exported rules give the same sum, as many copies, and the same peaks of memory."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        checks = []
        for name in EDITED:
            source = source_of(pages, name)
            browser.open(pages.make(source, name)[0])
            for state in edit_often(browser):
                checks.append(pool.submit(check_rules, pages, source, f"{name}.{len(checks)}", state))
        for check in checks:
            check.result()


def edit_on(browser, pages, name, devices):
    """Random edits of a network on these devices, each checked by the rules that the page makes of it."""
    source = source_of(pages, "encoder")
    page, report = pages.make(source, name, pages.write(f"{name}.yaml", f"devices: {devices}\n"))
    browser.open(page)
    assert browser.run("return app.problem.devices") == devices
    assert browser.run("return app.session.pricer.copies") == report["copies"]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        checks = [pool.submit(check_rules, pages, source, f"{name}.{i}", state) for i, state in enumerate(edit_often(browser, 20))]
        for check in checks:
            check.result()


def random_edits_on_three_devices(browser, pages):
    """With a third device the exported rules give the same placement, too."""
    edit_on(browser, pages, "three", ["cpu:0", "gpu:0", "gpu:1"])


def random_edits_on_two_nodes(browser, pages):
    """And with a second node."""
    edit_on(browser, pages, "nodes", ["cpu:0", "gpu:0", "cpu:0@1", "gpu:0@1"])


def rules_are_few(browser, pages):
    """What has something in common is one rule; pins that cost follows are the only rules."""
    open_encoder(browser, pages)
    browser.run("app.pickMany(app.search.find('op:softmax'), false); app.move(0); app.optimize();")
    rules = browser.run("return writeRules(app.session)")
    assert "rules" in rules["text"] and len(rules["rules"]) == 1, rules["text"]
    browser.keys("e")
    assert "linalg.softmax" in browser.text("#rules")


def rules_of_the_tutorial(browser, pages):
    """What docs/Tutorial.md does on the page gives the rules that stand there."""
    with open(os.path.join(ROOT, "docs", "Tutorial.md")) as file:
        shown = re.search(r"```yaml\n# build/page.yaml\n(.*?)```", file.read(), re.DOTALL).group(1)
    browser.open(pages.make(source_of(pages, "tutorial/model"), "tutorial")[0])
    browser.run("app.pickNode(app.search.find('op:matmul')[0], false, true)")
    browser.keys("2")
    browser.keys("o")
    browser.keys("e")
    assert browser.text("#rules").split("\n", 1)[1].strip() == shown.strip()


CASES = [by_mouse, by_keyboard, by_rectangle_and_search, rules_are_few, rules_of_the_tutorial, random_edits_and_rules, random_edits_on_three_devices, random_edits_on_two_nodes]
