"""Reads the data of a page that hetero-translate --placement-to-html wrote,
and computes from it what the compiler computed: the price of the placement, as
docs/Visualizer.md defines it, and that its boxes are well laid out."""

import json
import math
import re
from fractions import Fraction

NEVER = 2**63 - 1
TIMED, HOST, CARRIED, COPY = range(4)


def column(data):
    """The values of one column."""
    if isinstance(data, list):
        return [NEVER if value is None else int(value) for value in data]
    if "runs" in data:
        runs = data["runs"]
        return [value for i in range(0, len(runs), 2) for value in [runs[i]] * runs[i + 1]]
    values, last = [], 0
    for step in data["delta"]:
        last += step
        values.append(last)
    return values


def decode(data):
    """A table, or an object of tables, with its columns as lists."""
    if isinstance(data, dict):
        if "runs" in data or "delta" in data:
            return column(data)
        return {key: decode(value) for key, value in data.items()}
    if isinstance(data, list) and all(value is None or isinstance(value, (int, str)) for value in data):
        try:
            return column(data)
        except ValueError:
            return data
    return data


def read(text, name="placement"):
    return json.loads(re.search(rf'id="{name}">(.*?)</script>', text, re.S).group(1))


def add(a, b):
    return min(a + b, NEVER)


class Problem:
    """What is priced."""

    def __init__(self, data):
        frequencies = data["blocks"]["frequency"]
        data = decode(data)
        self.count = len(data["devices"])
        self.frequency = [Fraction(frequency) for frequency in frequencies]
        self.parent = data["blocks"]["parent"]
        self.nodes, self.values = data["nodes"], data["values"]
        self.times, self.unified, self.sizes, self.transfer = (
            data[key] for key in ("times", "unified", "sizes", "transfer")
        )
        self.reads = list(zip(*(data["reads"][key] for key in ("node", "value", "block"))))
        self.fixed = list(zip(*(data["fixed"][key] for key in ("value", "device", "block"))))
        self.partial = list(zip(*(data["partial"][key] for key in ("value", "block", "size"))))
        self.reads_of_node = [[] for _ in self.nodes["kind"]]
        for node, value, _ in self.reads:
            self.reads_of_node[node].append(value)

    def scale(self, time, block):
        if time in (0, NEVER):
            return time
        return min(math.ceil(time * self.frequency[block]), NEVER - 1)

    def time(self, node, device):
        return self.times[self.nodes["times"][node] * self.count + device]

    def transfer_time(self, size, source, target):
        return self.transfer[(size * self.count + source) * self.count + target]


class Price:
    """The price of one assignment."""

    def __init__(self, problem, device, replicated):
        self.problem, self.device, self.replicated = problem, device, replicated
        self.cost, self.copies = 0, 0
        self.links, self.loads = {}, [[0, 0] for _ in range(problem.count)]
        self.replicas = self.count_replicas()
        self.add_nodes()
        self.add_values()

    def stands(self, node):
        """The devices on which a node runs."""
        if not self.replicated[node]:
            return [self.device[node]]
        return [device for device in range(self.problem.count) if (node, device) in self.replicas]

    def count_replicas(self):
        problem, replicas, worklist = self.problem, set(), []

        def want(value, device):
            producer = problem.values["producer"][value]
            if producer >= 0 and self.replicated[producer] and (producer, device) not in replicas:
                replicas.add((producer, device))
                worklist.append((producer, device))

        for node, value, _ in problem.reads:
            if not self.replicated[node]:
                want(value, self.device[node])
        for value, device, _ in problem.fixed:
            want(value, device)
        for value, _, _ in problem.partial:
            want(value, 0)
        while worklist:
            node, device = worklist.pop()
            for value in problem.reads_of_node[node]:
                want(value, device)
        return replicas

    def add_nodes(self):
        for node, kind in enumerate(self.problem.nodes["kind"]):
            if kind != TIMED:
                continue
            for device in self.stands(node):
                time = self.problem.time(node, device)
                self.loads[device][0] += 1
                self.loads[device][1] = add(self.loads[device][1], time)
                self.cost = add(self.cost, time)

    def add_values(self):
        problem = self.problem
        uses = [[] for _ in problem.values["size"]]
        for node, value, block in problem.reads:
            uses[value] += [(device, block) for device in self.stands(node)]
        for value, device, block in problem.fixed:
            uses[value].append((device, block))
        parts = [[] for _ in problem.values["size"]]
        for value, block, size in problem.partial:
            parts[value].append((block, size))
        for value, producer in enumerate(problem.values["producer"]):
            if producer >= 0 and self.replicated[producer]:
                continue
            source = self.device[producer] if producer >= 0 else problem.values["device"][value]
            for target in range(problem.count):
                if target != source:
                    blocks = [block for device, block in uses[value] if device == target]
                    self.add_copies(value, source, target, blocks, parts[value] if target == 0 else [])

    def add_copies(self, value, source, target, blocks, parts):
        """The cheapest blocks between the definition and the uses: bottom-up, a
        copy in the block, or what is below."""
        problem = self.problem
        size, home = problem.values["size"][value], problem.values["block"][value]
        time = problem.transfer_time(size, source, target)
        optional = [
            (block, size, problem.scale(problem.transfer_time(size, source, 0), block)) for block, size in parts
        ]
        if not blocks and not optional:
            return
        wanted = {home: False}
        for block in blocks + [part[0] for part in optional]:
            path = block
            while path not in wanted:
                wanted[path] = False
                path = problem.parent[path]
        for block in blocks:
            wanted[block] = True
        below, copied = dict.fromkeys(wanted, 0), {}
        for block, _, cost in optional:
            below[block] = add(below[block], cost)
        for block in sorted(wanted, reverse=True):
            here = problem.scale(time, block)
            copied[block] = wanted[block] or here <= below[block]
            if block != home:
                parent = problem.parent[block]
                below[parent] = add(below[parent], here if copied[block] else below[block])
        served = {}
        for block in sorted(wanted):
            served[block] = block != home and served[problem.parent[block]]
            if not served[block] and copied[block]:
                served[block] = True
                self.add_copy(source, target, problem.sizes[size], problem.scale(time, block))
        for block, part, cost in optional:
            if not served[block]:
                self.add_copy(source, target, problem.sizes[part], cost)

    def add_copy(self, source, target, bytes_, time):
        link = self.links.setdefault((source, target), [0, 0, 0])
        link[0] += 1
        link[1] = add(link[1], 0 if self.problem.unified[source * self.problem.count + target] else bytes_)
        link[2] = add(link[2], time)
        self.copies += 1
        self.cost = add(self.cost, time)


def check_price(data):
    solution = data["solution"]
    price = Price(Problem(data["problem"]), column(solution["device"]), column(solution["replicated"]))
    links = {(link["from"], link["to"]): [int(link[key]) for key in ("copies", "bytes", "time")] for link in solution["links"]}
    loads = [[int(load["ops"]), int(load["time"])] for load in solution["loads"]]
    for what, got, expected in (
        ("cost", price.cost, int(solution["cost"])),
        ("copies", price.copies, int(solution["copies"])),
        ("links", price.links, links),
        ("loads", price.loads, loads),
        ("sum of the sites", sum(column(solution["sites"]["time"])), sum(link[2] for link in links.values())),
    ):
        if got != expected:
            raise SystemExit(f"{what}: expected {expected}, got {got}")
    return price


def check_layout(data):
    """What is in a box lies in it, below its title, and nothing overlaps."""
    view = decode(data["view"])
    width, height = view["size"]["w"], view["size"]["h"]
    boxes, nodes, ports = view["boxes"], view["nodes"], view["ports"]
    rectangles = list(zip(*(boxes[key] for key in "xywh")))
    inside = [[] for _ in rectangles]
    for box, parent in enumerate(boxes["parent"]):
        if parent >= 0:
            assert parent < box, "a box comes before what it is in"
            inside[parent].append(rectangles[box])
    drawn_as_box = set(boxes["node"])
    for node, (box, x, y) in enumerate(zip(nodes["box"], nodes["x"], nodes["y"])):
        if node not in drawn_as_box:
            inside[box].append((x, y, width, height))
    for box, x, y in zip(ports["box"], ports["x"], ports["y"]):
        inside[box].append((x, y, width, height))
    for (x, y, w, h), children in zip(rectangles, inside):
        for cx, cy, cw, ch in children:
            assert x < cx and y + 2 < cy and cx + cw < x + w and cy + ch < y + h, "a child leaves its box"
        rows = sorted(children, key=lambda child: (child[1], child[0]))
        for i, a in enumerate(rows):
            for b in rows[i + 1 :]:
                if b[1] >= a[1] + a[3]:
                    break
                assert a[0] + a[2] <= b[0] or b[0] + b[2] <= a[0], "two children overlap"
