#!/usr/bin/env python3
"""Programs of a size, each of one kind, whose compile time should grow with it.

  benchmarks/compile-time/programs.py NAME SIZE    prints one

Of nests the size is the number of levels, of everything else that of operations,
functions or users of one value.
"""

import sys

WIDTH = 64
TENSOR = f"tensor<{WIDTH}xf32>"
BOUNDS = """  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index"""


def make_function(lines, result, arguments=f"%x: {TENSOR}", head=""):
    """@main with the lines, which returns one tensor."""
    return "\n".join([f"{head}func.func @main({arguments}) -> {TENSOR} {{", *lines, f"  return {result} : {TENSOR}", "}", ""])


def close_nest(levels, leaf, results, end):
    """The ends of all levels: the innermost yields `leaf`, the others what is inside."""
    types = ", ".join([TENSOR] * leaf.count("%"))
    return [f"  scf.yield {leaf if level == levels - 1 else results(level + 1)} : {types}\n  }}{end(level)}" for level in reversed(range(levels))]


def make_nested_loops(levels):
    """Loops of %n trips that pass a tensor on to the loop inside."""
    lines = [BOUNDS] + [
        f"  %r{i} = scf.for %i{i} = %c0 to %n step %c1 iter_args(%a{i} = {f'%a{i - 1}' if i else '%x'}) -> ({TENSOR}) {{" for i in range(levels)]
    lines.append(f"  %leaf = arith.addf %a{levels - 1}, %a{levels - 1} : {TENSOR}")
    lines += close_nest(levels, "%leaf", lambda i: f"%r{i}", lambda i: "")
    return make_function(lines, "%r0", f"%x: {TENSOR}, %n: index")


def make_nested_counts(levels):
    """Loops of one trip, two tensors that change places at each level, and an
    operation before each inner loop."""
    lines = [BOUNDS]
    for i in range(levels):
        inits = (f"%e{i - 1}", f"%a{i - 1}") if i else ("%x", "%y")
        lines.append(f"  %r{i}:2 = scf.for %i{i} = %c0 to %c1 step %c1 iter_args(%a{i} = {inits[0]}, %b{i} = {inits[1]}) -> ({TENSOR}, {TENSOR}) {{")
        lines.append(f"  %e{i} = arith.negf %b{i} : {TENSOR}")
    lines.append(f"  %leaf = arith.addf %a{levels - 1}, %b{levels - 1} : {TENSOR}")
    lines += close_nest(levels, f"%leaf, %a{levels - 1}", lambda i: f"%r{i}#1, %r{i}#0", lambda i: "")
    lines.append(f"  %q = arith.subf %r0#0, %r0#1 : {TENSOR}")
    return make_function(lines, "%q", f"%x: {TENSOR}, %y: {TENSOR}")


def make_nested_fills(levels):
    """Loops of one trip that do not read what they carry."""
    lines = [BOUNDS, "  %seven = arith.constant 7.0 : f32"] + [
        f"  %r{i} = scf.for %i{i} = %c0 to %c1 step %c1 iter_args(%a{i} = {f'%a{i - 1}' if i else '%x'}) -> ({TENSOR}) {{" for i in range(levels)]
    lines.append(f"  %leaf = linalg.fill ins(%seven : f32) outs(%a{levels - 1} : {TENSOR}) -> {TENSOR}")
    lines += close_nest(levels, "%leaf", lambda i: f"%r{i}", lambda i: "")
    return make_function(lines, "%r0")


def make_nested_choices(levels):
    """Conditions that choose between two tensors, and write none."""
    lines = [f"  %r{i} = scf.if %c -> ({TENSOR}) {{" for i in range(levels)]
    lines += close_nest(levels, "%x", lambda i: f"%r{i}", lambda i: f" else {{\n  scf.yield %y : {TENSOR}\n  }}")
    lines.append(f"  %q = arith.addf %r0, %x : {TENSOR}")
    return make_function(lines, "%q", f"%x: {TENSOR}, %y: {TENSOR}, %c: i1")


def make_nested_cases(levels):
    """A loop and a condition at each level; the condition passes the loop's
    tensor on where it is false."""
    lines = [BOUNDS]
    for i in range(levels):
        lines.append(f"  %r{i} = scf.for %i{i} = %c0 to %c1 step %c1 iter_args(%a{i} = {f'%a{i - 1}' if i else '%x'}) -> ({TENSOR}) {{")
        lines.append(f"  %f{i} = scf.if %c -> ({TENSOR}) {{")
    lines.append(f"  %leaf = arith.addf %a{levels - 1}, %a{levels - 1} : {TENSOR}")
    lines += close_nest(levels, "%leaf", lambda i: f"%r{i}",
                        lambda i: f" else {{\n  scf.yield %a{i} : {TENSOR}\n  }}\n  scf.yield %f{i} : {TENSOR}\n  }}")
    return make_function(lines, "%r0", f"%x: {TENSOR}, %c: i1")


def make_nested_whiles(levels):
    """Loops whose conditions hold the next loop."""
    lines = ["  %false = arith.constant false"] + [
        f"  %r{i} = scf.while (%a{i} = {f'%a{i - 1}' if i else '%x'}) : ({TENSOR}) -> {TENSOR} {{" for i in range(levels)]
    lines.append(f"  %leaf = arith.addf %a{levels - 1}, %a{levels - 1} : {TENSOR}")
    for i in reversed(range(levels)):
        lines += [f"  scf.condition(%false) {'%leaf' if i == levels - 1 else f'%r{i + 1}'} : {TENSOR}", "  } do {",
                  f"  ^bb0(%b{i}: {TENSOR}):", f"  scf.yield %b{i} : {TENSOR}", "  }"]
    return make_function(lines, "%r0")


def make_elementwise_chain(size):
    """Operations that become one kernel."""
    names = ("addf", "mulf", "subf", "maximumf")
    lines = [f"  %v{i + 1} = arith.{names[i % 4]} %v{i}, %x : {TENSOR}" for i in range(size)]
    return make_function([f"  %v0 = arith.addf %x, %x : {TENSOR}", *lines], f"%v{size}")


def make_users(size):
    """Operations that all read one value, no two of them equal, and their sum."""
    names = ("addf", "mulf", "subf")
    lines = [f"  %v = math.exp %x : {TENSOR}"]
    for i in range(size):
        lines += [f"  %c{i} = arith.constant dense<{i + 1}.0> : {TENSOR}", f"  %u{i} = arith.{names[i % 3]} %v, %c{i} : {TENSOR}"]
    level, count = [f"%u{i}" for i in range(size)], 0
    while len(level) > 1:
        sums = []
        for left, right in zip(level[::2], level[1::2]):
            lines.append(f"  %s{count} = arith.addf {left}, {right} : {TENSOR}")
            sums.append(f"%s{count}")
            count += 1
        level = sums + level[len(sums) * 2:]
    return make_function(lines, level[0])


def make_entry_points(size):
    """Public functions, each with a kernel."""
    return "\n".join(
        f"func.func @f{i}(%x: {TENSOR}) -> {TENSOR} {{\n  %0 = math.exp %x : {TENSOR}\n  %1 = arith.addf %0, %x : {TENSOR}\n  return %1 : {TENSOR}\n}}"
        for i in range(size))


def make_products(size):
    """Products that are added to what the one before made."""
    square = "tensor<64x64xf32>"
    lines = [f"  %c{i + 1} = linalg.matmul ins(%x, %y : {square}, {square}) outs(%c{i} : {square}) -> {square}" for i in range(size)]
    return f"func.func @main(%x: {square}, %y: {square}, %c0: {square}) -> {square} {{\n" + "\n".join(lines) + f"\n  return %c{size} : {square}\n}}\n"


def make_loops_in_turn(size):
    """Loops one after the other, each over what the one before made."""
    lines = [BOUNDS]
    for i in range(size):
        lines += [f"  %r{i + 1} = scf.for %i{i} = %c0 to %n step %c1 iter_args(%a{i} = %r{i}) -> ({TENSOR}) {{",
                  f"  %s{i} = arith.addf %a{i}, %a{i} : {TENSOR}", f"  scf.yield %s{i} : {TENSOR}", "  }"]
    return make_function(lines, f"%r{size}", f"%r0: {TENSOR}, %n: index")


def make_concatenation(size):
    """One concatenation of many arguments."""
    part, whole = "tensor<4x8xf32>", f"tensor<{4 * size}x8xf32>"
    arguments = ", ".join(f"%a{i}: {part}" for i in range(size))
    names, types = ", ".join(f"%a{i}" for i in range(size)), ", ".join([part] * size)
    return f"func.func @main({arguments}) -> {whole} {{\n  %0 = tensor.concat dim(0) {names} : ({types}) -> {whole}\n  return %0 : {whole}\n}}\n"


PROGRAMS = {
    "nested loops": make_nested_loops,
    "nested counts": make_nested_counts,
    "nested fills": make_nested_fills,
    "nested choices": make_nested_choices,
    "nested cases": make_nested_cases,
    "nested whiles": make_nested_whiles,
    "elementwise chain": make_elementwise_chain,
    "users of one value": make_users,
    "entry points": make_entry_points,
    "products in turn": make_products,
    "loops in turn": make_loops_in_turn,
    "concatenation": make_concatenation,
}


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in PROGRAMS:
        sys.exit(f"{__doc__}\nThe names are: {', '.join(PROGRAMS)}.")
    print(PROGRAMS[sys.argv[1]](int(sys.argv[2])))
