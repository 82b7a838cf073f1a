//===- HeteroToLLVM.h - Steps of the lowering to LLVM -----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps that `--hetero-to-llvm` is made of. Each is a free function, in the
// order of this file.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HETEROTOLLVM_HETEROTOLLVM_H
#define HETERO_CONVERSION_HETEROTOLLVM_HETEROTOLLVM_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include <string>
#include <vector>

namespace mlir {
class LLVMTypeConverter;
class SymbolTableCollection;
namespace LLVM {
class LLVMFuncOp;
} // namespace LLVM

namespace hetero {

/// Unit attribute on calls whose i32 result is a HeteroStatus that the calling
/// function must check.
inline constexpr llvm::StringLiteral kCheckedAttrName = "hetero.checked";

/// Unit attribute on the outlined bodies of parallel loops: functions that
/// return a HeteroStatus and nothing else.
inline constexpr llvm::StringLiteral kLoopBodyAttrName = "hetero.loop_body";

/// A public function of the program, as it was before the lowering.
struct EntrySignature {
  std::string name;
  /// Symbol of the function that does the work.
  std::string implementation;
  Location loc;
  FunctionType type;
  std::vector<DeviceAttr> argumentDevices, resultDevices;
};

/// Renames every public function to make room for its entry point, and makes it
/// private. Fails on types that cannot cross the ABI.
FailureOr<std::vector<EntrySignature>> separateEntryPoints(ModuleOp module);

/// Adds the patterns that turn allocations, device operations and hetero
/// operations into calls of the runtime.
void populateRuntimeCallPatterns(const LLVMTypeConverter &converter,
                                 RewritePatternSet &patterns);

/// The constant HeteroImage of every gpu.binary: `__hetero_image_<name>`.
LogicalResult emitDeviceImages(ModuleOp module);
std::string getImageSymbol(llvm::StringRef binary);

/// Symbols of the data that the runtime knows by its address: images and
/// constants on devices. Called before the lowering to the llvm dialect.
std::vector<std::string> collectDeviceGlobals(ModuleOp module);

/// Emits the destructor that has the runtime forget that data. Called when
/// every function returns its status, which this one does not.
void emitUnload(ModuleOp module, llvm::ArrayRef<std::string> symbols);

/// Makes every function return a HeteroStatus first, checks the status of every
/// call, and returns it to the caller when it is a failure.
void propagateStatus(ModuleOp module);

/// Makes masked loads and stores of bf16 those of integers of the same bits.
void accessNarrowFloatsAsIntegers(ModuleOp module);

/// Emits the entry points' functions with the C ABI.
LogicalResult emitEntryPoints(ModuleOp module,
                              llvm::ArrayRef<EntrySignature> entries);

//===----------------------------------------------------------------------===//
// Shared by the steps
//===----------------------------------------------------------------------===//

/// Declares a runtime function that returns a HeteroStatus, once.
LLVM::LLVMFuncOp declareRuntimeFunction(OpBuilder &builder, ModuleOp module,
                                        llvm::StringRef name,
                                        llvm::ArrayRef<Type> arguments);

/// Address of a zero-terminated constant string.
Value getStringAddress(OpBuilder &builder, ModuleOp module, Location loc,
                       llvm::StringRef text);

/// The runtime's number of a device.
int32_t getDeviceId(DeviceAttr device);

/// The HETERO_TYPE_* of an element type.
std::optional<int32_t> getABIType(Type type);

} // namespace hetero
} // namespace mlir

#endif // HETERO_CONVERSION_HETEROTOLLVM_HETEROTOLLVM_H
