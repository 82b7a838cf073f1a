//===- Header.cpp - C header of a compiled program ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Header.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir::hetero;

/// Entry points may have names that no C identifier can spell.
static std::string identifierOf(llvm::StringRef name) {
  std::string identifier;
  for (char c : name)
    identifier += llvm::isAlnum(c) || c == '_' ? c : '_';
  if (identifier.empty() || llvm::isDigit(identifier[0]))
    identifier.insert(0, "_");
  return identifier;
}

static void describe(llvm::raw_ostream &os, llvm::StringRef what,
                     llvm::ArrayRef<EntryValue> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    os << " *   " << what << "[" << i << "]: " << values[i].text;
    if (values[i].device != HETERO_HOST)
      os << " on gpu:" << values[i].device;
    if (values[i].sharer != HETERO_HOST)
      os << ", which gpu:" << values[i].sharer << " shares";
    if (values[i].isDonated)
      os << ", donated";
    os << "\n";
  }
}

static void declare(llvm::raw_ostream &os, const EntryPoint &entry) {
  std::string symbol = entry.getSymbol();
  std::string identifier = identifierOf(symbol);
  os << "\n/* @" << entry.name;
  if (entry.node > 0)
    os << " of rank " << entry.node;
  os << "\n";
  describe(os, "arguments", entry.arguments);
  describe(os, "results", entry.results);
  os << " */\n"
     << "HeteroStatus " << identifier << "(const HeteroValue *arguments,\n"
     << "    int32_t numArguments, HeteroValue *results, int32_t "
        "numResults)";
  if (identifier != symbol) {
    os << "\n    __asm__(\"";
    os.write_escaped(symbol);
    os << "\")";
  }
  os << ";\n";
}

/// What each rank calls.
static void describeNodes(llvm::raw_ostream &os,
                          llvm::ArrayRef<NodeEntries> nodes) {
  os << " *\n"
        " * The program has "
     << nodes.size()
     << " nodes. Each rank begins with\n"
        " * heteroJoinNodes("
     << kNodeTableSymbol << ".numNodes, " << kNodeTableSymbol
     << ".hash, 0)\n"
        " * and ends with heteroLeaveNodes(). When rank 0 calls a function, "
        "rank N calls the one\n"
        " * whose name ends with _nodeN, with (NULL, 0, NULL, 0).\n";
}

void mlir::hetero::writeHeader(llvm::raw_ostream &os, llvm::StringRef source,
                               llvm::StringRef guard,
                               llvm::ArrayRef<NodeEntries> nodes) {
  std::string macro = "HETERO_" + llvm::StringRef(identifierOf(guard)).upper();
  os << "/* Entry points of " << source
     << ", written by hetero-compile.\n"
        " *\n"
        " * Arguments stay the caller's, unless they are donated; each result "
        "of tensor\n"
        " * type is freed with heteroReleaseValue(). Every function returns "
        "HETERO_OK or an "
        "error, whose\n"
        " * text is heteroLastError().\n";
  if (nodes.size() > 1)
    describeNodes(os, nodes);
  os << " */\n"
     << "#ifndef " << macro << "\n#define " << macro << "\n\n"
     << "#include \"hetero/Runtime/"
     << (nodes.size() > 1 ? "HeteroNodes.h" : "HeteroRuntime.h") << "\"\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  for (const NodeEntries &node : nodes)
    for (const EntryPoint &entry : node.entries)
      declare(os, entry);
  if (nodes.size() > 1)
    os << "\n/* The programs of all nodes. */\nextern const HeteroNodeTable "
       << kNodeTableSymbol << ";\n";
  os << "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << macro << " */\n";
}
