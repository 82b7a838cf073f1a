//===- Compilation.h - From a file to host and device code ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part that hetero-run and hetero-compile share: their common options, and
// the way from a source file to an object.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_COMPILATION_H
#define HETERO_COMPILER_COMPILATION_H

#include "hetero/Compiler/EntryPoints.h"
#include "hetero/Compiler/ExternalFunctions.h"
#include "hetero/Compiler/MeasuredProfile.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace mlir {
class SourceMgrDiagnosticHandler;

namespace hetero {

/// Registers --rules, --chip, --topology and the pass manager's options.
/// `processors` is the default of --processors. Call before the command line is
/// parsed.
void registerCompileOptions(llvm::StringRef processors);

/// The files of --shared-libs.
std::vector<std::string> getSharedLibraries();

struct Processor;

/// One compilation; keeps the IR that it makes.
class Compilation {
public:
  /// `tool` is named in errors that no place in the source has.
  /// `extend` may add to what is registered.
  explicit Compilation(
      llvm::StringRef tool,
      llvm::function_ref<void(DialectRegistry &)> extend = nullptr);
  ~Compilation();

  /// Parses the file ("-": standard input) and describes its entry points.
  LogicalResult parse(llvm::StringRef path);
  LogicalResult parse(std::unique_ptr<llvm::MemoryBuffer> source);
  /// Tells the default topology how many gpus there are where the program will
  /// run.
  void setMachine(int32_t numGPUs);
  /// Has the devices that placement considers printed once to stderr.
  void announceDevices() { announces = true; }
  /// Makes host code for one processor only, for it is not what is wanted.
  void useOneProcessor() { processors.clear(); }
  /// Lowers the module to the llvm dialect with the command line's options.
  LogicalResult lower();
  /// The regions that it will have; call before it is lowered.
  std::vector<RegionDescription> describeRegions();
  /// Translates the lowered module to LLVM IR.
  LogicalResult translate();
  /// Optimizes the LLVM IR and generates host code for it, or finds what was
  /// generated for the same before (HETERO_CACHE).
  FailureOr<std::unique_ptr<llvm::MemoryBuffer>> emitObject();

  llvm::ArrayRef<EntryPoint> getEntryPoints() const { return entryPoints; }
  llvm::ArrayRef<ExternalFunction> getExternalFunctions() const {
    return externalFunctions;
  }
  ModuleOp getModule() { return *module; }
  /// The LLVM IR as translated; changes count if nothing was generated yet.
  llvm::Module &getLLVMModule() { return *llvmModule; }
  llvm::Module &getOptimizedModule();

private:
  LogicalResult checkOptions();
  LogicalResult checkCPU();
  LogicalResult runPipeline(ModuleOp target, llvm::StringRef stopAfter);
  LogicalResult fail(const llvm::Twine &message);
  FailureOr<std::unique_ptr<llvm::MemoryBuffer>> generateObject();

  std::string tool;
  /// What --processors names; empty: one.
  llvm::SmallVector<const Processor *> processors;
  /// Width of the vectors of --mcpu's processor.
  int64_t vectorBits = 0;
  MLIRContext context;
  llvm::SourceMgr sourceManager;
  std::unique_ptr<SourceMgrDiagnosticHandler> diagnosticHandler;
  OwningOpRef<ModuleOp> module;
  std::vector<EntryPoint> entryPoints;
  std::vector<ExternalFunction> externalFunctions;
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> llvmModule;
  bool isOptimized = false;
  bool announces = false;
  std::unique_ptr<llvm::TargetMachine> machine;
};

/// The device code of one gpu.binary.
struct DeviceImage {
  std::string name;
  std::string ptx;
  /// Empty without ptxas.
  std::string cubin;
};

/// The device code in a lowered module, in order.
llvm::SmallVector<DeviceImage> collectDeviceImages(ModuleOp module);

/// Prints "TOOL: error: MESSAGE" and returns the exit status for it.
int reportError(llvm::StringRef tool, const llvm::Twine &message);

} // namespace hetero
} // namespace mlir

#endif // HETERO_COMPILER_COMPILATION_H
