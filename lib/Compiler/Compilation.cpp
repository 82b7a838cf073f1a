//===- Compilation.cpp - From a file to host and device code --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/Compilation.h"

#include "DamagedBytecode.h"
#include "DeviceNotice.h"
#include "HostCode.h"
#include "hetero/Analysis/Machine/Profile.h"
#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/InitAll.h"
#include "hetero/Support/NestingDepth.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/WithColor.h"

#include <chrono>
#include <mutex>

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Source
//===----------------------------------------------------------------------===//

static DialectRegistry
makeRegistry(const std::function<void(DialectRegistry &)> &extend) {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  mlir::hetero::registerAllDialects(registry);
  if (extend)
    extend(registry);
  return registry;
}

/// What the process has once, whichever thread compiles first.
static void initializeProcess() {
  static std::once_flag once;
  std::call_once(once, [] {
    mlir::hetero::registerAllPasses();
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

Compilation::Compilation(const CompileOptions &options,
                         const CompilationHost &host)
    : options(options), host(host), context(makeRegistry(host.extendRegistry)) {
  initializeProcess();
  // A module without annotations does not load it by itself.
  context.loadDialect<HeteroDialect>();
  diagnosticHandler = std::make_unique<SourceMgrDiagnosticHandler>(
      sourceManager, &context, host.errors);
}

Compilation::~Compilation() = default;

namespace {
/// Prints how long it lived.
class PhaseTimer {
public:
  PhaseTimer(llvm::StringRef phase, bool isEnabled, llvm::raw_ostream &os)
      : phase(phase), isEnabled(isEnabled), os(os) {}
  ~PhaseTimer() {
    std::chrono::duration<double> seconds = Clock::now() - start;
    if (isEnabled)
      os << llvm::format("%-8s %.3f s\n", phase.str().c_str(), seconds.count());
  }

private:
  using Clock = std::chrono::steady_clock;
  llvm::StringRef phase;
  bool isEnabled;
  llvm::raw_ostream &os;
  Clock::time_point start = Clock::now();
};
} // namespace

LogicalResult Compilation::fail(const llvm::Twine &message) {
  llvm::WithColor::error(host.errors, host.name) << message << "\n";
  return failure();
}

LogicalResult Compilation::checkOptions() {
  if (options.level < 0 || options.level > 3)
    return fail("expected --opt-level to be 0, 1, 2 or 3, got " +
                llvm::Twine(options.level));
  const std::string &asked = options.processors.getValue();
  auto list =
      parseProcessors(asked.empty() ? options.defaultProcessors : asked,
                      [&](const std::string &text) {
                        (void)fail("--processors: " + llvm::Twine(text));
                      });
  if (failed(list))
    return failure();
  if (options.cpu.getValue().empty()) {
    processors = *list;
    return success();
  }
  if (!asked.empty() && !list->empty())
    return fail("expected --mcpu or --processors, got both; leave one out");
  std::optional<int64_t> bits = lookupVectorBits(
      options.cpu, [&](const llvm::Twine &message) { (void)fail(message); });
  vectorBits = bits.value_or(0);
  return success(bits.has_value());
}

LogicalResult Compilation::parse(llvm::StringRef path) {
  llvm::StringRef suffix = llvm::sys::path::extension(path);
  if (suffix == ".tflite")
    return fail("'" + path +
                "' is a network and not MLIR; import and run it "
                "with: scripts/run " +
                path);
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path, &error);
  return file ? parse(std::move(file)) : fail(error);
}

/// Weights in bytecode are read where they are, and are aligned in a file; so
/// the reader wants what it gets to be aligned. Null if there is no memory.
static std::unique_ptr<llvm::MemoryBuffer>
alignBytecode(std::unique_ptr<llvm::MemoryBuffer> file) {
  const llvm::Align alignment(4096);
  if (!isBytecode(file->getMemBufferRef()) ||
      llvm::isAddrAligned(alignment, file->getBufferStart()))
    return file;
  auto copy = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
      file->getBufferSize(), file->getBufferIdentifier(), alignment);
  if (copy)
    llvm::copy(file->getBuffer(), copy->getBufferStart());
  return copy;
}

LogicalResult
Compilation::importModel(std::unique_ptr<llvm::MemoryBuffer> file) {
  PhaseTimer timer("import", options.timePhases, host.errors);
  std::string path = file->getBufferIdentifier().str();
  std::string error;
  ONNXSignature signature;
  source = importONNX(std::move(file), llvm::sys::path::parent_path(path).str(),
                      options.onnx, &context, error, &signature);
  if (!source)
    return fail(error);
  nameDimensions(*source, signature);
  return success();
}

LogicalResult Compilation::parseMLIR(std::unique_ptr<llvm::MemoryBuffer> file) {
  if (!options.onnx.empty())
    return fail("--dim, --value and --shape are for ONNX models, and '" +
                file->getBufferIdentifier() + "' is none; leave them out");
  std::string nesting = findDeepNesting(file->getBuffer());
  if (!nesting.empty())
    return fail("'" + file->getBufferIdentifier() + "', " + nesting);
  file = alignBytecode(std::move(file));
  if (!file)
    return fail("there is not enough memory to read the model");
  if (crashesReader(file->getMemBufferRef(), context.getDialectRegistry()))
    return fail("'" + file->getBufferIdentifier() +
                "' is damaged: MLIR's reader of bytecode crashes at it");
  PhaseTimer timer("parse", options.timePhases, host.errors);
  sourceManager.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  source = parseSourceFile<ModuleOp>(sourceManager, &context);
  return success(bool(source));
}

LogicalResult Compilation::parse(std::unique_ptr<llvm::MemoryBuffer> file) {
  // Bytecode of an imported model keeps the model's name.
  bool isONNX = isONNXFile(file->getBufferIdentifier()) &&
                !isBytecode(file->getMemBufferRef());
  if (failed(checkOptions()) || failed(isONNX ? importModel(std::move(file))
                                              : parseMLIR(std::move(file))))
    return failure();
  return describeSource();
}

LogicalResult Compilation::parse(
    llvm::StringRef name,
    llvm::function_ref<OwningOpRef<ModuleOp>(MLIRContext *)> make) {
  if (failed(checkOptions()))
    return failure();
  if (!options.onnx.empty())
    return fail(
        "'" + name +
        "' is imported already; give --dim, --value and --shape to its import");
  PhaseTimer timer("parse", options.timePhases, host.errors);
  source = make(&context);
  return source ? describeSource() : failure();
}

LogicalResult Compilation::describeSource() {
  FailureOr<std::vector<EntryPoint>> entries =
      collectEntryPoints(*source, options.entry.getValue());
  if (failed(entries))
    return failure();
  entryPoints = sourceEntryPoints = *entries;
  externalFunctions = collectExternalFunctions(*source);
  if (vectorBits && !(*source)->hasAttr(kVectorBitsAttrName))
    (*source)->setAttr(kVectorBitsAttrName,
                       Builder(&context).getI64IntegerAttr(vectorBits));
  return success();
}

void Compilation::assumeShapes(llvm::StringRef name,
                               llvm::ArrayRef<std::vector<int64_t>> shapes) {
  auto function = source->lookupSymbol<FunctionOpInterface>(name);
  if (!function || options.dynamicSize.getValue().get() ||
      shapes.size() != function.getNumArguments())
    return;
  for (auto [argument, shape] :
       llvm::zip_equal(function.getArguments(), shapes)) {
    auto type = dyn_cast<ShapedType>(argument.getType());
    unsigned number = argument.getArgNumber();
    if (!type || !type.hasRank() || type.hasStaticShape() ||
        type.getRank() != int64_t(shape.size()) ||
        function.getArgAttr(number, kDynamicSizesAttrName))
      continue;
    llvm::SmallVector<int64_t> sizes;
    for (auto [dim, size] : llvm::enumerate(shape))
      if (type.isDynamicDim(dim))
        sizes.push_back(std::max<int64_t>(size, 1));
    function.setArgAttr(number, kDynamicSizesAttrName,
                        DenseI64ArrayAttr::get(&context, sizes));
  }
}

//===----------------------------------------------------------------------===//
// MLIR
//===----------------------------------------------------------------------===//

LogicalResult Compilation::runPipeline(ModuleOp target, Phase last) {
  CompileOptions pipeline(options.defaultProcessors);
  pipeline.copyOptionValuesFrom(options);
  pipeline.stopAfter = last;
  if (!entry.empty())
    pipeline.entry = entry;
  pipeline.node = getNode();
  pipeline.cubins = options.cubins && takesCubins;
  std::string names;
  for (const Processor *processor : processors)
    names += (names.empty() ? "" : ",") + processor->name.str();
  pipeline.processors = names;
  PassManager manager(&context);
  if (host.configurePasses && failed(host.configurePasses(manager)))
    return failure();
  if (failed(buildHeteroPipeline(
          manager, pipeline,
          [&](const llvm::Twine &message) { return fail(message); })))
    return failure();
  if (announces)
    manager.addInstrumentation(
        std::make_unique<DeviceNotice>(host.name, host.errors));
  announces = false;
  return manager.run(target);
}

void Compilation::setMachine(int32_t numGPUs) {
  SmallVector<Attribute> devices;
  for (int32_t i = 0; i < numGPUs; ++i)
    devices.push_back(DeviceAttr::get(&context, "gpu", i));
  (*source)->setAttr(kMachineAttrName, ArrayAttr::get(&context, devices));
}

LogicalResult Compilation::lower() {
  PhaseTimer timer("passes", options.timePhases, host.errors);
  lowered = runUntil(Phase::LLVM, /*isQuiet=*/false);
  if (!lowered)
    return failure();
  entryPoints = sourceEntryPoints;
  llvm::erase_if(entryPoints, [&](const EntryPoint &entry) {
    return !lowered->lookupSymbol(entry.name);
  });
  code = nullptr;
  if (getNode() > 0)
    for (EntryPoint &entry : entryPoints)
      entry = {entry.name, {}, {}, static_cast<int32_t>(getNode())};
  readSharers(*lowered, entryPoints);
  return success();
}

NodeEntries Compilation::getNodeEntries() {
  return {entryPoints, SymbolTable::lookupSymbolIn(
                           *lowered, getStateTableSymbol()) != nullptr};
}

uint64_t Compilation::getProgramHash() {
  auto hash = (*lowered)->getAttrOfType<IntegerAttr>(kProgramHashAttrName);
  return hash ? hash.getValue().getZExtValue() : 0;
}

OwningOpRef<ModuleOp> Compilation::runUntil(Phase phase, bool isQuiet) {
  std::optional<ScopedDiagnosticHandler> quiet;
  if (isQuiet)
    quiet.emplace(&context, [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> copy = source->clone();
  if (failed(runPipeline(*copy, phase)))
    return nullptr;
  return copy;
}

std::optional<ProgramParts> Compilation::describeParts() {
  // The compilation itself reports whatever is wrong.
  OwningOpRef<ModuleOp> copy = runUntil(Phase::Partitioned, /*isQuiet=*/true);
  std::optional<Profile> profile;
  if (!copy ||
      failed(loadProfileOption(options.profile, copy->getLoc(), profile)))
    return std::nullopt;
  return mlir::hetero::describeParts(*copy, profile ? &*profile : nullptr);
}

SmallVector<DeviceImage> mlir::hetero::collectDeviceImages(ModuleOp module) {
  SmallVector<DeviceImage> images;
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    auto objects = binary.getObjects().getAsRange<gpu::ObjectAttr>();
    llvm::MapVector<Attribute, DeviceImage> byTarget;
    for (gpu::ObjectAttr object : objects) {
      llvm::StringRef text = object.getObject().getValue();
      DeviceImage &image = byTarget[object.getTarget()];
      if (object.getFormat() == gpu::CompilationTarget::Assembly)
        image.ptx = text.rtrim('\0').str();
      else
        image.cubin = text.str();
    }
    for (auto &[target, image] : byTarget) {
      image.name = binary.getName().str();
      auto chip = dyn_cast<NVVM::NVVMTargetAttr>(target);
      if (chip && byTarget.size() > 1)
        image.name += "." + chip.getChip().str();
      images.push_back(std::move(image));
    }
  }
  return images;
}

//===----------------------------------------------------------------------===//
// LLVM
//===----------------------------------------------------------------------===//

LogicalResult Compilation::translate() {
  PhaseTimer timer("llvm ir", options.timePhases, host.errors);
  code = HostCode::translate(*lowered, entryPoints,
                             {options.cpu, processors, options.level,
                              std::max<int32_t>(getNode(), 0)});
  return success(code != nullptr);
}

std::string Compilation::printOptimized() {
  std::string text;
  llvm::raw_string_ostream(text) << code->optimize();
  return text;
}

FailureOr<std::unique_ptr<llvm::MemoryBuffer>> Compilation::emitObject() {
  PhaseTimer timer("codegen", options.timePhases, host.errors);
  if (HostCode::Object object = code->emitObject())
    return object;
  return fail("LLVM cannot write object files for this machine");
}

FailureOr<std::unique_ptr<llvm::MemoryBuffer>>
Compilation::emitEntryTable(ArrayRef<NodeEntries> nodes, bool hasMain) {
  if (HostCode::Object object =
          code->emitEntryTable(nodes, getProgramHash(), hasMain))
    return object;
  return fail("LLVM cannot write object files for this machine");
}
