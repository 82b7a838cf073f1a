"""Two programs for many nodes, each node a host and a GPU, and their rules: a
network in stages, one on each node, that several requests run through; and one
small network many times, each node with requests of its own."""


def matrix(rows, columns):
    return f"tensor<{rows}x{columns}xf32>"


class Program:
    """Collects the text of a function."""

    def __init__(self):
        self.lines = []
        self.count = 0

    def add(self, text, name):
        value = f"%{self.count}"
        self.count += 1
        self.lines.append(f'    {value} = {text} loc("{name}")')
        return value

    def layer(self, x, weights, rows, inner, columns, name):
        """A product and an activation."""
        result = matrix(rows, columns)
        empty = self.add(f"tensor.empty() : {result}", f"{name}/empty")
        filled = self.add(
            f"linalg.fill ins(%zero : f32) outs({empty} : {result}) -> {result}", f"{name}/fill")
        product = self.add(
            f"linalg.matmul ins({x}, {weights} : {matrix(rows, inner)}, {matrix(inner, columns)}) "
            f"outs({filled} : {result}) -> {result}", f"{name}/product")
        return self.add(
            f"linalg.tanh ins({product} : {result}) outs({empty} : {result}) -> {result}",
            f"{name}/activation")

    def weights(self, rows, columns, value, name):
        return self.add(f"arith.constant dense<{value:.9e}> : {matrix(rows, columns)}", name)

    def text(self, types, results):
        arguments = ", ".join(f"%x{i}: {kind}" for i, kind in enumerate(types))
        kinds = ", ".join(types)
        return "\n".join(
            [f"func.func @main({arguments}) -> ({kinds}) {{",
             "    %zero = arith.constant 0.0 : f32",
             *self.lines,
             f"    return {', '.join(results)} : {kinds}",
             "}", ""])


def pipeline(nodes, requests, layers=2, rows=256, width=2048):
    """`requests` run through `nodes` stages of so many layers each."""
    program = Program()
    values = [f"%x{i}" for i in range(requests)]
    for stage in range(nodes):
        name = f"stage{stage}"
        weights = [
            program.weights(width, width, 1e-3 * (1 + stage * layers + layer), f"{name}/weights")
            for layer in range(layers)]
        for request in range(requests):
            for layer in range(layers):
                values[request] = program.layer(
                    values[request], weights[layer], rows, width, width,
                    f"{name}/{request}/{layer}")
    return program.text([matrix(rows, width)] * requests, values)


def serving(nodes, requests=1, layers=2, rows=256, width=1024):
    """Each node has a copy of one network, and `requests` requests."""
    program = Program()
    results = []
    for node in range(nodes):
        name = f"stage{node}"
        # Every copy has the same weights, which are on each device.
        weights = [
            program.weights(width, width, 1e-3 * (1 + layer), f"{name}/weights")
            for layer in range(layers)]
        for request in range(requests):
            value = f"%x{node * requests + request}"
            for layer in range(layers):
                value = program.layer(
                    value, weights[layer], rows, width, width, f"{name}/{request}/{layer}")
            results.append(value)
    return program.text([matrix(rows, width)] * (nodes * requests), results)


def rules(nodes, free=0.0):
    """A rule for each stage, but for a part of them, which cost places."""
    placed = nodes - round(free * nodes)
    lines = ["rules:"]
    lines += [
        f'  - {{name: "stage{node}/.*", device: "gpu:0@{node}"}}' for node in range(placed)]
    return "\n".join(lines) + "\n"


def topology(nodes):
    """Each node a host and a GPU on PCIe; 100 Gbit/s between the hosts."""
    devices, links = [], []
    for node in range(nodes):
        of_node = f", node = {node}" if node else ""
        cpu, gpu = f"#hetero.device<cpu:0{of_node}>", f"#hetero.device<gpu:0{of_node}>"
        devices.append(
            f"#hetero.device_spec<device = {cpu}, compute = 500000000000, bandwidth = 50000000000, launch = 100000>")
        devices.append(
            f"#hetero.device_spec<device = {gpu}, compute = 10000000000000, bandwidth = 500000000000, "
            "launch = 5000000>")
        for source, target in ((cpu, gpu), (gpu, cpu)):
            links.append(
                f"#hetero.link<from = {source}, to = {target}, bandwidth = 12000000000, latency = 10000000>")
    return ("#hetero.topology<\n  devices = [" + ",\n    ".join(devices) + "],\n  links = [" + ",\n    ".join(links) +
            "],\n  network = #hetero.network<bandwidth = 10000000000, latency = 5000000>>\n")
