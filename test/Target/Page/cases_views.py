"""What the page shows, and how people get about in it."""

import re

import networks
from pages import EXAMPLES, example, picoseconds
from selenium.webdriver.common.keys import Keys

PROGRAMS = {"encoder": networks.make_encoder, "residual": networks.make_residual}


def source_of(pages, name):
    return pages.write(f"{name}.mlir", PROGRAMS[name]()) if name in PROGRAMS else example(name)


def count_shown(browser):
    """Nodes that are drawn when every box is open, and those that the tree lists."""
    return browser.run(
        "app.scene.openness.state.fill(BoxState.Open); app.scene.openness.refresh(); app.graph.fitAll(); app.graph.camera.scale = 2;"
        "app.graph.camera.width = app.graph.camera.height = 1e6; app.graph.camera.x = app.graph.camera.y = -10;"
        "const seen = app.scene.collectVisible(app.graph.camera); app.graph.resize();"
        "for (let b = 0; b < app.placement.view.numBoxes; ++b) app.tree.expanded.add(b); app.tree.collect();"
        "return [seen.nodes.length + app.placement.view.boxOfNode.size, app.tree.rows.filter((row) => row.node >= 0).length + app.placement.view.boxOfNode.size, app.problem.numNodes];"
    )


def count_operations(placed):
    """Operations that placement has put somewhere."""
    with open(placed) as file:
        return len(re.findall(r"hetero\.device = ", file.read()))


def shows_every_operation(browser, pages):
    """Each operation of the examples and of two networks is drawn and listed, and the sum is that of the report."""
    for name in [*EXAMPLES, *PROGRAMS]:
        page, report = pages.make(source_of(pages, name), name)
        browser.open(page)
        drawn, listed, count = count_shown(browser)
        assert drawn == listed == count, (name, drawn, listed, count)
        operations = browser.run("return [...app.problem.kind].filter((kind) => kind !== Kind.Carried).length")
        assert operations == count_operations(pages.path(f"{name}.placed.mlir")), (name, operations)
        assert int(browser.find("#sum").get_attribute("data-ps")) == picoseconds(report), name
        # Priced by the page from nothing, it is the same.
        assert int(browser.run("return String(app.session.pricer.cost.get())")) == picoseconds(report), name
        assert browser.run("return app.session.pricer.copies") == report["copies"], name
        assert browser.messages() == []


def open_encoder(browser, pages):
    page, report = pages.make(source_of(pages, "encoder"), "encoder")
    browser.open(page)
    return report


def details_of_a_node(browser, pages):
    """A row of the tree shows name, IR, place in the source, costs on each device, and why it is there."""
    open_encoder(browser, pages)
    browser.click("#tree")
    browser.keys(Keys.HOME)
    browser.run("app.pickNode(app.search.find('name:query op:matmul')[0], false, true)")
    text = browser.text("#details")
    for part in ("linalg.matmul", "encoder/layer0/attention/query", "gpu:0", "Why on", "price", "IR"):
        assert part in text, (part, text)
    assert len(browser.driver.find_elements("css selector", "#costs tbody tr")) == 2
    assert browser.run("return app.scene.selected[app.selection.nodes[0]]") == 1


def search_and_filter(browser, pages):
    """Search by name, operation and shape finds what there is; results can be chosen; devices can be dimmed."""
    open_encoder(browser, pages)
    for query, count in (("op:softmax", 4), ("name:layer1/feed op:matmul", 2), ("shape:128x128 op:matmul", 4), ("nothing-such", 0)):
        field = browser.find("#search")
        field.clear()
        field.send_keys(query)
        browser.wait("document.getElementById('found').textContent === arguments[0]", f"{count} found")
        assert browser.run("return app.scene.marked.reduce((a, b) => a + b, 0)") == count
    field = browser.find("#search")
    field.clear()
    field.send_keys("op:softmax", Keys.ENTER)
    assert browser.run("return app.selection.nodes.length") == 4
    browser.click("[data-filter='0']")
    assert browser.run("return app.scene.isDimmed([...app.session.assignment.device].indexOf(0))") is True


def nodes_have_groups(browser, pages):
    """Devices of several nodes stand together in the legend, which dims all of a node at once; what crosses the
    network has its price there, also after an edit."""
    rules = pages.write("nodes.yaml", 'rules:\n- {name: "encoder/layer[1-9].*", device: "gpu:0@1"}\ndefault: "gpu:0"\n')
    page, report = pages.make(source_of(pages, "encoder"), "encoder-nodes", rules)
    browser.open(page)
    assert browser.run("return app.problem.devices") == ["cpu:0", "gpu:0", "cpu:0@1", "gpu:0@1"]
    assert browser.run("return String(app.session.pricer.cost.get())") == str(picoseconds(report))
    groups = [group.get_attribute("aria-label") for group in browser.driver.find_elements("css selector", "#legend .node")]
    assert groups == ["node 0", "node 1"], groups
    browser.click("[data-node='1']")
    dimmed = [device for device in range(4) if browser.run("return app.scene.dimmedDevices.has(arguments[0])", device)]
    assert dimmed == [2, 3], dimmed
    assert browser.run("return [...document.querySelectorAll('[data-filter]')].map((box) => box.checked)") == [True, True, False, False]
    browser.click("[data-node='1']")
    assert browser.run("return app.scene.dimmedDevices.size") == 0
    found = "app.search.find('op:softmax device:gpu:0@1')"
    assert browser.run(f"return {found}.length") > 0
    browser.run(f"app.pickNode({found}[0], false, true)")
    change = browser.run("const cost = app.session.pricer.getMoveCost(app.selection.nodes[0], 1); return cost.compute + cost.copies")
    assert change > 2 * 5_000_000, change  # there and back over the network
    browser.run("app.move(1)")
    assert browser.run("return Number(app.session.getCost())") == picoseconds(report) + change


def boxes_open_and_close(browser, pages):
    """A click opens a closed box, so does zooming in; the keyboard does both in the tree."""
    open_encoder(browser, pages)
    browser.run("app.scene.openness.state.fill(BoxState.Closed, 1); app.scene.openness.refresh(); app.graph.fitAll();")
    browser.frame()
    assert browser.run("return app.scene.collectVisible(app.graph.camera).nodes.length") == 0
    browser.click_at("#graph", 0, 0)
    browser.wait("app.scene.openness.open[1] === 1")
    browser.run("app.scene.openness.state.fill(BoxState.Auto); app.graph.camera.scale = 0.01; app.scene.openness.update(0.01);")
    closed = browser.run("return app.scene.openness.open.reduce((a, b) => a + b, 0)")
    browser.run("app.graph.fitAll()")
    for _ in range(10):
        browser.wheel("#graph", -300)
    browser.frame()
    assert browser.run("return app.scene.openness.open.reduce((a, b) => a + b, 0)") > closed
    browser.click("#tree")
    browser.keys(Keys.HOME, Keys.ARROW_LEFT)
    assert browser.run("return app.tree.rows.length") == 1
    browser.keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    assert browser.run("return app.tree.rows.length") > 2
    assert browser.run("return document.activeElement.id + ' ' + document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).getAttribute('role')") == "tree treeitem"


def corner(browser):
    """How bright the first pixel of the picture is."""
    browser.frame()
    script = "const c = document.createElement('canvas').getContext('2d', {willReadFrequently: true}); c.drawImage(app.graph.canvas, 0, 0);"
    return browser.run(f"{script} return c.getImageData(2, 2, 1, 1).data.slice(0, 3).reduce((a, b) => a + b, 0)")


def light_and_dark(browser, pages):
    """The page follows what the system prefers, and a switch; pixels of the picture change with it."""
    open_encoder(browser, pages)
    before = corner(browser)
    browser.click("#dark")
    after = corner(browser)
    assert abs(before - after) > 300, (before, after)
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    browser.driver.refresh()
    browser.frame()
    assert browser.run("return document.documentElement.dataset.theme") == "dark"
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


CASES = [shows_every_operation, details_of_a_node, search_and_filter, nodes_have_groups, boxes_open_and_close, light_and_dark]
