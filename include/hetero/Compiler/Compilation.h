//===- Compilation.h - From a file to host and device code ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_COMPILATION_H
#define HETERO_COMPILER_COMPILATION_H

#include "hetero/Compiler/CompileOptions.h"
#include "hetero/Compiler/EntryPoints.h"
#include "hetero/Compiler/ExternalFunctions.h"
#include "hetero/Compiler/Tuning/MeasuredRegions.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class PassManager;
class SourceMgrDiagnosticHandler;

namespace hetero {

class HostCode;
struct Processor;

/// What a compilation takes from the program that it is part of.
struct CompilationHost {
  /// Named in errors that no place in the source has.
  std::string name;
  /// Where errors, warnings and remarks go.
  llvm::raw_ostream &errors = llvm::errs();
  /// May add to what is registered; may be empty.
  std::function<void(DialectRegistry &)> extendRegistry = {};
  /// May add to each pass manager before it runs; may be null.
  LogicalResult (*configurePasses)(PassManager &) = nullptr;
};

/// One compilation; keeps the IR that it makes. `options` must outlive it.
/// Different compilations may run in different threads.
class Compilation {
public:
  Compilation(const CompileOptions &options, const CompilationHost &host);
  ~Compilation();

  /// Parses the file ("-": standard input) and describes its entry points. An
  /// ONNX model (*.onnx) is imported.
  LogicalResult parse(llvm::StringRef path);
  LogicalResult parse(std::unique_ptr<llvm::MemoryBuffer> source);
  /// Takes a module that was imported before, from who makes it.
  LogicalResult
  parse(llvm::StringRef name,
        llvm::function_ref<OwningOpRef<ModuleOp>(MLIRContext *)> make);
  /// Tells the default topology how many gpus there are where the program will
  /// run.
  void setMachine(int32_t numGPUs);
  /// Compiles only this entry point and what it calls.
  void setEntry(llvm::StringRef name) { entry = name.str(); }
  /// Empty without such a one.
  llvm::StringRef getEntry() const { return entry; }
  /// Costs take the dynamic sizes of an entry point's arguments to be those of
  /// these shapes, unless the program or --dynamic-size says others.
  void assumeShapes(llvm::StringRef name,
                    llvm::ArrayRef<std::vector<int64_t>> shapes);
  /// Compiles the program of one node, from 0; -1: the program has one.
  void setNode(int64_t number) { node = number; }
  int64_t getNode() const { return node < 0 ? options.node.getValue() : node; }
  /// Has the devices that placement considers printed once.
  void announceDevices() { announces = true; }
  /// Makes host code for one processor only, for it is not what is wanted.
  void useOneProcessor() { processors.clear(); }
  /// Makes no cubins, for nothing would take them.
  void leaveOutCubins() { takesCubins = false; }
  /// A copy of the source, run up to a phase of the pipeline. Null after an
  /// error, which is not reported where `isQuiet`.
  OwningOpRef<ModuleOp> runUntil(Phase phase, bool isQuiet);
  /// What the runtime measures of it; nothing where it cannot be lowered.
  std::optional<ProgramParts> describeParts();
  /// Lowers a copy of the source to the llvm dialect. Afterwards there are only
  /// the entry points that are in it; those of a node besides the first have
  /// neither arguments nor results.
  LogicalResult lower();
  /// Translates the lowered module to LLVM IR. Entry points have the names that
  /// EntryPoint::getSymbol() says from here on.
  LogicalResult translate();
  bool isTranslated() const { return code != nullptr; }
  /// The LLVM IR after it was optimized, as text.
  std::string printOptimized();
  /// Optimizes the LLVM IR and generates host code for it, or finds what was
  /// generated for the same before (HETERO_CACHE).
  FailureOr<std::unique_ptr<llvm::MemoryBuffer>> emitObject();
  /// An object with the table of the entry points of all nodes, as
  /// `kEntryTableSymbol` those of the first, and with a main() that runs one of
  /// them if `hasMain`.
  FailureOr<std::unique_ptr<llvm::MemoryBuffer>>
  emitEntryTable(llvm::ArrayRef<NodeEntries> nodes, bool hasMain);

  llvm::ArrayRef<EntryPoint> getEntryPoints() const { return entryPoints; }
  /// Of the program that was lowered last.
  NodeEntries getNodeEntries();
  llvm::ArrayRef<ExternalFunction> getExternalFunctions() const {
    return externalFunctions;
  }
  /// As it was parsed.
  ModuleOp getSource() { return *source; }
  ModuleOp getLoweredModule() { return *lowered; }
  /// Of what was lowered: equal for all nodes of one program; 0 for a program
  /// of one.
  uint64_t getProgramHash();
  const CompileOptions &getOptions() const { return options; }

  /// Prints an error that no place in the source has.
  LogicalResult fail(const llvm::Twine &message);

private:
  LogicalResult checkOptions();
  LogicalResult importModel(std::unique_ptr<llvm::MemoryBuffer> file);
  LogicalResult parseMLIR(std::unique_ptr<llvm::MemoryBuffer> file);
  LogicalResult describeSource();
  LogicalResult runPipeline(ModuleOp target, Phase last);

  const CompileOptions &options;
  CompilationHost host;
  /// What host code is made for; empty: one processor.
  llvm::SmallVector<const Processor *> processors;
  /// Width of the vectors of --mcpu's processor.
  int64_t vectorBits = 0;
  MLIRContext context;
  llvm::SourceMgr sourceManager;
  std::unique_ptr<SourceMgrDiagnosticHandler> diagnosticHandler;
  OwningOpRef<ModuleOp> source, lowered;
  /// Those of the source, and those of what was lowered last.
  std::vector<EntryPoint> sourceEntryPoints, entryPoints;
  std::vector<ExternalFunction> externalFunctions;
  std::unique_ptr<HostCode> code;
  /// Empty: that of the options.
  std::string entry;
  /// -1: that of the options.
  int64_t node = -1;
  bool announces = false;
  bool takesCubins = true;
};

/// The device code of a gpu.binary for one chip, which its name ends with where
/// there are several.
struct DeviceImage {
  std::string name;
  std::string ptx;
  /// Empty without ptxas.
  std::string cubin;
};

/// The device code in a lowered module, in order.
llvm::SmallVector<DeviceImage> collectDeviceImages(ModuleOp module);

} // namespace hetero
} // namespace mlir

#endif // HETERO_COMPILER_COMPILATION_H
