//===- ProgramVariant.cpp - A program compiled once more ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/Tuning/ProgramVariant.h"

#include "mlir/Bytecode/BytecodeWriter.h"

using namespace mlir::hetero;

ProgramVariant::ProgramVariant(const CompileOptions &options,
                               const CompilationHost &host)
    : options(options.defaultProcessors), errors(messages) {
  // Without those of ONNX models: a variant is of what was imported.
  this->options.copyOptionValuesFrom(options);
  CompilationHost quiet{host.name, errors, host.extendRegistry,
                        host.configurePasses};
  compilation.emplace(this->options, quiet);
}

bool ProgramVariant::parse(ModuleOp source) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  return succeeded(writeBytecodeToFile(source, stream)) &&
         succeeded(compilation->parse(
             llvm::MemoryBuffer::getMemBufferCopy(text, "placement")));
}
