#!/usr/bin/env python3
"""Prints a program that adds so many arguments, one after the other, or with --at-once
in the body of one operation, or the flags that give each of them ones:

  add_many.py COUNT TYPE [--at-once | --inputs SHAPE]
"""

import sys


def main():
    count, spelled, *words = sys.argv[1:]
    count, kind = int(count), f"tensor<{spelled}>"
    if words[:1] == ["--inputs"]:
        return print(" ".join([f"--input={words[1]}=1"] * count))
    arguments = ", ".join(f"%x{i}: {kind}" for i in range(count))
    print(f"func.func @main({arguments}) -> {kind} {{")
    if words:
        rank = spelled.count("x")
        dims = ", ".join(f"d{i}" for i in range(rank))
        maps = ", ".join([f"affine_map<({dims}) -> ({dims})>"] * count)
        iterators = ", ".join(['"parallel"'] * rank)
        inputs = ", ".join(f"%x{i}" for i in range(count - 1))
        print(f"  %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}")
        print(f"      ins({inputs} : {', '.join([kind] * (count - 1))}) outs(%x{count - 1} : {kind}) {{")
        print(f"  ^bb0({', '.join(f'%a{i}: f32' for i in range(count))}):")
        names, last = [f"%a{i}" for i in range(count)], "%a0"
        indent, scalar = "    ", "f32"
    else:
        names, last = [f"%x{i}" for i in range(count)], "%x0"
        indent, scalar = "  ", kind
    for i, name in enumerate(names[1:]):
        print(f"{indent}%s{i} = arith.addf {last}, {name} : {scalar}")
        last = f"%s{i}"
    if words:
        print(f"    linalg.yield {last} : f32\n  }} -> {kind}\n  return %r : {kind}\n}}")
    else:
        print(f"  return {last} : {kind}\n}}")


if __name__ == "__main__":
    sys.exit(main())
