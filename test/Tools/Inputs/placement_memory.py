"""Finds the bytes that live at once on each device, from the data of a page:
lib/Analysis/Placement/Memory/MemoryUse.h says what counts."""

from placement_page import CARRIED, decode

EMPTY = (1 << 32, 0)


class Memory:
    """The peaks of one assignment, given where replicas are."""

    def __init__(self, data, problem, price):
        self.model = decode(data)
        self.problem, self.price = problem, price
        self.count = problem.count
        values = problem.values["size"]
        self.bytes = [problem.sizes[size] for size in values]
        self.spans = [[EMPTY] * self.count for _ in values]
        self.block_carriers = set(self.model["blockCarriers"])
        self.add_uses()
        for value in reversed(range(len(values))):
            self.add_definition(value)
            self.share(value)
        carriers = self.model["carriers"]
        results = {}
        for value, producer in enumerate(problem.values["producer"]):
            results.setdefault(producer, []).append(value)
        for node, first, last in zip(*(carriers[key] for key in ("node", "first", "last"))):
            self.add_carried(node, (first, last), results.get(node, []))
        for value in range(len(values)):
            self.overwrite(value)
        self.peaks = self.find_peaks()

    def include(self, value, device, span):
        first, last = self.spans[value][device]
        self.spans[value][device] = (min(first, span[0]), max(last, span[1]))

    def is_replicated(self, value):
        producer = self.problem.values["producer"][value]
        return producer >= 0 and self.price.replicated[producer]

    def home(self, value):
        producer = self.problem.values["producer"][value]
        return self.price.device[producer] if producer >= 0 else self.problem.values["device"][value]

    def add_uses(self):
        reads = self.model["reads"]
        for (node, value, _), first, last in zip(self.problem.reads, reads["first"], reads["last"]):
            for device in self.price.stands(node):
                self.include(value, device, (node + first, node + last))
        fixed = self.model["fixed"]
        for (value, device, _), first, last in zip(self.problem.fixed, fixed["first"], fixed["last"]):
            self.include(value, device, (first, last))
        partial = self.model["partial"]
        for (value, _, _), first, last in zip(self.problem.partial, partial["first"], partial["last"]):
            device = 0 if self.is_replicated(value) else self.home(value)
            self.include(value, device, (first, last))

    def is_empty(self, value, device):
        first, last = self.spans[value][device]
        return first > last

    def add_definition(self, value):
        producer = self.problem.values["producer"][value]
        if self.is_replicated(value):
            for device in range(self.count):
                if not self.is_empty(value, device):
                    self.include(value, device, (producer, producer))
            return
        home = self.home(value)
        for device in range(self.count):
            if device != home and not self.is_empty(value, device):
                first = self.spans[value][device][0]
                self.include(value, home, (first, first))
        at = self.model["values"]["at"][value]
        if producer < 0:
            if not self.model["values"]["argument"][value] and at != 0:
                self.include(value, home, (at - 1, at - 1))
        elif self.problem.nodes["kind"][producer] != CARRIED:
            self.include(value, home, (producer, producer))
        elif producer in self.block_carriers and not self.is_empty(value, home):
            first, last = self.spans[value][home]
            begin = self.model["blocks"]["first"][self.problem.values["block"][value]]
            self.spans[value][home] = (min(first, begin if begin >= 0 else EMPTY[0]), last)

    def share(self, value):
        viewed = self.model["values"]["viewed"][value]
        if viewed < 0:
            return
        for device in range(self.count):
            if self.is_empty(value, device) or (not self.is_replicated(value) and self.home(value) != device):
                continue
            self.include(viewed, device, self.spans[value][device])
            self.spans[value][device] = EMPTY

    def add_carried(self, node, around, results):
        home, span, largest, is_loop = self.price.device[node], EMPTY, -1, False
        for value in results:
            is_loop |= self.problem.values["block"][value] != self.problem.nodes["block"][node]
            first, last = self.spans[value][home]
            span = (min(span[0], first), max(span[1], last))
            self.spans[value][home] = EMPTY
            if largest < 0 or self.bytes[value] > self.bytes[largest]:
                largest = value
        if is_loop:
            begin = min(around[0] + 1, around[1])
            span = (min(span[0], begin), max(span[1], around[1]))
        else:
            span = (max(span[0], around[1] + 1), span[1])
        if largest >= 0:
            self.spans[largest][home] = span

    def overwrite(self, value):
        model = self.model["values"]
        old = model["overwritten"][value]
        if old < 0 or self.is_replicated(value) or model["constant"][old] >= 0:
            return
        home = self.home(value)
        if model["argument"][old] and self.home(old) == home:
            return
        node = self.problem.values["producer"][value]
        if not self.is_empty(old, home) and self.spans[old][home][1] == node:
            self.spans[value][home] = (node + 1, self.spans[value][home][1])

    def find_peaks(self):
        model, functions = self.model["values"], self.model["functions"]
        function_of = [self.model["blocks"]["function"][block] for block in self.problem.values["block"]]
        count = len(self.problem.nodes["kind"])
        peaks = []
        for device in range(self.count):
            changes, resident, seen = [0] * (count + 1), 0, set()
            around = [0] * len(functions["root"])
            states = self.model["states"]
            resident += sum(size for node, size in zip(states["node"], states["bytes"]) if self.price.device[node] == device)
            for value, size in enumerate(self.bytes):
                first, last = self.spans[value][device]
                function = function_of[value]
                is_home = self.is_replicated(value) or self.home(value) == device
                if is_home and (first <= last or model["argument"][value]):
                    if model["call"][value] >= 0:
                        first = max(first, model["call"][value] + 1)
                    if model["constant"][value] >= 0:
                        if model["constant"][value] not in seen:
                            seen.add(model["constant"][value])
                            resident += size
                        continue
                    if model["argument"][value]:
                        around[function] += size if functions["root"][function] else 0
                        continue
                first = max(first, functions["first"][function])
                last = min(last, functions["last"][function])
                if first <= last:
                    changes[first] += size
                    changes[last + 1] -= size
            peaks.append(self.run(changes, resident, around))
        return peaks

    def run(self, changes, resident, around):
        functions, calls, peak = self.model["functions"], {}, 0
        table = self.model["calls"]
        for function, node, callee in zip(*(table[key] for key in ("function", "node", "callee"))):
            calls.setdefault((function, node), []).append(callee)
        for function in self.model["order"]:
            now = resident + around[function]
            peak = max(peak, now)
            for node in range(functions["first"][function], functions["last"][function] + 1):
                now += changes[node]
                peak = max(peak, now)
                for callee in calls.get((function, node), []):
                    around[callee] = max(around[callee], now - resident)
        return peak
