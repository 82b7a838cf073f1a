"""An exact answer for small graphs, and a bound within memory, by a mixed integer linear program
(HiGHS, which scipy has): where each colour stands, and which values enter and leave the memory of
each accelerator. Values that live take no memory here, only sizes of operations do, so that what
is proved holds for the compiler's model, too.
"""

import itertools

import numpy

# How near the answer and its bound come before the search ends.
GAP = 0.01


class Program:
    """The variables are places of groups, then entries and exits of values, then the largest load."""

    def __init__(self, graph, objective):
        self.graph, self.objective = graph, objective
        self.devices = [f"gpu:{i}" for i in range(graph.accelerators)] + [f"cpu:{i}" for i in range(graph.hosts)]
        self._gather()
        self.rows, self.least, self.most = [], [], []
        self.entry = len(self.groups) * len(self.devices)
        self.exit = self.entry + len(self.values) * graph.accelerators
        self.largest = self.exit + len(self.values) * graph.accelerators
        self._constrain()

    def _gather(self):
        """Nodes of one colour are a group; a value goes to groups other than its own."""
        graph, numbers = self.graph, {}
        self.group_of = {}
        for node, attributes in graph.nodes.items():
            colour = attributes.get("colorClass")
            key = ("node", node) if colour is None else ("colour", colour)
            self.group_of[node] = numbers.setdefault(key, len(numbers))
        self.groups = [[] for _ in numbers]
        for node, group in self.group_of.items():
            self.groups[group].append(node)
        readers = {node: {self.group_of[r] for r in graph.readers[node]} - {self.group_of[node]} for node in graph.nodes}
        self.values = [(node, sorted(groups)) for node, groups in readers.items() if groups]

    def place(self, group, device):
        return group * len(self.devices) + device

    def _add(self, row, least, most):
        self.rows.append(row)
        self.least.append(least)
        self.most.append(most)

    def _time(self, group, device):
        key = "fpgaLatency" if device < self.graph.accelerators else "cpuLatency"
        return sum(self.graph.nodes[node][key] for node in self.groups[group])

    def _constrain(self):
        graph, accelerators = self.graph, range(self.graph.accelerators)
        for group in range(len(self.groups)):
            self._add({self.place(group, device): 1 for device in range(len(self.devices))}, 1, 1)
        for (number, (node, readers)), device in itertools.product(enumerate(self.values), accelerators):
            entry, leaves = (first + number * graph.accelerators + device for first in (self.entry, self.exit))
            home = self.place(self.group_of[node], device)
            for reader in readers:
                self._add({entry: 1, self.place(reader, device): -1, home: 1}, 0, numpy.inf)
                self._add({leaves: 1, self.place(reader, device): 1, home: -1}, 0, numpy.inf)
        for device in accelerators:
            sizes = [sum(graph.nodes[node]["size"] for node in nodes) for nodes in self.groups]
            self._add({self.place(g, device): size / graph.memory for g, size in enumerate(sizes) if size}, -numpy.inf, 1)
        for device in range(len(self.devices)):
            self._add({**self._load(device), self.largest: -1}, -numpy.inf, 0)

    def _load(self, device):
        row = {self.place(group, device): self._time(group, device) for group in range(len(self.groups))}
        if device < self.graph.accelerators:
            for number, (node, _) in enumerate(self.values):
                for first in (self.entry, self.exit):
                    row[first + number * self.graph.accelerators + device] = self.graph.costs[node]
        return row

    def _objective(self):
        costs = numpy.zeros(self.largest + 1)
        if self.objective == "throughput":
            costs[self.largest] = 1
            return costs
        for device in range(len(self.devices)):
            for variable, cost in self._load(device).items():
                costs[variable] += cost
        return costs

    def _find_most(self):
        most = numpy.ones(self.largest + 1)
        most[self.largest] = numpy.inf
        for group, nodes in enumerate(self.groups):
            if not all(self.graph.nodes[node]["supportedOnFpga"] for node in nodes):
                most[[self.place(group, device) for device in range(self.graph.accelerators)]] = 0
        return most

    def solve(self, seconds):
        """The answer's cost, None if none is found, and what no cost is below; milliseconds."""
        # Only who asks for it needs scipy.
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_matrix

        entries = [(r, c, value) for r, row in enumerate(self.rows) for c, value in row.items()]
        rows, columns, values = zip(*entries)
        matrix = csr_matrix((values, (rows, columns)), shape=(len(self.rows), self.largest + 1))
        whole = numpy.zeros(self.largest + 1)
        whole[: self.entry] = 1
        found = milp(
            self._objective(),
            constraints=LinearConstraint(matrix, self.least, self.most),
            integrality=whole,
            bounds=Bounds(numpy.zeros(self.largest + 1), self._find_most()),
            options={"time_limit": seconds, "mip_rel_gap": GAP},
        )
        return (None if found.x is None else found.fun), found.mip_dual_bound


def find_exact(graph, objective, seconds):
    return Program(graph, objective).solve(seconds)
