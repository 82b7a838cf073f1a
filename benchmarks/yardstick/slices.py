"""Plain placements within memory, which a placement must not be above: an order of
the operations, colocated ones together, is cut into consecutive slices, each on an
accelerator of its own, if its weights and the values that live there fit, or on the
host. A dynamic program finds the cut with the least sum of work and copies, each value
out once and in once per slice, or with the least largest slice. hetero-place prices
them, with every operation pinned.
"""

import heapq
from collections import Counter, defaultdict

NEVER = float("inf")
# Shares of the memory that are kept free, until the compiler finds that a cut fits.
RESERVES = (0, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3)


def find_components(count, successors):
    """The number of the strongly connected component of each vertex, a component
    before those that lead to it (Tarjan 1972)."""
    index, low, component = [0] * count, [0] * count, [-1] * count
    stack, seen, components = [], 0, 0
    for root in range(count):
        if index[root]:
            continue
        calls = [(root, None)]
        while calls:
            vertex, others = calls.pop()
            if others is None:
                seen += 1
                index[vertex] = low[vertex] = seen
                stack.append(vertex)
                others = iter(successors[vertex])
            for other in others:
                if not index[other]:
                    calls += [(vertex, others), (other, None)]
                    break
                if component[other] < 0:
                    low[vertex] = min(low[vertex], index[other])
            else:
                if low[vertex] == index[vertex]:
                    members = stack[stack.index(vertex) :]
                    del stack[-len(members) :]
                    for member in members:
                        component[member] = components
                    components += 1
                if calls:
                    caller = calls[-1][0]
                    low[caller] = min(low[caller], low[vertex])
    return component


class Blocks:
    """What must stand on one device, or lies on ways between such, is one block."""

    def __init__(self, graph):
        self.graph = graph
        numbers = {node: number for number, node in enumerate(graph.nodes)}
        leaders, groups = {}, {}
        for node, attributes in graph.nodes.items():
            colour = attributes.get("colorClass")
            groups[node] = numbers[node] if colour is None else leaders.setdefault(colour, numbers[node])
        successors = [set() for _ in numbers]
        for node, readers in graph.readers.items():
            successors[groups[node]] |= {groups[reader] for reader in readers} - {groups[node]}
        components = find_components(len(numbers), [sorted(each) for each in successors])
        # A component has a lower number than those that lead to it.
        self.block_of = {node: -components[groups[node]] for node in graph.nodes}

    def list_orders(self):
        """Lists of lists of operations: along ways, and as the program has them."""
        yield self._gather(sorted(set(self.block_of.values())))
        yield self._gather(self._sort_as_program())

    def _gather(self, order):
        ranks = {block: rank for rank, block in enumerate(order)}
        gathered = [[] for _ in order]
        for node in self.graph.order:
            gathered[ranks[self.block_of[node]]].append(node)
        return gathered

    def _sort_as_program(self):
        first, successors, missing = {}, defaultdict(set), Counter()
        for position, node in enumerate(self.graph.order):
            first.setdefault(self.block_of[node], position)
        for node, readers in self.graph.readers.items():
            for reader in readers:
                if self.block_of[reader] != self.block_of[node]:
                    successors[self.block_of[node]].add(self.block_of[reader])
        missing.update(other for others in successors.values() for other in others)
        ready = [(position, block) for block, position in first.items() if not missing[block]]
        heapq.heapify(ready)
        order = []
        while ready:
            block = heapq.heappop(ready)[1]
            order.append(block)
            for other in successors[block]:
                missing[other] -= 1
                if not missing[other]:
                    heapq.heappush(ready, (first[other], other))
        return order


class Slice:
    """Blocks that follow each other, to which more are added at the end."""

    def __init__(self, cutter, begin):
        self.cutter, self.begin = cutter, begin
        self.nodes, self.inputs = [], set()
        self.on_gpu = self.on_host = self.weights = self.incoming = self.outgoing = 0
        self.is_possible = True
        self.last_reads = defaultdict(list)

    def add(self, block):
        graph, cutter = self.cutter.graph, self.cutter
        for node in cutter.order[block]:
            attributes = graph.nodes[node]
            self.is_possible = self.is_possible and attributes["supportedOnFpga"]
            self.on_gpu += attributes["fpgaLatency"]
            self.on_host += attributes["cpuLatency"]
            self.weights += attributes["size"]
            self.nodes.append(node)
            for operand in graph.operands[node]:
                if cutter.block_of[operand] < self.begin and operand not in self.inputs:
                    self.inputs.add(operand)
                    self.incoming += graph.costs[operand]
            last = max((cutter.block_of[reader] for reader in graph.readers[node]), default=block)
            if last > block:
                self.outgoing += graph.costs[node]
                self.last_reads[last].append(node)
        # What only this slice reads does not leave it.
        self.outgoing -= sum(graph.costs[node] for node in self.last_reads.pop(block, ()))

    def fits(self, memory):
        return self.is_possible and self.weights <= memory and self.weights + self._find_peak() <= memory

    def _find_peak(self):
        """Bytes of values that live at once, in the order of the program."""
        graph, positions = self.cutter.graph, self.cutter.positions
        here = {node: place for place, node in enumerate(sorted(self.nodes, key=positions.get))}
        changes = [0] * (len(here) + 1)
        for node in [*here, *self.inputs]:
            reads = [here[reader] for reader in graph.readers[node] if reader in here]
            begin = here[node] if node in here else min(reads)
            changes[begin] += self.cutter.bytes_of[node]
            changes[max(reads, default=begin) + 1] -= self.cutter.bytes_of[node]
        live = peak = 0
        for change in changes:
            live += change
            peak = max(peak, live)
        return peak


class Cutter:
    """Cuts one order of blocks."""

    def __init__(self, graph, order):
        self.graph, self.order = graph, order
        self.block_of = {node: block for block, nodes in enumerate(order) for node in nodes}
        self.positions = {node: position for position, node in enumerate(graph.order)}
        self.bytes_of = {node: graph.result_bytes(node) if graph.readers[node] else 0 for node in graph.nodes}

    def cut(self, memory, is_largest, uses_host):
        """The device of each node, or None; for the least sum, or the least largest slice."""
        join = max if is_largest else lambda a, b: a + b
        count, gpus = len(self.order), self.graph.accelerators
        best = [[NEVER] * (gpus + 1) for _ in range(count + 1)]
        best[0][0], origins = 0, {}

        def offer(end, used, cost, origin):
            if cost < best[end][used]:
                best[end][used], origins[end, used] = cost, origin

        for begin in range(count):
            if min(best[begin]) == NEVER:
                continue
            part = Slice(self, begin)
            for end in range(begin + 1, count + 1):
                part.add(end - 1)
                fits = part.fits(memory)
                for used, cost in enumerate(best[begin]):
                    if fits and used < gpus:
                        work = part.on_gpu + part.incoming + part.outgoing
                        offer(end, used + 1, join(cost, work), (begin, used))
                    if uses_host:
                        offer(end, used, join(cost, part.on_host), (begin, used))
                if not uses_host and (not part.is_possible or part.weights > memory):
                    break
        return self._read(best[count], origins)

    def _read(self, costs, origins):
        used = min(range(len(costs)), key=costs.__getitem__)
        if costs[used] == NEVER:
            return None
        devices, end = {}, len(self.order)
        while end:
            begin, before = origins[end, used]
            device = f"gpu:{before}" if used != before else "cpu:0"
            devices.update((node, device) for nodes in self.order[begin:end] for node in nodes)
            end, used = begin, before
        return devices


def find_slices(graph, objective, price):
    """The least of what price(devices) says of slices, None for what does not fit; None if none fits."""
    ways = [(True, True), (True, False), (False, True)] if objective == "throughput" else [(False, True)]
    found = []
    for order in Blocks(graph).list_orders():
        cutter = Cutter(graph, order)
        for is_largest, uses_host in ways:
            for reserve in RESERVES:
                devices = cutter.cut(graph.memory * (1 - reserve), is_largest, uses_host)
                cost = devices and price(devices)
                if cost:
                    found.append(cost)
                    break
    return min(found, default=None)
