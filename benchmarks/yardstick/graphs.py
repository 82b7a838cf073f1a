"""Reads graphs of Tarnawski et al. ("Efficient Algorithms for Device Placement of
DNN Graph Operators", NeurIPS 2020), and writes them as MLIR with a profile.

The model of the paper: an accelerator has its operations and the copies of what it
gets from and gives to the memory of the host, each value once; several operations
of one colour stand on one device; the sizes of the operations of an accelerator
are at most its memory. In MLIR an operation is a linalg.generic with measured
times, a result that takes as long to copy as the graph says, and a constant of
its size; accelerators have links to the host only and no overlap.
"""

import json
from collections import defaultdict

# Bytes of a link in a second, so that a byte takes a nanosecond.
LINK = 10**9
PER_MILLISECOND = LINK // 1000
MILLISECOND = 1e-3


class Graph:
    @staticmethod
    def read(path):
        with open(path, encoding="utf-8") as file:
            return Graph(json.load(file))

    def __init__(self, data):
        self.accelerators = data["maxFPGAs"]
        self.hosts = data["maxCPUs"]
        self.memory = int(data["maxSizePerFPGA"])
        self.nodes = {node["id"]: node for node in data["nodes"]}
        self.readers, self.costs, self.operands = defaultdict(list), defaultdict(float), defaultdict(list)
        for edge in data["edges"]:
            source, target = edge["sourceId"], edge["destId"]
            if target not in self.readers[source]:
                self.readers[source].append(target)
                self.operands[target].append(source)
            self.costs[source] = max(self.costs[source], edge["cost"])
        self.order = self._sort()

    def _sort(self):
        missing = {node: len(self.operands[node]) for node in self.nodes}
        ready = [node for node in self.nodes if missing[node] == 0]
        for node in ready:
            for reader in self.readers[node]:
                missing[reader] -= 1
                if missing[reader] == 0:
                    ready.append(reader)
        if len(ready) != len(self.nodes):
            raise ValueError("the graph has a cycle")
        return ready

    def loads(self, devices):
        """Milliseconds of work of each device; 'cpu:...' are hosts."""
        loads = defaultdict(float)
        for node, device in devices.items():
            key = "cpuLatency" if device.startswith("cpu") else "fpgaLatency"
            loads[device] += self.nodes[node][key]
            others = {devices[reader] for reader in self.readers[node]} - {device}
            for end in others | ({device} if others else set()):
                if not end.startswith("cpu"):
                    loads[end] += self.costs[node]
        return loads

    def sizes(self, devices):
        sizes = defaultdict(float)
        for node, device in devices.items():
            sizes[device] += self.nodes[node]["size"]
        return sizes

    def one_accelerator(self):
        return max(self.loads({node: "gpu:0" for node in self.nodes}).values())

    def split(self, path):
        """The devices of a split; operations that it does not name stand with those
        of their colour, as the backward pass does with the forward one."""
        with open(path, encoding="utf-8") as file:
            split = json.load(file)
        devices, colours = {}, {}
        for kind, parts in (("gpu", split["fpgas"]), ("cpu", split["cpus"])):
            for number, part in enumerate(parts):
                for node in part["nodes"]:
                    devices[node] = f"{kind}:{number}"
                    colours[self.nodes[node].get("colorClass")] = devices[node]
        for node, attributes in self.nodes.items():
            if node not in devices:
                devices[node] = colours[attributes.get("colorClass")]
        return devices

    def topology(self):
        hosts = [f"cpu:{number}" for number in range(self.hosts)]
        accelerators = [f"gpu:{number}" for number in range(self.accelerators)]
        specs = [f"#hetero.device_spec<device = #hetero.device<{host}>, {RATES}>" for host in hosts]
        specs += [
            f"#hetero.device_spec<device = #hetero.device<{device}>, memory = {self.memory}, {RATES}, overlap = false>"
            for device in accelerators
        ]
        links = [(hosts[0], host, ", unified = true") for host in hosts[1:]]
        links += [(hosts[0], device, "") for device in accelerators]
        text = [
            f"#hetero.link<from = #hetero.device<{a}>, to = #hetero.device<{b}>, bandwidth = {LINK}, latency = 0{more}>"
            for first, second, more in links
            for a, b in ((first, second), (second, first))
        ]
        return f"#hetero.topology<devices = [{', '.join(specs)}], links = [{', '.join(text)}]>"

    def profile(self):
        lines = ["operations:"]
        for node, attributes in self.nodes.items():
            for kind, key in (("cpu", "cpuLatency"), ("gpu", "fpgaLatency")):
                seconds = attributes[key] * MILLISECOND
                lines.append(f'  - {{name: "{name_of(node)}", device: {kind}, seconds: {seconds!r}}}')
        return "\n".join(lines) + "\n"

    def module(self, pins=None):
        """With all operations on given devices, or open."""
        lines = [
            f"module attributes {{hetero.topology = {self.topology()}}} {{",
            "func.func @main(%none: tensor<0xi8>) {",
        ]
        sizes = set()
        for node in self.order:
            lines += self._operation(node, sizes, pins[node] if pins else None)
        return "\n".join(lines + ["return", "}", "}"]) + "\n"

    def result_bytes(self, node):
        """As many as take as long to copy as the graph says."""
        return max(1, round(self.costs[node] * PER_MILLISECOND))

    def _type(self, node):
        return f"tensor<{self.result_bytes(node)}xi8>"

    def _operation(self, node, sizes, pin):
        lines = []
        operands = [(f"%v{operand}", self._type(operand)) for operand in self.operands[node]]
        operands = operands or [("%none", "tensor<0xi8>")]
        size = int(self.nodes[node]["size"])
        if size > 0:
            # Equal constants are one.
            while size in sizes:
                size += 1
            sizes.add(size)
            lines.append(f"%w{node} = arith.constant dense<1> : tensor<{size}xi8>")
            operands.append((f"%w{node}", f"tensor<{size}xi8>"))
        type_ = self._type(node)
        dims = [f"d{i}" for i in range(len(operands) + 1)]
        maps = [f"affine_map<({', '.join(dims)}) -> ({dim})>" for dim in dims[1:] + dims[:1]]
        kinds = ['"parallel"'] + ['"reduction"'] * len(operands)
        attributes = []
        if self.nodes[node].get("colorClass") is not None:
            attributes.append(f'hetero.colocate = "c{self.nodes[node]["colorClass"]}"')
        if pin or not self.nodes[node]["supportedOnFpga"]:
            attributes.append(f"hetero.device = #hetero.device<{pin or 'cpu'}>")
        block = ", ".join(f"%a{i}: i8" for i in range(len(operands) + 1))
        return lines + [
            f"%e{node} = tensor.empty() : {type_}",
            f"%v{node} = linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{', '.join(kinds)}]}}",
            f"  ins({', '.join(name for name, _ in operands)} : {', '.join(t for _, t in operands)})",
            f"  outs(%e{node} : {type_}) attrs = {{{', '.join(attributes)}}} {{",
            f"^bb0({block}):",
            "  linalg.yield %a0 : i8",
            f'}} -> {type_} loc("{name_of(node)}")',
        ]


# Nothing goes by these: the profile has all times.
RATES = "compute = 1000000000000, bandwidth = 1000000000000"


def name_of(node):
    return f"node {node} "
