"""Prints a chain of operations with side branches for four GPUs that are joined by
the host."""

DEVICES = ["cpu:0", *(f"gpu:{i}" for i in range(4))]
TYPE = "tensor<1000xf32>"


def spec(device):
    overlap = "" if device == "cpu:0" else ", overlap = false"
    rate = 1 if device == "cpu:0" else 8
    return f"#hetero.device_spec<device = #hetero.device<{device}>, compute = {rate}000000000, bandwidth = 100000000000{overlap}>"


def link(a, b):
    return f"#hetero.link<from = #hetero.device<{a}>, to = #hetero.device<{b}>, bandwidth = 50000000000, latency = 10000>"


links = [link(*pair) for device in DEVICES[1:] for pair in (("cpu:0", device), (device, "cpu:0"))]
print(f"module attributes {{hetero.topology = #hetero.topology<devices = [{', '.join(map(spec, DEVICES))}],")
print(f"  links = [{', '.join(links)}]>}} {{")
print(f"func.func @main(%0: {TYPE}, %e: {TYPE}) -> {TYPE} {{")
for i in range(1, 41):
    name, operands = ("add", f"%{i - 1}, %{i // 2}") if i % 3 == 0 else ("exp", f"%{i - 1}")
    types = ", ".join([TYPE] * (1 + (name == "add")))
    print(f"%{i} = linalg.{name} ins({operands} : {types}) outs(%e : {TYPE}) -> {TYPE}")
print(f"return %40 : {TYPE}\n}}\n}}")
