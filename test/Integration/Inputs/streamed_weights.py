"""Writes a network of equal layers, product and tanh, whose weights a GPU holds in
part only; or, given a timeline, compares a call with what it has to do.

  streamed_weights.py write LAYERS WIDTH ROWS MEMORY LINK
  streamed_weights.py check TIMELINE LAYERS WIDTH MEMORY LINK

MEMORY is in bytes, 0 for a topology that limits nothing; LINK is in bytes per
second."""

import json
import random
import struct
import sys

LATENCY = 100_000  # picoseconds
LIMIT = 1.1


def write(layers, width, rows, memory, link):
    values = f"tensor<{rows}x{width}xf32>"
    weights = f"tensor<{width}x{width}xf32>"
    limit = f"memory = {memory}, " if memory else ""
    print(f"""module attributes {{hetero.topology = #hetero.topology<
  devices = [<device = <cpu:0>, compute = 10000000000, bandwidth = 10000000000>,
             <device = <gpu:0>, {limit}compute = 10000000000000, bandwidth = 1000000000000, launch = 1000000>],
  links = [<from = <cpu:0>, to = <gpu:0>, bandwidth = {link}, latency = {LATENCY}>,
           <from = <gpu:0>, to = <cpu:0>, bandwidth = {link}, latency = {LATENCY}>]>}} {{
func.func @main(%v0: {values}) -> {values} {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : {values}""")
    generator = random.Random(1)
    device = "{hetero.device = #hetero.device<gpu:0>}"
    for i in range(layers):
        data = b"".join(struct.pack("<f", generator.choice((-0.25, 0, 0, 0.25))) for _ in range(width * width))
        print(f"""  %w{i} = arith.constant dense<"0x{data.hex().upper()}"> : {weights}
  %f{i} = linalg.fill {device} ins(%zero : f32) outs(%empty : {values}) -> {values}
  %m{i} = linalg.matmul {device} ins(%v{i}, %w{i} : {values}, {weights}) outs(%f{i} : {values}) -> {values}
  %v{i + 1} = math.tanh %m{i} {device} : {values}""")
    print(f"  return %v{layers} : {values}\n}}\n}}")


def check(timeline, layers, width, memory, link):
    with open(timeline) as file:
        operations = json.load(file)["operations"]
    # A call ends with its result; the last one has uploaded nothing before.
    ends = [i for i, operation in enumerate(operations) if operation["kind"] == "copy out"]
    call = operations[ends[-2] + 1 : ends[-1] + 1]

    def busy(kind):
        return sum(operation["end"] - operation["start"] for operation in call if operation["kind"] == kind)

    makespan = max(operation["end"] for operation in call) - min(operation["start"] for operation in call)
    # Whatever is kept, so much is not there when the call begins.
    least = (layers * width * width * 4 - memory) * 10**12 // link
    bound = max(least, busy("kernel"))
    print(f"least transfer {least}, transfer {busy('copy in')}, compute {busy('kernel')}, makespan {makespan}")
    print(f"makespan / max(transfer, compute) = {makespan / bound:.3f}")
    print("within the limit" if makespan <= LIMIT * bound else "too slow")


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    if command == "write":
        write(*map(int, arguments))
    else:
        check(arguments[0], *map(int, arguments[1:]))
