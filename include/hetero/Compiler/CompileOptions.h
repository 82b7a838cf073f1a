//===- CompileOptions.h - What a program is compiled with -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options of --hetero-pipeline and the few that host code needs besides,
// with types; the tools make flags of them, the C API sets them by name.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_COMPILEOPTIONS_H
#define HETERO_COMPILER_COMPILEOPTIONS_H

#include "hetero/Import/ONNX/ImportONNX.h"
#include "hetero/Pipelines/HeteroPipeline.h"

#include <string>
#include <vector>

namespace mlir::hetero {

struct CompileOptions : public HeteroPipelineOptions {
  /// `processors` is what host code is made for where neither --processors nor
  /// --mcpu says: kNativeProcessor or kAllProcessors.
  explicit CompileOptions(llvm::StringRef processors);

  Option<std::string> cpu{
      *this, "mcpu",
      llvm::cl::desc("Host CPU to generate code for; default: this one"),
      llvm::cl::value_desc("name")};
  Option<int64_t> level{*this, "opt-level",
                        llvm::cl::desc("LLVM's optimization level, 0 to 3"),
                        llvm::cl::value_desc("N"), llvm::cl::init(3)};
  Option<std::string> sharedLibs{
      *this, "shared-libs",
      llvm::cl::desc("Libraries with functions that the model declares and "
                     "calls: files by commas"),
      llvm::cl::value_desc("files")};
  Option<bool> timePhases{
      *this, "time-phases",
      llvm::cl::desc("Print how long each phase of the compilation takes"),
      llvm::cl::init(false)};

  /// Calls `visit` with each option, as the type that it has.
  template <typename Visitor> void visitAllOptions(Visitor &&visit) {
    visitOptions(visit);
    visit(cpu);
    visit(level);
    visit(sharedLibs);
    visit(timePhases);
  }

  /// Sets an option by its name; an empty value of a boolean one means true.
  /// Returns the text of an error, or nothing.
  std::string set(llvm::StringRef name, llvm::StringRef value);

  /// The files of `sharedLibs`.
  std::vector<std::string> getSharedLibraries() const;

  /// Takes over all options, those for models that are imported included.
  void copyFrom(const CompileOptions &other);

  /// Options for ONNX models, which the flags of these add to.
  ONNXImportOptions onnx;

  std::string defaultProcessors;
};

} // namespace mlir::hetero

#endif // HETERO_COMPILER_COMPILEOPTIONS_H
