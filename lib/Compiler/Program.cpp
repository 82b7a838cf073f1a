//===- Program.cpp - A compiled program in this process -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/Program.h"

#include "hetero/Runtime/HeteroRuntime.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

using namespace mlir::hetero;

Program::Program(llvm::ArrayRef<EntryPoint> entries) : table(entries) {}
Program::~Program() = default;

llvm::Expected<std::unique_ptr<Program>>
Program::load(std::unique_ptr<llvm::MemoryBuffer> object,
              llvm::ArrayRef<EntryPoint> entries) {
  std::unique_ptr<Program> program(new Program(entries));
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  program->jit = std::move(*jit);
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      program->jit->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  program->jit->getMainJITDylib().addGenerator(std::move(*process));
  if (llvm::Error error = program->jit->addObjectFile(std::move(object)))
    return std::move(error);
  for (size_t i = 0; i < entries.size(); ++i) {
    auto address = program->jit->lookup(entries[i].name);
    if (!address)
      return address.takeError();
    program->table.setFunction(i, address->toPtr<HeteroEntryPoint>());
  }
  return std::move(program);
}
