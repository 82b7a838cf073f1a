//===- ProgramHarness.cpp - Compiles and runs in this process -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramHarness.h"

#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Compiler/Compilation.h"
#include "hetero/Runtime/HeteroRuntime.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <random>

using namespace ::hetero::test;
using namespace mlir::hetero;

/// Takes the calls of a runtime function, and of those whose names begin so,
/// out of the lowered module.
static int64_t removeCalls(mlir::ModuleOp module, llvm::StringRef callee) {
  int64_t removed = 0;
  module.walk([&](mlir::LLVM::CallOp call) {
    if (!call.getCallee().value_or("").starts_with(callee))
      return;
    mlir::OpBuilder builder(call);
    mlir::Value success = mlir::LLVM::ConstantOp::create(
        builder, call.getLoc(), builder.getI32IntegerAttr(HETERO_OK));
    call->replaceAllUsesWith(mlir::ValueRange(success));
    call->erase();
    ++removed;
  });
  return removed;
}

std::unique_ptr<LoadedProgram> LoadedProgram::load(const RandomProgram &program,
                                                   const std::string &without,
                                                   std::string &error,
                                                   const std::string &budget) {
  auto loaded = std::make_unique<LoadedProgram>();
  loaded->isFloat = program.isFloat;
  CompileOptions options(kNativeProcessor);
  options.level = 0;
  options.memoryBudget = budget;
  std::string text;
  llvm::raw_string_ostream errors(text);
  Compilation compilation(options, {"test", errors});
  if (mlir::failed(compilation.parse(
          llvm::MemoryBuffer::getMemBufferCopy(program.text, "program"))) ||
      mlir::failed(compilation.lower())) {
    error = "it does not compile: " + text;
    return nullptr;
  }
  error = "it cannot be translated";
  if (!without.empty())
    loaded->removed = removeCalls(compilation.getLoweredModule(), without);
  if (mlir::failed(compilation.translate()))
    return nullptr;
  auto object = compilation.emitObject();
  if (mlir::failed(object))
    return nullptr;
  auto linked = Program::load(std::move(*object), compilation.getNodeEntries());
  if (!linked) {
    error = llvm::toString(linked.takeError());
    return nullptr;
  }
  loaded->program = std::move(*linked);
  return loaded;
}

namespace {
/// A matrix of small integers as one of f32 or i32.
struct Argument {
  Argument(std::mt19937_64 &random, bool isFloat) {
    for (int32_t &bits : data) {
      int32_t number = static_cast<int32_t>(random() % 9) - 4;
      float real = static_cast<float>(number);
      bits = number;
      if (isFloat)
        std::memcpy(&bits, &real, sizeof bits);
    }
    value.data = data;
    value.type = isFloat ? HETERO_TYPE_F32 : HETERO_TYPE_I32;
    value.rank = 2;
    value.device = HETERO_HOST;
    value.sizes[0] = value.sizes[1] = value.strides[0] = kSize;
    value.strides[1] = 1;
  }

  int32_t data[kSize * kSize];
  HeteroValue value = {};
};
} // namespace

bool LoadedProgram::run(const std::string &entry, uint64_t seed,
                        std::vector<int32_t> &results,
                        std::string &error) const {
  std::mt19937_64 random(seed);
  Argument a(random, isFloat), b(random, isFloat);
  HeteroValue arguments[3] = {a.value, b.value, {}};
  arguments[2].type = HETERO_TYPE_I1;
  arguments[2].rank = HETERO_SCALAR;
  arguments[2].device = HETERO_HOST;
  arguments[2].scalar = random() % 2;
  HeteroValue values[2] = {};
  results.clear();
  for (const HeteroProgramEntry &candidate : program->getEntries()) {
    if (entry != candidate.name)
      continue;
    if (candidate.function(arguments, 3, values, 2) != HETERO_OK) {
      error = heteroLastError();
      return false;
    }
    for (HeteroValue &value : values) {
      auto *data = static_cast<const int32_t *>(value.data);
      results.insert(results.end(), data, data + kSize * kSize);
      heteroReleaseValue(&value);
    }
    return true;
  }
  error = "there is no entry point @" + entry;
  return false;
}
