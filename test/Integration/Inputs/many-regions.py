"""Prints a chain of sums with one, on the host and on gpu:0 in turn."""

import sys

count, tensor = int(sys.argv[1]), "tensor<64xf32>"
print(f"func.func @main(%x0: {tensor}) -> {tensor} {{\n  %c = arith.constant dense<1.0> : {tensor}")
for i in range(count):
    device = ("cpu:0", "gpu:0")[i % 2]
    print(f"  %x{i + 1} = arith.addf %x{i}, %c {{hetero.device = #hetero.device<{device}>}} : {tensor}")
print(f"  return %x{count} : {tensor}\n}}")
