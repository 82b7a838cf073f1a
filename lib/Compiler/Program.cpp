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

#include <dlfcn.h>

using namespace mlir::hetero;

/// The file of the library that has the address.
static std::string getLibraryOf(void *address) {
  Dl_info info;
  return dladdr(address, &info) && info.dli_fname ? info.dli_fname : "";
}

Program::Program(llvm::ArrayRef<EntryPoint> entries) : table(entries) {}
Program::~Program() = default;

llvm::Expected<std::unique_ptr<Program>>
Program::load(std::unique_ptr<llvm::MemoryBuffer> object,
              const NodeEntries &contents, int32_t node) {
  const std::vector<EntryPoint> &entries = contents.entries;
  std::unique_ptr<Program> program(new Program(entries));
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  program->jit = std::move(*jit);
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      program->jit->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  // The runtime need not be where the whole process can see it.
  auto runtime = llvm::orc::DynamicLibrarySearchGenerator::Load(
      getLibraryOf(reinterpret_cast<void *>(&heteroReport)).c_str(),
      program->jit->getDataLayout().getGlobalPrefix());
  if (!runtime)
    return runtime.takeError();
  program->jit->getMainJITDylib().addGenerator(std::move(*process));
  program->jit->getMainJITDylib().addGenerator(std::move(*runtime));
  if (llvm::Error error = program->jit->addObjectFile(std::move(object)))
    return std::move(error);
  for (size_t i = 0; i < entries.size(); ++i) {
    auto address = program->jit->lookup(entries[i].getSymbol());
    if (!address)
      return address.takeError();
    program->table.setFunction(i, address->toPtr<HeteroEntryPoint>());
  }
  if (contents.hasState) {
    auto address = program->jit->lookup(getStateTableSymbol(node));
    if (!address)
      return address.takeError();
    program->states = *address->toPtr<const HeteroStateTable *>();
  }
  return std::move(program);
}

std::unique_ptr<Program> Program::compile(Compilation &compilation) {
  if (failed(compilation.lower()) || failed(compilation.translate()))
    return nullptr;
  auto object = compilation.emitObject();
  if (mlir::failed(object))
    return nullptr;
  auto program = load(std::move(*object), compilation.getNodeEntries(),
                      std::max<int32_t>(compilation.getNode(), 0));
  if (program)
    return std::move(*program);
  (void)compilation.fail("cannot load the compiled program: " +
                         llvm::toString(program.takeError()));
  return nullptr;
}

mlir::LogicalResult mlir::hetero::adaptToThisProcess(Compilation &compilation) {
  if (llvm::Error missing =
          loadSharedLibraries(compilation.getOptions().getSharedLibraries()))
    return compilation.fail(llvm::toString(std::move(missing)));
  if (failed(checkExternalFunctions(compilation.getExternalFunctions())))
    return failure();
  // The emulated GPU takes part where it is asked for, and takes PTX only.
  const char *driver = std::getenv("HETERO_CUDA_DRIVER");
  bool isEmulated = driver && llvm::StringRef(driver) == "emulator";
  int32_t numDevices = isEmulated ? 0 : heteroMachineDeviceCount();
  if (!isEmulated)
    compilation.setMachine(numDevices);
  if (numDevices == 0)
    compilation.leaveOutCubins();
  return success();
}
