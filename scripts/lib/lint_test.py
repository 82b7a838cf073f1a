#!/usr/bin/env python3
"""Tests of lint.py: in a small tree that follows the rules, each test plants one
violation and sees it reported, and nothing else. A rule that no test has seen
fail is a failure too."""

import ast
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import house_figures  # noqa: E402
import lint  # noqa: E402
from lint_rules import exceptions, floors, words  # noqa: E402
from lint_rules.cpp_scan import Scan  # noqa: E402
from lint_rules.source_tree import SourceTree  # noqa: E402


def source(name, text):
    return (
        f"//===- {os.path.basename(name)} - A file of the test ---===//\n"
        "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
        "//===---===//\n"
    ) + text


# Where the text of a file begins, after its banner.
FIRST = 4

CLEAN = {
    "lib/Analysis/CMakeLists.txt": "add_hetero_library(HeteroAnalysis Cost.cpp)\n",
    "lib/Analysis/Cost.cpp": '#include "hetero/Analysis/Cost.h"\n#include "mlir/IR/Value.h"\nint hetero::cost(int x) { return x; }\n',
    "include/hetero/Analysis/Cost.h": "namespace hetero {\nclass Cost {\npublic:\n  int get() const;\n  void set(int x);\n};\nint cost(int x);\n}\n",
    "lib/Codegen/CMakeLists.txt": "add_hetero_library(HeteroCodegen Loops.cpp\n  LINK_LIBS HeteroAnalysis)\n",
    "lib/Codegen/Loops.cpp": '#include "hetero/Analysis/Cost.h"\n#include "mlir/IR/Value.h"\nnamespace {\nint loops() { return hetero::cost(1); }\n}\n',
    "include/hetero/Codegen/Passes.td": 'def LoopsPass : Pass<"hetero-loops"> {}\n',
    "lib/Runtime/Values.cpp": "int values;\n",
    "include/hetero/Runtime/Values.h": "int heteroValues;\n",
    "lib/Runner/Runner.cpp": '#include "hetero/Runtime/Values.h"\n',
    "test/Codegen/loops.mlir": "// RUN: hetero-opt %s\n",
    # What calls the functions that the tests declare.
    "benchmarks/calls.cpp": f"// Calls.\nget set cost tiles cut write a b c {' '.join(f'get{number}' for number in range(41))}\n",
}


class Reached:
    """The lines of the rules that ran, by file."""

    folder = os.path.dirname(floors.__file__)
    lines = {}

    @classmethod
    def trace(cls, frame, event, _):
        file = frame.f_code.co_filename
        if os.path.dirname(file) != cls.folder:
            return None
        cls.lines.setdefault(os.path.basename(file), set()).add(frame.f_lineno)
        return cls.trace

    @classmethod
    def unplanted(cls):
        """Where the rules say that something is wrong and no test made them."""
        for file in sorted(os.listdir(cls.folder)):
            if not file.endswith(".py"):
                continue
            with open(os.path.join(cls.folder, file)) as source:
                tree = ast.parse(source.read())
            reports = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Problem"]
            # What an include violates is a text first.
            texts = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Return) and isinstance(node.value, ast.JoinedStr)]
            for line in sorted(set(reports + texts) - cls.lines.get(file, set())):
                yield f"lint_rules/{file}:{line}"


class Planted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        subprocess.run(["git", "init", "-q", self.root], check=True)
        for name, text in CLEAN.items():
            self.write(name, text)

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            is_code = name.endswith((".h", ".cpp", ".td"))
            file.write(source(name, text) if is_code else text)

    def add(self, name, text):
        self.write(name, CLEAN.get(name, "") + text)

    def reports(self, *expected):
        sys.settrace(Reached.trace)
        try:
            found = lint.problems_of(self.root)
        finally:
            sys.settrace(None)
        self.assertEqual(sorted(found), sorted(expected))

    def test_clean(self):
        self.reports()

    def test_include_goes_up(self):
        self.write("include/hetero/Codegen/Tiles.h", "int tiles;\n")
        self.write("lib/Analysis/CMakeLists.txt", "add_hetero_library(HeteroAnalysis Cost.cpp LINK_LIBS HeteroCodegen)\n")
        self.add("lib/Analysis/Cost.cpp", '#include "hetero/Codegen/Tiles.h"\n')
        self.reports(f"lib/Analysis/Cost.cpp:{FIRST + 3}: Analysis includes Codegen [floors]")

    def test_include_of_a_sibling(self):
        self.write("lib/Codegen/GPU/Tiles.h", "int tiles;\n")
        self.write("lib/Codegen/CPU/Lanes.h", '#include "../GPU/Tiles.h"\n')
        self.reports(f"lib/Codegen/CPU/Lanes.h:{FIRST}: Codegen/CPU includes Codegen/GPU [floors]")

    def test_runtime_is_a_world_of_its_own(self):
        self.add("lib/Runtime/Values.cpp", '#include "llvm/ADT/APInt.h"\n#include "hetero/Analysis/Cost.h"\n')
        self.reports(
            f"lib/Runtime/Values.cpp:{FIRST + 1}: Runtime includes llvm [floors]",
            f"lib/Runtime/Values.cpp:{FIRST + 2}: Runtime includes Analysis [floors]",
        )

    def test_emulator_knows_llvm_and_no_mlir(self):
        self.write("lib/Emulator/PTX/Lexer.cpp", '#include "llvm/ADT/APInt.h"\n#include "mlir/IR/Value.h"\n')
        self.reports(f"lib/Emulator/PTX/Lexer.cpp:{FIRST + 1}: Emulator includes mlir [floors]")

    def test_runner_knows_no_llvm(self):
        self.add("lib/Runner/Runner.cpp", '#include "llvm/ADT/APInt.h"\n')
        self.reports(f"lib/Runner/Runner.cpp:{FIRST + 1}: Runner includes llvm [floors]")

    def test_support_knows_no_mlir(self):
        self.write("lib/Support/Files.cpp", '#include "mlir/IR/Value.h"\n')
        self.reports(f"lib/Support/Files.cpp:{FIRST}: Support includes mlir [floors]")

    def test_tool_without_conditions(self):
        self.write("tools/hetero-opt/hetero-opt.cpp", "#ifdef HETERO_TESTS\n#endif\n")
        self.reports(f"tools/hetero-opt/hetero-opt.cpp:{FIRST}: a tool compiles the same everywhere: no #if [floors]")

    def test_rooms_of_placement(self):
        self.write("lib/Analysis/Placement/Graph/Nodes.h", "int nodes;\n")
        self.write("lib/Analysis/Placement/Solve/Cut.h", '#include "Analysis/Placement/Graph/Nodes.h"\n')
        self.reports()
        self.write("lib/Analysis/Placement/Graph/Order.h", '#include "Analysis/Placement/Solve/Cut.h"\n')
        self.reports(f"lib/Analysis/Placement/Graph/Order.h:{FIRST}: Analysis/Placement/Graph includes Analysis/Placement/Solve [floors]")

    def test_rooms_of_the_emulator(self):
        self.write("lib/Emulator/PTX/Lexer.h", "int lexer;\n")
        self.write("lib/Emulator/Compile/Compiler.h", '#include "Emulator/PTX/Lexer.h"\n')
        self.reports()
        self.write("lib/Emulator/Execute/Blocks/Block.h", '#include "Emulator/Compile/Compiler.h"\n')
        self.reports(f"lib/Emulator/Execute/Blocks/Block.h:{FIRST}: Emulator/Execute includes Emulator/Compile [floors]")

    def test_compiler_sees_the_interface_of_the_runtime_only(self):
        self.write("include/hetero/Runtime/HeteroRuntime.h", "int heteroRun;\n")
        self.add("lib/Codegen/Loops.cpp", '#include "hetero/Runtime/HeteroRuntime.h"\n#include "hetero/Runtime/Values.h"\n')
        self.reports(f"lib/Codegen/Loops.cpp:{FIRST + 6}: Codegen includes Runtime: Values.h [floors]")

    def test_library_that_is_not_linked(self):
        self.write("lib/Codegen/CMakeLists.txt", "add_hetero_library(HeteroCodegen Loops.cpp)\n")
        self.reports(f"lib/Codegen/Loops.cpp:{FIRST}: HeteroCodegen includes HeteroAnalysis and does not link it [links]")

    def test_library_that_is_linked_for_nothing(self):
        self.write("lib/Codegen/Loops.cpp", '#include "mlir/IR/Value.h"\n')
        self.write("lib/Support/CMakeLists.txt", "add_hetero_library(HeteroSupport Files.cpp)\n")
        self.write("lib/Support/Files.cpp", "int files;\n")
        self.reports(
            "include/hetero/Analysis/Cost.h: no user outside lib/Analysis; it belongs there [headers]",
            "lib/Codegen/CMakeLists.txt:1: HeteroCodegen links HeteroAnalysis and includes nothing of it [links]",
            "lib/Support/CMakeLists.txt:1: HeteroSupport links MLIR and includes nothing of it [links]",
        )

    def test_function_defined_elsewhere(self):
        self.write("lib/Codegen/Tiles.h", "int tiles(int x);\n")
        self.add("lib/Codegen/Loops.cpp", "struct Own {\n  int tiles(int x);\n};\nint Own::tiles(int x) { return x; }\n")
        self.reports()
        self.add("lib/Codegen/Loops.cpp", "int tiles(int x) {\n  return x;\n}\n")
        self.reports(f"lib/Codegen/Loops.cpp:{FIRST + 5}: defines what Tiles.h declares [headers]")

    def test_function_that_nothing_calls(self):
        self.write("lib/Codegen/Tiles.h", "int tiles();\nint tilesOfNobody();\nstruct Tile {\n  int getNothing() const; // getNothing\n  int size() override;\n};\n")
        self.write("lib/Codegen/Tiles.cpp", "int tilesOfNobody() { return 1; }\n")
        self.reports(
            f"lib/Codegen/Tiles.h:{FIRST + 1}: declares tilesOfNobody, which nothing calls [headers]",
            f"lib/Codegen/Tiles.h:{FIRST + 3}: declares getNothing, which nothing calls [headers]",
        )

    def test_class_defined_elsewhere(self):
        self.write("lib/Codegen/Tiles.h", "class Tiles {\n  int get();\n};\n")
        self.add("lib/Codegen/Loops.cpp", "int Tiles::get() { return 1; }\n")
        self.reports(f"lib/Codegen/Loops.cpp:{FIRST + 5}: defines Tiles, which Tiles.h declares [headers]")

    def test_public_header_without_a_user(self):
        self.write("include/hetero/Codegen/Tiles.h", "int tiles;\n")
        self.reports("include/hetero/Codegen/Tiles.h: no user outside lib/Codegen; it belongs there [headers]")

    def test_crowded_folder(self):
        for number in range(25):
            self.write(f"lib/Codegen/Tile{number}.h", "int tile;\n")
        self.reports("lib/Codegen: 26 sources; a folder has at most 25 [sizes]")

    def test_class_with_too_many_methods(self):
        methods = "".join(f"  int get{number}() const;\n" for number in range(41))
        self.write("lib/Codegen/Tiles.h", f"class Tiles {{\n{methods}  int width = 0;\n}};\n")
        self.reports(f"lib/Codegen/Tiles.h:{FIRST}: Tiles has 41 methods; a class has at most 40 [sizes]")

    def test_class_in_too_many_files(self):
        self.write("lib/Codegen/Tiles.h", "class Tiles {\n  void a();\n  void b();\n  void c();\n};\n")
        for name, method in (("Tiles", "a"), ("TileLoads", "b"), ("TileStores", "c")):
            self.write(f"lib/Codegen/{name}.cpp", f"void Tiles::{method}() {{}}\n")
        self.reports(f"lib/Codegen/Tiles.h:{FIRST}: Tiles is defined in 3 files; a class in at most 2 [sizes]")

    def test_static_names_of_a_folder(self):
        function = "static int countTiles(int width, int height = 1) {\n  return width * height;\n}\n"
        self.write("lib/Codegen/Tiles.cpp", function + "static constexpr int kTiles = 4;\n")
        self.add("lib/Codegen/Loops.cpp", function.replace("int height = 1", "long height"))
        self.write("lib/Codegen/CPU/Tiles.cpp", function)
        self.reports()
        self.add("lib/Codegen/Loops.cpp", function.replace("width", "rows"))
        self.write("lib/Codegen/Zone.cpp", "static constexpr int kTiles = 8;\n")
        self.reports(
            f"lib/Codegen/Tiles.cpp:{FIRST}: countTiles(int, int) is static in Loops.cpp too, which is compiled with it [names]",
            f"lib/Codegen/Zone.cpp:{FIRST}: kTiles is static in Tiles.cpp too, which is compiled with it [names]",
        )

    def test_attribute_name_outside_its_header(self):
        self.add("lib/Codegen/Loops.cpp", 'const char *kTiles = "hetero.tiles";\n')
        self.reports(f"lib/Codegen/Loops.cpp:{FIRST + 5}: hetero.tiles belongs in AttributeNames.h [words]")

    def test_hints_belong_to_the_runtime(self):
        for hint in ("__builtin_prefetch", "mallopt", "madvise"):
            text = f"void touch(int *x) {{ {hint}(x); }}\n"
            self.add("lib/Runtime/Values.cpp", text)
            self.add("lib/Codegen/Loops.cpp", text)
            self.reports(f"lib/Codegen/Loops.cpp:{FIRST + 5}: {hint} outside Runtime and Emulator [words]")

    def test_plain_words(self):
        for found in words.PLAIN:
            for text, line in ((f"int a; // It is {found} it.\n", 0), (f"// It is {found.upper()} it.\nint a;\n", 0)):
                self.add("lib/Codegen/Loops.cpp", text)
                self.reports(f"lib/Codegen/Loops.cpp:{FIRST + 5 + line}: '{found}': write '{words.PLAIN[found]}' [words]")
        self.add("lib/Codegen/Loops.cpp", "// It stands in\n// front of it, and hands it\n// on.\nint isBehindIt;\n")
        self.reports(
            f"lib/Codegen/Loops.cpp:{FIRST + 5}: 'in front of': write 'before' [words]",
            f"lib/Codegen/Loops.cpp:{FIRST + 6}: 'hands on': write 'passes' [words]",
            f"lib/Codegen/Loops.cpp:{FIRST + 8}: 'behind': write 'after' [words]",
        )

    def test_analysis_is_read_only(self):
        good = "void a() { const Cost &cost = getAnalysis<Cost>(); }\nint b() { return getAnalysis<Cost>().get(); }\n"
        bad = [
            ("auto &cost = getAnalysis<Cost>();", "writes to the analysis Cost"),
            ("getAnalysis<Cost>().set(1);", "writes to the analysis Cost"),
            ("getAnalysis<Cost>().known = true;", "writes to the analysis Cost"),
            ("run(getAnalysis<Cost>()); }\nvoid run(Cost &cost) {", "passes the analysis Cost to be written to"),
        ]
        for statement, text in bad:
            self.add("lib/Codegen/Loops.cpp", good)
            self.reports()
            self.add("lib/Codegen/Loops.cpp", good + f"void c() {{ {statement} }}\n")
            line = FIRST + 7 + statement.count("\n")
            self.reports(f"lib/Codegen/Loops.cpp:{line}: {text} [analyses]")

    def test_graph_of_placement_is_read_only(self):
        for room in ("Graph", "Solve"):
            self.write(f"lib/Analysis/Placement/{room}/Cut.h", "void cut(const PlacementGraph &graph);\nvoid write(PlacementGraph &graph);\n")
        self.reports(f"lib/Analysis/Placement/Solve/Cut.h:{FIRST + 1}: PlacementGraph is a constant here [analyses]")

    def test_folder_of_tests_without_a_room(self):
        self.write("test/Codegen/Tiles/tiles.mlir", "// RUN: hetero-opt %s\n")
        self.write("test/Unit/Codegen/LoopsTest.cpp", "int test;\n")
        self.reports("test/Codegen/Tiles: tests no folder: there is no lib/Codegen/Tiles [tests]")

    def test_pass_without_a_test(self):
        self.add("include/hetero/Codegen/Passes.td", 'def TilesPass : Pass<"hetero-tiles"> {}\n')
        self.reports(f"include/hetero/Codegen/Passes.td:{FIRST + 1}: the pass hetero-tiles has no test/Codegen/**/tiles.mlir [tests]")

    def test_exceptions_shrink(self):
        self.write("include/hetero/Codegen/Tiles.h", "int tiles;\n")
        listed = "include/hetero/Codegen/Tiles.h: no user outside lib/Codegen; it belongs there [headers]"
        self.write(exceptions.FILE, f"# To be moved.\n{listed}\n")
        self.reports()
        os.remove(os.path.join(self.root, "include/hetero/Codegen/Tiles.h"))
        self.reports(f"{exceptions.FILE}:2: no longer occurs, delete it: {listed} [exceptions]")

    def test_unit_test_of_another_room(self):
        self.write("test/Unit/Codegen/CostTest.cpp", '#include "hetero/Analysis/Cost.h"\n')
        self.reports(f"test/Unit/Codegen/CostTest.cpp:{FIRST}: tests lib/Analysis; it belongs in test/Unit/Analysis [tests]")

    def reports_slips(self, name, text, *expected):
        self.write(name, text)
        self.reports(*(f"{name}{problem} [slips]" for problem in expected))
        os.remove(os.path.join(self.root, name))

    def test_checks_that_never_run(self):
        name, run = "test/Codegen/never.mlir", "// RUN: hetero-opt %s | FileCheck %s\n"
        self.reports_slips(name, "// RUN: hetero-opt %s\n// CHECK: hetero\n", ": CHECK lines, but no RUN line calls FileCheck")
        self.reports_slips(name, run, ": no line has the prefix CHECK that a RUN line checks")
        self.reports_slips(name, run + "// CHECK: a\n// CHECK-B: b\n", ": no RUN line checks the prefix CHECK-B")
        self.reports_slips(name, run + "// CHECK: a\n// CHECK_NEXT: b\n", ":3: misspelt CHECK directive", ": no RUN line checks the prefix CHECK_NEXT")
        self.reports_slips(name, "func.func @f()\n", ": a test without a RUN line")
        verify = "// RUN: hetero-opt %s -verify-diagnostics\n"
        self.reports_slips(name, verify + "// expected-eror @+1 {{x}}\n", ":2: expected-eror is not a directive")
        self.reports_slips(name, "// RUN: hetero-opt %s\n// expected-error @+1 {{x}}\n", ": expected-* lines, but no RUN line has -verify-diagnostics")

    def test_banners_and_lengths(self):
        good = source("Tiles.h", "")
        for text, expected in (
            (good.replace("SPDX", "SPD"), ": no license in the banner"),
            (good.replace("Tiles.h", "Tile.h"), ":1: the banner's first line does not name the file"),
            (good + "\n" * 600, ": 603 lines; split it by noun at 600"),
            (good + "// TODO: more.\n", ":4: work left open: // TODO: more."),
        ):
            path = os.path.join(self.root, "lib/Codegen/Tiles.h")
            with open(path, "w") as file:
                file.write(text)
            self.reports(f"lib/Codegen/Tiles.h{expected} [slips]")

    def reports_documents(self, name, text, *problems):
        self.write(name, text)
        self.reports(*(f"{name}{problem} [documents]" for problem in problems))

    def test_links(self):
        self.reports_documents("docs/Tiles.md", "[Loops](Loops.md)\n", ": the link to Loops.md leads nowhere")

    def test_paths(self):
        """Rooted or not, in quotes or not, files, files without a suffix and
        folders."""
        name = "docs/Tiles.md"
        self.reports_documents(name, "Codegen/Loops.cpp, `Codegen/Loops`, `lib/Codegen`, Loops.cpp, `lib/ROOM/X.cpp`, cuda.h, model.mlir\n")
        self.reports_documents(name, "```\nlib/Codegen/Tiles.cpp\n```\n")
        self.reports_documents(
            name,
            "`Codegen/Tiles.cpp` and\nlib/Codegen/Cost.h (Tiles.cpp)\n`Codegen/Tiles` `lib/Codegen/GPU` `lib/Codegen/GPU/Loops.cpp`\n",
            ":1: there is no Codegen/Tiles.cpp",
            ":2: there is no lib/Codegen/Cost.h",
            ":2: there is no Tiles.cpp",
            ":3: there is no Codegen/Tiles",
            ":3: there is no lib/Codegen/GPU",
            ":3: there is no lib/Codegen/GPU/Loops.cpp",
        )

    def test_functions_of_files(self):
        text = "`loops` (Codegen/Loops.cpp), `tiles` (Loops.cpp)\n"
        self.reports_documents("docs/Tiles.md", text, ":1: Loops.cpp has no tiles")

    def test_options(self):
        self.write("tools/hetero-opt/hetero-opt.cpp", 'const char *option = "tile-size";\n')
        text = "`--hetero-loops`, `--tile-size=8`, `--mlir-timing`, a--b\nhetero-opt --tiles\n"
        self.reports_documents("docs/Tiles.md", text, ":2: nothing has the option --tiles")

    def test_table_of_options(self):
        self.write("include/hetero/Pipelines/HeteroPipeline.h", 'Option<int> a{*this, "chip"};\nOption<int> b{\n    *this,\n    "rules"};\n')
        self.write("lib/Pipelines/HeteroPipeline.cpp", '#include "hetero/Pipelines/HeteroPipeline.h"\n#include "mlir/IR/Value.h"\n')
        self.write("lib/Pipelines/CMakeLists.txt", "add_hetero_library(HeteroPipelines HeteroPipeline.cpp)\n")
        self.write("tools/hetero-opt/hetero-opt.cpp", '#include "hetero/Pipelines/HeteroPipeline.h"\n#include "mlir/IR/Value.h"\n')
        self.write("tools/hetero-opt/CMakeLists.txt", "add_hetero_tool(hetero-opt hetero-opt.cpp LINK_LIBS HeteroPipelines)\n")
        table = "# Pipeline\n\n## Options\n\n| `chip` | one |\n| `tiles` | another |\n\n## Passes\n\n| `loops` | a pass |\n"
        self.reports_documents(
            "docs/Pipeline.md",
            table,
            ": `rules` is not in the table of options",
            ": `tiles` of the table of options is none of the pipeline",
        )

    def test_counts(self):
        self.write("docs/README.md", "| [Features.md](Features.md) | 3 programs |\n")
        self.write("docs/Features.md", "## 1. One\n\n## 2. Two\n")
        self.reports("docs/README.md:1: says 3 programs; docs/Features.md has 2 [documents]")
        self.write("docs/Features.md", "## 1. One\n\n## 2. Two\n\n## 2. Three\n")
        self.reports("docs/Features.md: the programs are not numbered from 1, one after the other [documents]")

    def test_marker(self):
        self.reports_documents("docs/Tiles.md", "# Tiles\n\n[TOC]\n", ":3: [TOC] is shown as it is")

    def test_figures_of_the_document(self):
        """They may be off by a fiftieth."""
        found = house_figures.figures(SourceTree(self.root))
        lines = house_figures.table("abc", found, found)
        self.write(house_figures.HOUSE, "\n".join(lines) + "\n")
        self.reports()
        self.write("tools/hetero-opt/hetero-opt.h", "int tool;\n")
        name = "lines of product code"
        number = next(number for what, number, _ in found if what == name)
        self.reports(
            f"{house_figures.HOUSE}: {name}: says {number}, is {number + FIRST}; run scripts/lib/house_figures.py --write [documents]",
            f"{house_figures.HOUSE}: of them tools: says 0, is {FIRST}; run scripts/lib/house_figures.py --write [documents]",
        )

    def test_attribute_that_the_verifier_does_not_know(self):
        text = 'constexpr StringLiteral kOneAttrName = "a";\nconstexpr StringLiteral kTwoAttrName = "b";\n'
        self.write(words.ATTRIBUTES, text + "inline constexpr StringLiteral kAttributeNames[] = {kOneAttrName};\n")
        self.add("lib/Codegen/Loops.cpp", '#include "hetero/Dialect/Hetero/IR/AttributeNames.h"\n')
        self.reports(f"{words.ATTRIBUTES}: add kTwoAttrName to kAttributeNames [slips]")


    def test_figures(self):
        found = {text: (number, place) for text, number, place in house_figures.figures(SourceTree(self.root))}
        self.assertEqual(found["most methods in a class"], (2, "Cost"))
        self.assertEqual(found["longest file, lines"], (FIRST + 7, "Cost.h"))
        self.assertEqual(found["of them the runtime"], (3 * FIRST, ""))


class Tables(unittest.TestCase):
    def test_rooms_are_there(self):
        """Of the tree itself: a row of a table whose folder went is no rule."""
        for folder, rooms in floors.WITHIN.items():
            for room, seen in rooms.items():
                for name in {room, *seen}:
                    path = os.path.join(folder, name)
                    self.assertTrue(any(os.path.isdir(os.path.join(lint.ROOT, place)) for place in (path, path.replace("lib", "include/hetero", 1))), path)


class Scanning(unittest.TestCase):
    def test_functions(self):
        scan = Scan(
            "namespace a {\n"
            "int f(std::function<int(int)> g = {});\n"
            'Box::Box(int x) : y{x}, z(x) { puts("}"); }\n'
            "static int local() { return 1; }\n"
            "template <typename T> T of(T x) { return x; }\n"
            "const int values[] = {g(1), 2};\n"
            "}\n"
        )
        found = [(function.owner, function.name, function.is_definition, function.is_local) for function in scan.functions]
        self.assertEqual(found, [("", "f", False, False), ("Box", "Box", True, False), ("", "local", True, True), ("", "of", True, True)])

    def test_methods(self):
        scan = Scan(
            "class [[nodiscard]] A final : public B {\n"
            "  A() = default;\n"
            "  int get() const { return x; }\n"
            "  bool operator==(const A &other) const;\n"
            "  std::function<void(int)> field;\n"
            "  struct Inner { void run(); };\n"
            "  int x = compute(1);\n"
            "};\n"
        )
        methods = {found.name: [(method.name, method.is_const) for method in found.methods] for found in scan.classes}
        self.assertEqual(methods, {"A": [("get", True), ("operator==", True)], "Inner": [("run", False)]})


def main():
    ran = unittest.main(exit=False)
    if not ran.result.wasSuccessful():
        return 1
    # Some of the tests reach some of the rules.
    missing = list(Reached.unplanted()) if len(sys.argv) == 1 else []
    for place in missing:
        print(f"{place}: no test has seen this problem")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
