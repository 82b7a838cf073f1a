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
#include "llvm/ADT/MapVector.h"
#include <string>
#include <vector>

namespace mlir {
class LLVMTypeConverter;
class SymbolTableCollection;
namespace LLVM {
class GlobalOp;
class LLVMFuncOp;
} // namespace LLVM

namespace hetero {

/// A public function of the program, as it was before the lowering.
struct EntrySignature {
  std::string name;
  /// Symbols of the functions that do the work, one per processor.
  struct Implementation {
    std::string symbol;
    /// The HETERO_CPU_* that it needs; -1: it runs wherever this code does.
    int32_t level;
  };
  std::vector<Implementation> implementations;
  Location loc;
  FunctionType type;
  std::vector<DeviceAttr> argumentDevices, resultDevices;
  /// HETERO_TYPE_* of their elements.
  std::vector<int32_t> argumentElements, resultElements;
  /// The arguments that are donated.
  std::vector<unsigned> donated;
  /// The devices that share an argument; null for none.
  std::vector<DeviceAttr> sharers;
};

/// Gives private functions another name if the runtime or the C library has a
/// function of theirs.
LogicalResult renameReservedFunctions(ModuleOp module);

/// Renames every public function to make room for its entry point, and makes it
/// private. Fails on types that cannot cross the ABI.
FailureOr<std::vector<EntrySignature>> separateEntryPoints(ModuleOp module);

/// Adds the patterns that turn allocations, device operations and hetero
/// operations into calls of the runtime.
void populateRuntimeCallPatterns(const LLVMTypeConverter &converter,
                                 RewritePatternSet &patterns);

/// Adds the patterns that turn calls of libraries into calls of the runtime.
void populateLibraryCallPatterns(const LLVMTypeConverter &converter,
                                 RewritePatternSet &patterns);

/// Begins the symbols of the pointers that libraries keep something at.
inline constexpr llvm::StringLiteral kLibraryStatePrefix =
    "__hetero_library_state_";

/// Makes equal kernels of a module one, and several modules of many kernels.
/// Returns how many kernels are gone.
int64_t mergeEqualKernels(ModuleOp module);

/// The constant HeteroImage of every gpu.binary: `__hetero_image_<name>`.
LogicalResult emitDeviceImages(ModuleOp module);
std::string getImageSymbol(llvm::StringRef binary);

/// A constant on a device.
struct DeviceConstant {
  /// Symbol of its HeteroConstant.
  std::string symbol;
  /// Symbol of the elements on the host, and their size.
  std::string elements;
  int64_t bytes;
  std::string name;
  int32_t device;
};

/// The constants that the functions of a module read on devices.
struct DeviceConstants {
  std::vector<DeviceConstant> all;
  /// By entry point: the numbers of those that its calls may need.
  std::vector<std::vector<unsigned>> needed;
};

/// By constant global: the first one of the same bytes.
using EqualConstants = llvm::MapVector<StringAttr, StringAttr>;

/// Finds the constants that hold the same bytes, whatever their types say.
EqualConstants findEqualConstants(ModuleOp module);

/// Keeps one of each, after the lowering to the llvm dialect.
void mergeConstants(ModuleOp module, const EqualConstants &equal);

/// Finds the constants before the lowering to the llvm dialect, and notes on
/// each hetero.resident the symbol that it reads. Fails on one whose source is
/// no constant.
FailureOr<DeviceConstants>
collectDeviceConstants(ModuleOp module, llvm::ArrayRef<EntrySignature> entries,
                       const EqualConstants &equal);

/// The symbol that the operation reads, a HeteroConstant.
llvm::StringRef getConstantSymbol(ResidentOp op);

/// Emits each HeteroConstant, and the HeteroConstants of each entry point that
/// needs some: `__hetero_constants_<name>`.
void emitDeviceConstants(ModuleOp module, const DeviceConstants &constants,
                         llvm::ArrayRef<EntrySignature> entries);
std::string getConstantsSymbol(llvm::StringRef entry);

/// Emits the destructor that has the runtime forget images and constants.
/// Called when every function returns its status, which this one does not.
void emitUnload(ModuleOp module, const DeviceConstants &constants);

/// Makes every function return a HeteroStatus first, checks the status of every
/// call, and returns it to the caller when it is a failure.
void propagateStatus(ModuleOp module);

/// Makes masked loads and stores of bf16 those of integers of the same bits.
void accessNarrowFloatsAsIntegers(ModuleOp module);

/// Lets LLVM use the instructions of the processor that a function is for.
void applyProcessors(ModuleOp module);

/// Fails if compiled code needs the name of an entry point for something else.
LogicalResult checkEntryPointNames(ModuleOp module,
                                   llvm::ArrayRef<EntrySignature> entries);

/// Emits the entry points' functions with the C ABI.
LogicalResult emitEntryPoints(ModuleOp module,
                              llvm::ArrayRef<EntrySignature> entries);

/// Notes on entry points, for tools that call them, which gpus share arguments
/// of the host (`hetero.shared`): HETERO_HOST for none.
void noteSharers(ModuleOp module, ArrayRef<EntrySignature> entries);

//===----------------------------------------------------------------------===//
// Shared by the steps
//===----------------------------------------------------------------------===//

/// Declares a runtime function that returns a HeteroStatus, once.
LLVM::LLVMFuncOp declareRuntimeFunction(OpBuilder &builder, ModuleOp module,
                                        llvm::StringRef name,
                                        llvm::ArrayRef<Type> arguments);

/// A global of the struct type whose fields are what `fields` makes.
LLVM::GlobalOp
createStruct(OpBuilder &builder, Location loc, Type type,
             llvm::StringRef symbol, bool isConstant,
             llvm::function_ref<llvm::SmallVector<Value>()> fields);

/// Address of a zero-terminated constant string.
Value getStringAddress(OpBuilder &builder, ModuleOp module, Location loc,
                       llvm::StringRef text);

/// The runtime's number of a device.
int32_t getDeviceId(DeviceAttr device);

/// The HETERO_TYPE_* of an element type.
std::optional<int32_t> getABIType(Type type);
/// The names of the types that have one, for errors.
std::string listABITypes();

} // namespace hetero
} // namespace mlir

#endif // HETERO_CONVERSION_HETEROTOLLVM_HETEROTOLLVM_H
