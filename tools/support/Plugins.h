//===- Plugins.h - Plugins of the tools -------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--load-dialect-plugin` and `--load-pass-plugin` of hetero-run and
// hetero-compile, as mlir-opt and hetero-opt have them: kinds of devices, code
// generators, dialects and passes from shared libraries (docs/Extending.md).
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TOOLS_SUPPORT_PLUGINS_H
#define HETERO_TOOLS_SUPPORT_PLUGINS_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "llvm/Support/CommandLine.h"

#include <string>
#include <vector>

namespace mlir::hetero {

/// The options, and what they load.
class Plugins {
public:
  /// Loads what the options name; false with the reason in `error`.
  bool load(std::string &error);
  /// Adds what the plugins have.
  void registerDialects(DialectRegistry &registry) const;

private:
  llvm::cl::list<std::string> dialects{
      "load-dialect-plugin",
      llvm::cl::desc("Load kinds of devices, code generators and dialects from "
                     "a shared library"),
      llvm::cl::value_desc("file")};
  llvm::cl::list<std::string> passes{
      "load-pass-plugin",
      llvm::cl::desc("Load passes from a shared library, for "
                     "--target-pipeline"),
      llvm::cl::value_desc("file")};
  std::vector<DialectPlugin> loaded;
};

} // namespace mlir::hetero

#endif // HETERO_TOOLS_SUPPORT_PLUGINS_H
