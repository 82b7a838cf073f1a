//===- YAMLReader.h - Reads YAML files of users -----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the readers of rules and of profiles share: every error stands at its
// line and column, and nothing that a file says is ignored.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_MACHINE_YAMLREADER_H
#define HETERO_ANALYSIS_MACHINE_YAMLREADER_H

#include "hetero/Analysis/Machine/Rules.h"
#include "llvm/Support/YAMLParser.h"

namespace mlir::hetero {

/// Reads one file; the text must outlive the reader.
class YAMLReader {
public:
  YAMLReader(StringRef text, StringRef fileName, MLIRContext *context);

protected:
  using Node = llvm::yaml::Node;
  using Handler = llvm::function_ref<LogicalResult(StringRef key, Node *value)>;

  InFlightDiagnostic error(const Node *node);
  Location getLoc(const Node *node);
  /// Parses the file's only document.
  LogicalResult
  parseDocument(StringRef what,
                llvm::function_ref<LogicalResult(Node *)> parseRoot);
  /// Calls the handler for each key of a mapping, which must be one of `keys`.
  LogicalResult parseMapping(Node *node, StringRef what,
                             ArrayRef<StringRef> keys, Handler handler);
  LogicalResult parseSequence(Node *node, StringRef what,
                              llvm::function_ref<LogicalResult(Node *)> item);
  FailureOr<std::string> parseScalar(Node *node, StringRef what);
  FailureOr<DeviceAttr> parseDeviceName(Node *node);
  LogicalResult parseNumber(Node *node, StringRef what, double &result);
  LogicalResult parseWord(Node *node, StringRef what, std::string &result);
  LogicalResult parseGlob(Node *node, StringRef what,
                          std::optional<llvm::GlobPattern> &glob);
  LogicalResult parseName(Node *node, StringRef what,
                          std::optional<NamePattern> &name);

  StringRef text;
  StringAttr fileName;
  MLIRContext *context;

private:
  /// For a node that the YAML parser could not make, and mostly reported.
  LogicalResult reportMissing(StringRef what);
  static void handleDiagnostic(const llvm::SMDiagnostic &diagnostic,
                               void *reader);

  /// Whether the YAML scanner has found an error.
  bool isReported = false;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_MACHINE_YAMLREADER_H
