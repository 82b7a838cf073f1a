"""Prints a function of the kind and length that the arguments say."""

import sys

TYPE = "tensor<4xi32>"
DEVICES = ["cpu:0", "gpu:0"]


def pin(device):
    return f"{{hetero.device = #hetero.device<{device}>}}"


def alternating(length):
    """Each operation is on the other device than the one before."""
    yield f"func.func @alternating(%v0: {TYPE}) -> {TYPE} {{"
    for i in range(length):
        yield f"  %v{i + 1} = arith.xori %v{i}, %v{max(i - 1, 0)} {pin(DEVICES[i % 2])} : {TYPE}"
    yield f"  return %v{length} : {TYPE}\n}}"


def operands(count):
    """One operation on the gpu adds up what the host makes."""
    names = [f"%v{i}" for i in range(count)]
    yield f"func.func @operands(%x: {TYPE}) -> {TYPE} {{"
    for i, name in enumerate(names):
        yield f"  %c{i} = arith.constant dense<{i + 1}> : {TYPE}"
        yield f"  {name} = arith.addi %x, %c{i} {pin('cpu:0')} : {TYPE}"
    yield f"  %e = tensor.empty() : {TYPE}"
    maps = ", ".join(["affine_map<(i) -> (i)>"] * (count + 1))
    types = ", ".join([TYPE] * count)
    yield f'  %sum = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}'
    yield f"      ins({', '.join(names)} : {types}) outs(%e : {TYPE}) attrs = {pin('gpu:0')} {{"
    arguments = ", ".join(f"%a{i}: i32" for i in range(count))
    yield f"  ^bb0({arguments}, %old: i32):"
    for i in range(1, count):
        yield f"    %s{i} = arith.addi {'%a0' if i == 1 else f'%s{i - 1}'}, %a{i} : i32"
    yield f"    linalg.yield %s{count - 1} : i32\n  }} -> {TYPE}"
    yield f"  return %sum : {TYPE}\n}}"


def slices(length):
    """Views of views: each is where the one before is."""
    yield f"func.func @slices(%v0: {TYPE}) -> {TYPE} {{"
    for i in range(length):
        yield f"  %v{i + 1} = tensor.extract_slice %v{i}[0] [4] [1] : {TYPE} to {TYPE}"
    yield f"  %r = arith.addi %v{length}, %v{length} {pin('gpu:0')} : {TYPE}"
    yield f"  %s = arith.subi %r, %v{length // 2} {pin('gpu:0')} : {TYPE}"
    yield f"  return %s : {TYPE}\n}}"


def main():
    print("\n".join({"alternating": alternating, "operands": operands, "slices": slices}[sys.argv[1]](int(sys.argv[2]))))


if __name__ == "__main__":
    main()
