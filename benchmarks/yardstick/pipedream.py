"""Reads the profiles of PipeDream (Narayanan et al., "PipeDream: Generalized Pipeline
Parallelism for DNN Training", SOSP 2019; MIT, benchmarks/yardstick/data/pipedream), and
divides them as its dynamic program does, without replication.

The model of the paper: a layer takes its forward and its backward pass on an accelerator;
what crosses from a stage to a later one is sent forward and its gradient back, on a link
of these two, while both compute; the slowest stage or link is the time of a minibatch.
The host could take layers, too, but is a thousand times slower.
"""

import itertools
import operator
import re

import numpy

from graphs import LINK, RATES, Graph

NODE = re.compile(
    r"node(\d+) -- (.*) -- forward_compute_time=([\d.]+), backward_compute_time=([\d.]+), "
    r"activation_size=([^,]+), parameter_size=([\d.]+)"
)
EDGE = re.compile(r"\tnode(\d+) -- node(\d+)")
HOST_IS_SLOWER = 1000
# Forward and back.
CROSSINGS = 2


class Profile(Graph):
    """A profile as a graph, for so many accelerators with links between each two."""

    def __init__(self, path, accelerators):
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        layers = [found.groups() for found in map(NODE.fullmatch, lines) if found]
        edges = [tuple(map(int, found.groups())) for found in map(EDGE.fullmatch, lines) if found]
        # Inputs are wherever the first stage is, and what nobody takes of a result is nothing.
        sources = {source for source, _ in edges}
        left_out = {
            int(number)
            for number, name, *_ in layers
            if name.startswith("Input") or (name.startswith("__getitem__") and int(number) not in sources)
        }
        layers = {int(number): Layer(*numbers) for number, _, *numbers in layers if int(number) not in left_out}
        super().__init__(
            {
                "maxFPGAs": accelerators,
                "maxCPUs": 1,
                "maxSizePerFPGA": 0,
                "nodes": [{"id": number, **layer.attributes} for number, layer in layers.items()],
                "edges": [
                    {"sourceId": source, "destId": target, "cost": layers[source].crossing}
                    for source, target in edges
                    if not left_out & {source, target}
                ],
            }
        )

    def topology(self):
        devices = ["cpu:0", *(f"gpu:{number}" for number in range(self.accelerators))]
        specs = [f"#hetero.device_spec<device = #hetero.device<{device}>, {RATES}>" for device in devices]
        links = [
            f"#hetero.link<from = #hetero.device<{a}>, to = #hetero.device<{b}>, bandwidth = {LINK}, latency = 0>"
            for a in devices
            for b in devices
            if a != b
        ]
        return f"#hetero.topology<devices = [{', '.join(specs)}], links = [{', '.join(links)}]>"


class Layer:
    def __init__(self, forward, backward, activations, _parameters):
        size = sum(map(float, activations.strip("[]").split("; ")))
        time = float(forward) + float(backward)
        # Milliseconds.
        self.crossing = CROSSINGS * size / LINK * 1e3
        self.attributes = {
            "fpgaLatency": time, "cpuLatency": time * HOST_IS_SLOWER, "size": 0, "supportedOnFpga": 1,
        }  # fmt: skip


class States:
    """Parts of a graph that have all they need, each with one more layer, and what that needs,
    than one before; as sets of bits. The first begins with the first layer. Where there are
    too many, as with the many branches of nasnet, they are the beginnings of one order."""

    MOST = 5000

    def __init__(self, graph):
        self.graph = graph
        self.bits = {node: 1 << place for place, node in enumerate(graph.order)}
        self.closures = {}
        for node in graph.order:
            self.closures[node] = self.bits[node]
            for operand in graph.operands[node]:
                self.closures[node] |= self.closures[operand]
        self.states = self._find_all() or list(itertools.accumulate(self.bits.values(), operator.or_))

    def _find_all(self):
        """In the order of their sizes; None for too many."""
        found = {self.closures[self.graph.order[0]]}
        worklist = list(found)
        for state in worklist:
            following = {state | self.closures[node] for node in self._list_next(state)} - found
            found |= following
            worklist += sorted(following)
            if len(found) > self.MOST:
                return None
        return sorted(found, key=lambda state: (state.bit_count(), state))

    def _list_next(self, state):
        """Layers outside that read something inside; if there is none, any outside."""
        outside = [node for node in self.graph.order if not state & self.bits[node]]
        reading = [node for node in outside if any(state & self.bits[each] for each in self.graph.operands[node])]
        return reading or outside

    def list_nodes(self, state):
        return [node for node in self.graph.order if state & self.bits[node]]

    def work(self, state):
        return sum(self.graph.nodes[node]["fpgaLatency"] for node in self.list_nodes(state))

    def crossing(self, state):
        """Milliseconds of what leaves the part."""
        return sum(
            self.graph.costs[node]
            for node in self.list_nodes(state)
            if any(not state & self.bits[reader] for reader in self.graph.readers[node])
        )


def find_stages(graph):
    """The device of each layer, by the dynamic program: the slowest stage or link of a pipeline
    that ends with a state is the least over the states where its last stage may begin."""
    parts = States(graph)
    states = parts.states
    work = numpy.array([parts.work(state) for state in states])
    crossing = numpy.array([parts.crossing(state) for state in states])
    stage = numpy.full((len(states), len(states)), numpy.inf)
    for end, state in enumerate(states):
        begins = [begin for begin in range(end) if states[begin] & ~state == 0]
        stage[begins, end] = numpy.maximum(work[end] - work[begins], crossing[begins])
    slowest, origins = work, []
    for _ in range(1, graph.accelerators):
        through = numpy.maximum(slowest[:, None], stage)
        origin = through.argmin(axis=0)
        least = through[origin, numpy.arange(len(states))]
        origins.append(numpy.where(least < slowest, origin, -1))
        slowest = numpy.minimum(slowest, least)
    devices, end = {}, len(states) - 1
    for number in range(graph.accelerators - 1, -1, -1):
        begin = origins[number - 1][end] if number else -1
        if begin < 0 < number:
            continue
        taken = states[end] & ~(states[begin] if number else 0)
        devices.update((node, f"gpu:{number}") for node in parts.list_nodes(taken))
        end = begin
    return devices
