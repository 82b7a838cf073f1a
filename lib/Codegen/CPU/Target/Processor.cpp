//===- Processor.cpp - Processors that host code is made for --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The levels of x86-64 are those of its psABI (x86-64-v3 and x86-64-v4): what
// each asks for is listed there, so that a processor either has a level or not.
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"

#include "hetero/Runtime/HeteroRuntime.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mlir::hetero;

#define HETERO_X86_V3                                                          \
  "+avx,+avx2,+bmi,+bmi2,+cmov,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,+mmx,"       \
  "+movbe,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87,+xsave"

#define HETERO_X86_V4                                                          \
  HETERO_X86_V3 ",+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl"

static constexpr Processor kX86Processors[] = {
    {"avx512bf16", HETERO_CPU_AVX512_BF16, "x86-64-v4",
     HETERO_X86_V4 ",+avx512bf16,+avx512vnni", 512, 32, true},
    {"avx512", HETERO_CPU_AVX512, "x86-64-v4", HETERO_X86_V4, 512, 32},
    {"avx2", HETERO_CPU_AVX2, "x86-64-v3", HETERO_X86_V3, 256, 16},
    {"baseline", HETERO_CPU_BASELINE, "x86-64",
     "+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87", 128, 16}};

/// Elsewhere there is one: what every processor of the architecture has.
static constexpr Processor kOtherProcessors[] = {
    {"baseline", HETERO_CPU_BASELINE, "generic", "", 128, 32}};

ArrayRef<Processor> mlir::hetero::getProcessors() {
  static const bool isX86 =
      llvm::Triple(llvm::sys::getProcessTriple()).getArch() ==
      llvm::Triple::x86_64;
  return isX86 ? ArrayRef(kX86Processors) : ArrayRef(kOtherProcessors);
}

const Processor *mlir::hetero::lookupProcessor(StringRef name) {
  for (const Processor &processor : getProcessors())
    if (processor.name == name)
      return &processor;
  return nullptr;
}

const Processor *mlir::hetero::getProcessor(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<FunctionOpInterface>();
  auto name = function ? function->getAttrOfType<StringAttr>(kProcessorAttrName)
                       : StringAttr();
  return name ? lookupProcessor(name.getValue()) : nullptr;
}

FailureOr<SmallVector<const Processor *>> mlir::hetero::parseProcessors(
    StringRef text, llvm::function_ref<void(const std::string &)> fail) {
  SmallVector<const Processor *> found;
  if (text.empty() || text == kNativeProcessor)
    return found;
  SmallVector<StringRef> names;
  text.split(names, ',');
  for (StringRef name : names)
    if (!lookupProcessor(name.trim()) && text != kAllProcessors) {
      std::string known;
      for (const Processor &processor : getProcessors())
        known += processor.name.str() + ", ";
      fail("no processor is called '" + name.trim().str() + "'; name some of " +
           known + "by commas, or all, or native");
      return failure();
    }
  for (const Processor &processor : getProcessors())
    if (text == kAllProcessors || llvm::any_of(names, [&](StringRef name) {
          return name.trim() == processor.name;
        }))
      found.push_back(&processor);
  return found;
}
