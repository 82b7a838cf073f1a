//===- StreamConstants.cpp - Constants that a device has no room for ------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the constants of a device and the values that live at once exceed its
// memory, some of the constants stay on the host and are copied before each
// kernel that reads them, into one of a few slots:
//
//   %w = memref.get_global @w : memref<4x4xf32, gpu:0>
//   linalg.matmul ins(%x, %w) ...
//
// becomes
//
//   %slot = memref.alloc() {hetero.streamed} : memref<256xi8, gpu:0>
//   %v = memref.view %slot[%c0][] : ... to memref<4x4xf32, gpu:0>
//   %h = memref.get_global @w_host {hetero.streamed} : memref<4x4xf32>
//   memref.copy %h, %v
//   linalg.matmul ins(%x, %v) ...
//
// From here on these are copies like others: hetero-schedule lets them run
// beside kernels, and a slot makes it wait for the kernels that still read it.
//
//===----------------------------------------------------------------------===//

#include "StreamPlan.h"
#include "Transforms/Schedule/InsertFrees.h"
#include "Transforms/Schedule/PlanArenas.h"
#include "Transforms/Schedule/Schedule.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Runtime/BlockSizes.h"
#include "hetero/Support/Assert.h"
#include "hetero/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_STREAMCONSTANTSPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {
/// Carries out the plan for one device.
class ConstantStreamer {
public:
  ConstantStreamer(ModuleOp module, const ConstantUses &uses,
                   const StreamPlan &plan)
      : module(module), symbols(module), uses(uses), plan(plan) {}

  void run();

  int64_t numCopies = 0;

private:
  Value loadFromHost(OpBuilder &builder, Location loc, unsigned number);
  void allocateSlots(const FunctionSlots &function);
  void stream(const StreamedRead &read);
  void readDirectly(memref::CopyOp copy, unsigned number);
  void eraseConstants();

  ModuleOp module;
  SymbolTable symbols;
  const ConstantUses &uses;
  const StreamPlan &plan;
  /// By constant, of those that are streamed.
  llvm::DenseMap<unsigned, memref::GlobalOp> onHost;
  /// Of the function that is rewritten.
  SmallVector<Value> slots;
};
} // namespace

/// The constant in memory of the host of the device's node, where it is put
/// once.
Value ConstantStreamer::loadFromHost(OpBuilder &builder, Location loc,
                                     unsigned number) {
  memref::GlobalOp global = uses.constants[number].global;
  MemRefType type = global.getType();
  DeviceAttr place =
      DeviceAttr::getHost(builder.getContext()).onNode(uses.device.getNode());
  auto onHostType = MemRefType::get(
      type.getShape(), type.getElementType(), MemRefLayoutAttrInterface(),
      place.isHost() ? Attribute() : Attribute(place));
  memref::GlobalOp &host = onHost[number];
  if (!host) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(global);
    auto elements = cast<ElementsAttr>(*global.getInitialValue());
    Attribute value = retypeElements(
        elements, cast<ShapedType>(withoutDevice(elements.getShapedType())));
    host = memref::GlobalOp::create(
        builder, global.getLoc(), (global.getName() + "_host").str(),
        builder.getStringAttr("private"), onHostType, value,
        /*constant=*/true, global.getAlignmentAttr());
    symbols.insert(host);
  }
  auto load =
      memref::GetGlobalOp::create(builder, loc, onHostType, host.getName());
  load->setAttr(kStreamedAttrName, builder.getUnitAttr());
  return load;
}

void ConstantStreamer::allocateSlots(const FunctionSlots &function) {
  slots.clear();
  FunctionOpInterface op = function.function;
  auto builder = OpBuilder::atBlockBegin(&op.getFunctionBody().front());
  for (int64_t bytes : function.sizes) {
    auto type =
        MemRefType::get({bytes}, builder.getI8Type(),
                        MemRefLayoutAttrInterface(), uses.device.getBare());
    auto slot = memref::AllocOp::create(
        builder, op.getLoc(), type,
        builder.getI64IntegerAttr(::hetero::kDeviceAlignment));
    slot->setAttr(kStreamedAttrName, builder.getUnitAttr());
    slots.push_back(slot);
  }
}

/// The value that `buffer`, a view of a constant, is of another one.
static Value rebuildViews(OpBuilder &builder, Value buffer, Value source) {
  SmallVector<Operation *> views;
  Value root = buffer;
  while (auto view = root.getDefiningOp<ViewLikeOpInterface>()) {
    views.push_back(view);
    root = view.getViewSource();
  }
  IRMapping mapping;
  mapping.map(root, source);
  for (Operation *view : llvm::reverse(views))
    builder.clone(*view, mapping);
  return mapping.lookup(buffer);
}

/// Lets the reader have the constant in a slot.
void ConstantStreamer::stream(const StreamedRead &read) {
  OpBuilder builder(read.reader);
  Location loc = read.reader->getLoc();
  memref::GlobalOp global = uses.constants[read.constant].global;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value view = memref::ViewOp::create(builder, loc, global.getType(),
                                      slots[read.slot], zero, ValueRange());
  if (read.isCopied) {
    Value host = loadFromHost(builder, loc, read.constant);
    auto copy = memref::CopyOp::create(builder, loc, host, view);
    copy->setAttr(kValueAttrName, builder.getStringAttr(global.getName()));
    ++numCopies;
  }
  for (OpOperand &operand : read.reader->getOpOperands())
    if (memref::GetGlobalOp source = getConstantSource(operand.get());
        source && source.getName() == global.getName())
      operand.set(rebuildViews(builder, operand.get(), view));
}

/// What copies the constant to a buffer of its own gets it from the host.
void ConstantStreamer::readDirectly(memref::CopyOp copy, unsigned number) {
  OpBuilder builder(copy);
  copy.getSourceMutable().assign(loadFromHost(builder, copy.getLoc(), number));
  copy->setAttr(kValueAttrName,
                builder.getStringAttr(uses.constants[number].getName()));
  ++numCopies;
}

/// Removes the constants that are on the device no more, and views of them.
void ConstantStreamer::eraseConstants() {
  llvm::StringSet<> streamed;
  for (auto [number, constant] : llvm::enumerate(uses.constants))
    if (plan.isStreamed[number])
      streamed.insert(constant.getName());
  llvm::SetVector<Operation *> dead;
  module.walk([&](memref::GetGlobalOp op) {
    if (streamed.contains(op.getName()))
      dead.insert(op);
  });
  for (size_t i = 0; i < dead.size(); ++i)
    for (Operation *user : dead[i]->getUsers()) {
      HETERO_ASSERT(isa<ViewLikeOpInterface>(user),
                    "readers have been given slots");
      dead.insert(user);
    }
  for (Operation *op : dead)
    op->dropAllUses();
  for (Operation *op : dead)
    op->erase();
  for (auto [constant, isStreamed] : llvm::zip(uses.constants, plan.isStreamed))
    if (isStreamed)
      symbols.erase(constant.global);
}

void ConstantStreamer::run() {
  for (const FunctionSlots &function : plan.functions) {
    if (!function.reads.empty())
      allocateSlots(function);
    for (const StreamedRead &read : function.reads)
      stream(read);
  }
  for (const FunctionReaders &function : uses.functions)
    for (const ConstantReader &reader : function.readers)
      if (auto copy = dyn_cast<memref::CopyOp>(reader.op);
          copy && plan.isStreamed[reader.constants.front()])
        readDirectly(copy, reader.constants.front());
  eraseConstants();
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

namespace {
struct StreamCounts {
  int64_t constants = 0, copies = 0, devices = 0;
};

/// Streams constants of a module to devices that are too small for them.
class DeviceStreamer {
public:
  DeviceStreamer(ModuleOp module, const Topology &topology)
      : module(module), topology(topology), tree(module) {}

  LogicalResult run(DeviceIndex device);

  StreamCounts counts;

private:
  const FunctionNeeds *getNeeds(DeviceAttr device, bool overlapsCopies);
  LogicalResult refuse(const ConstantUses &uses, int64_t capacity) const;
  void remarkOn(const ConstantUses &uses, const StreamPlan &plan,
                int64_t allBytes);

  ModuleOp module;
  const Topology &topology;
  BlockTree tree;
  /// By whether copies overlap; none where memory cannot be planned.
  std::optional<SmallVector<FunctionMemory, 0>> measured[2];
  bool isMeasured[2] = {false, false};
  FunctionNeeds needs;
};
} // namespace

/// What the functions need on the device beside constants, by a schedule that
/// needs little; null where memory cannot be planned.
const FunctionNeeds *DeviceStreamer::getNeeds(DeviceAttr device,
                                              bool overlapsCopies) {
  auto &memory = measured[overlapsCopies];
  if (!isMeasured[overlapsCopies]) {
    isMeasured[overlapsCopies] = true;
    OwningOpRef<ModuleOp> scratch = module.clone();
    scheduleLeanly(*scratch, overlapsCopies);
    if (succeeded(insertFreesQuietly(*scratch)))
      memory = measureMemory(*scratch);
  }
  if (!memory)
    return nullptr;
  needs = getFunctionNeeds(module, *memory, device);
  return &needs;
}

/// An error at the reader that needs the most.
LogicalResult DeviceStreamer::refuse(const ConstantUses &uses,
                                     int64_t capacity) const {
  auto [reader, most] = findLargestReader(uses);
  // Without constants memory is short as well, which is said when it is laid
  // out.
  if (!reader)
    return success();
  int64_t fixed = 0;
  for (const ConstantOnDevice &constant : uses.constants)
    if (!constant.mayStream)
      fixed = addTimes(fixed, constant.bytes);
  std::string name = uses.device.str();
  InFlightDiagnostic error =
      emitError(reader->getLoc())
      << "'" << reader->getName() << "' op needs " << most
      << " bytes of constants on " << name << " at once, beside "
      << needs.getPeak() << " bytes of values and " << fixed
      << " bytes of constants that cannot be streamed, but " << name << " has "
      << capacity << " bytes; give it " << getLeastBytes(uses, needs)
      << " by memory-budget or its device_spec, split the constants, or place "
         "less there";
  for (const ConstantOnDevice &constant : uses.constants)
    if (!constant.mayStream && constant.bytes > capacity / 4) {
      memref::GlobalOp global = constant.global;
      error.attachNote(global.getLoc())
          << constant.elementBytes << " bytes of a constant that control flow, "
          << "calls, or what the host runs in parallel reads";
    }
  return error;
}

void DeviceStreamer::remarkOn(const ConstantUses &uses, const StreamPlan &plan,
                              int64_t allBytes) {
  int64_t streamed = llvm::count(plan.isStreamed, true);
  auto passed = remark::passed(
      module.getLoc(),
      remark::RemarkOpts::name("streamed").category("hetero-stream-constants"));
  if (!passed)
    return;
  int64_t slots = 0;
  for (const FunctionSlots &function : plan.functions)
    slots = std::max(slots, function.getBytes());
  passed << remark::add("{0} of {1} constants of {2} are copied for each use",
                        streamed, uses.constants.size(), uses.device.str())
         << remark::metric("CopyPicoseconds", plan.copyTime)
         << remark::metric("KeptBytes", plan.keptBytes)
         << remark::metric("SlotBytes", slots)
         << remark::metric("NeededBytes", plan.neededBytes)
         << remark::metric("BudgetForAllBytes", allBytes)
         << remark::metric("Buffers", int64_t(plan.buffering));
}

LogicalResult DeviceStreamer::run(DeviceIndex device) {
  std::optional<int64_t> capacity = topology.getCapacity(device);
  if (!capacity || isHostAccessible(topology.getDevice(device)))
    return success();
  ConstantUses uses = findConstantUses(module, device, topology, tree);
  if (llvm::none_of(uses.constants, [](const ConstantOnDevice &constant) {
        return constant.mayStream;
      }))
    return success();
  int64_t constants = 0;
  for (const ConstantOnDevice &constant : uses.constants)
    constants = addTimes(constants, constant.bytes);
  for (bool overlapsCopies : {true, false}) {
    const FunctionNeeds *known = getNeeds(uses.device, overlapsCopies);
    // What is wrong is said when it counts.
    if (!known)
      return success();
    int64_t all = addTimes(constants, known->getPeak());
    if (all <= *capacity)
      return success();
    std::optional<StreamPlan> plan = planStreams(uses, *known, *capacity);
    if (!plan)
      continue;
    remarkOn(uses, *plan, all);
    ConstantStreamer streamer(module, uses, *plan);
    streamer.run();
    counts.constants += llvm::count(plan->isStreamed, true);
    counts.copies += streamer.numCopies;
    ++counts.devices;
    return success();
  }
  return refuse(uses, *capacity);
}

namespace {
struct StreamConstantsPass
    : public mlir::hetero::impl::StreamConstantsPassBase<StreamConstantsPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (getPhase(module) >= Phase::Scheduled)
      return;
    Topology topology = Topology::get(module);
    DeviceStreamer streamer(module, topology);
    if (!fitsWithoutReuse(module))
      for (DeviceIndex device = 0; device < topology.size(); ++device)
        if (failed(streamer.run(device)))
          return signalPassFailure();
    remarkSummary(module, getArgument(),
                  {{"devices", streamer.counts.devices},
                   {"constants", streamer.counts.constants},
                   {"copies", streamer.counts.copies}});
  }
};
} // namespace
