//===- TestGenerate.cpp - Generates modules for benchmarks ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --test-hetero-generate fills an empty module with a function of any number of
// structured operations; benchmarks/placement measures passes on it, without
// the time of a parser. --test-hetero-drop empties the module again, so that
// nothing is printed.
//
// Every operation accumulates into a tensor of one shape:
//
//   out[i, j] += a[i, j] * w[k]    or, with one input,    out[i, j] += w[k] ^ 2
//
// so that its work is chosen by the size of w alone, and its time on each
// device by the work and the topology, which is written on the module.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/Machine/DeviceNames.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"
#include <random>

using namespace mlir;
using namespace mlir::hetero;

namespace {
enum class Shape { Chain, Dag, FanOut, Nested };
enum class Costs { Uniform, Clear, NearTied, Alternating };
enum class Pins { None, Half, Alternating };

struct GenerateOptions {
  Shape shape = Shape::Chain;
  Costs costs = Costs::Uniform;
  Pins pins = Pins::None;
  int64_t ops = 0;
  uint64_t seed = 0;
  SmallVector<DeviceAttr> devices;
};

/// Fills one module.
class ModuleGenerator {
public:
  ModuleGenerator(ModuleOp module, const GenerateOptions &options)
      : options(options), module(module), builder(module.getContext()),
        random(options.seed) {}

  void run();

private:
  static constexpr int64_t kSide = 64, kMaxWork = 64, kInputs = 8;

  void writeTopology();
  void createFunction();
  Value createOp(Value accumulator, Value input = {});
  int64_t chooseWork();
  void pin(Operation *op);
  Location nextLocation();
  bool isDone() const { return made >= options.ops; }

  Value createChain();
  Value createDag();
  Value createFanOut();
  Value createNested();
  Value createLoop(Value carried, unsigned depth);

  const GenerateOptions &options;
  ModuleOp module;
  OpBuilder builder;
  std::mt19937_64 random;
  func::FuncOp function;
  int64_t made = 0;
  unsigned line = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

namespace {
/// Times in picoseconds, rates per second.
struct Machine {
  int64_t hostLaunch, hostCompute, launch, compute, latency, bandwidth;
};
} // namespace

/// An operation has 8192 to 524288 operations of arithmetic, a tensor 16 KiB.
static Machine getMachine(Costs costs) {
  switch (costs) {
  case Costs::Uniform:
  case Costs::Alternating:
    // 1 to 52 us on the host, 26 us elsewhere, 6.4 us per copy.
    return {100'000,           10'000'000'000, 26'000'000,
            1'000'000'000'000, 5'000'000,      12'000'000'000};
  case Costs::Clear:
    // 4 or 262 us on the host, 40 us elsewhere, 0.5 us per copy.
    return {100'000,           2'000'000'000, 40'000'000,
            1'000'000'000'000, 100'000,       40'000'000'000};
  case Costs::NearTied:
    // Differences and copies of 0.05 us at 11 to 12 us.
    return {10'000'000, 262'144'000'000, 10'050'000, 275'940'000'000,
            0,          320'000'000'000};
  }
  llvm_unreachable("costs without a machine");
}

void ModuleGenerator::writeTopology() {
  constexpr int64_t kMemory = int64_t(1) << 40, kBandwidth = int64_t(1) << 50;
  Machine machine = getMachine(options.costs);
  MLIRContext *context = module.getContext();
  SmallVector<DeviceSpecAttr> specs;
  SmallVector<LinkAttr> links;
  for (DeviceAttr device : options.devices) {
    bool isHost = device.isHost();
    specs.push_back(DeviceSpecAttr::get(
        context, device, kMemory,
        isHost ? machine.hostCompute : machine.compute, kBandwidth,
        isHost ? machine.hostLaunch : machine.launch, ArrayAttr(), Attribute(),
        /*overlap=*/true));
    for (DeviceAttr to : options.devices)
      if (device != to)
        links.push_back(LinkAttr::get(context, device, to, machine.bandwidth,
                                      machine.latency, /*unified=*/false));
  }
  module->setAttr(kTopologyAttrName, TopologyAttr::get(context, specs, links));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// As a parser would give it, so that names that are made of locations cost
/// what they cost in a program.
Location ModuleGenerator::nextLocation() {
  return FileLineColLoc::get(module.getContext(), "generated.mlir", ++line, 8);
}

void ModuleGenerator::createFunction() {
  Type element = builder.getF32Type();
  SmallVector<Type> inputs(kInputs,
                           RankedTensorType::get({kSide, kSide}, element));
  Type result = inputs.front();
  for (int64_t size = 1; size <= kMaxWork; ++size)
    inputs.push_back(RankedTensorType::get({size}, element));
  builder.setInsertionPointToEnd(module.getBody());
  function = func::FuncOp::create(builder, nextLocation(), "main",
                                  builder.getFunctionType(inputs, result));
  builder.setInsertionPointToStart(function.addEntryBlock());
}

int64_t ModuleGenerator::chooseWork() {
  switch (options.costs) {
  case Costs::Uniform:
  case Costs::NearTied:
    return 1 + random() % kMaxWork;
  case Costs::Clear:
    return random() % 2 ? kMaxWork : 1;
  case Costs::Alternating:
    return made % 2 ? kMaxWork : 1;
  }
  llvm_unreachable("costs without work");
}

void ModuleGenerator::pin(Operation *op) {
  ArrayRef<DeviceAttr> devices = options.devices;
  if (options.pins == Pins::Alternating)
    setDevice(op, devices[made % devices.size()]);
  else if (options.pins == Pins::Half && random() % 2)
    setDevice(op, devices[random() % devices.size()]);
}

Value ModuleGenerator::createOp(Value accumulator, Value input) {
  MLIRContext *context = module.getContext();
  Value weights = function.getArgument(kInputs + chooseWork() - 1);
  AffineMap matrix =
      AffineMap::getMultiDimIdentityMap(3, context).dropResult(2);
  AffineMap vector = AffineMap::get(3, 0, builder.getAffineDimExpr(2));
  SmallVector<Value> inputs = {weights};
  SmallVector<AffineMap> maps = {vector};
  if (input) {
    inputs.push_back(input);
    maps.push_back(matrix);
  }
  maps.push_back(matrix);
  utils::IteratorType kinds[] = {utils::IteratorType::parallel,
                                 utils::IteratorType::parallel,
                                 utils::IteratorType::reduction};
  auto op = linalg::GenericOp::create(
      builder, nextLocation(), accumulator.getType(), inputs, accumulator, maps,
      kinds, [](OpBuilder &body, Location loc, ValueRange values) {
        Value other = values.size() == 3 ? values[1] : values[0];
        Value product = arith::MulFOp::create(body, loc, values[0], other);
        Value sum = arith::AddFOp::create(body, loc, product, values.back());
        linalg::YieldOp::create(body, loc, sum);
      });
  pin(op);
  ++made;
  return op.getResult(0);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Value ModuleGenerator::createChain() {
  Value value = function.getArgument(0);
  while (!isDone())
    value = createOp(value);
  return value;
}

/// Values that nobody reads yet wait in a list: an operation of one input
/// rereads an old value and makes the list longer, one of two makes it shorter.
Value ModuleGenerator::createDag() {
  constexpr size_t kWidth = 64;
  SmallVector<Value> unread(function.getArguments().take_front(kInputs));
  SmallVector<Value, 0> all(unread.begin(), unread.end());
  auto take = [&] {
    std::swap(unread[random() % unread.size()], unread.back());
    return unread.pop_back_val();
  };
  while (!isDone()) {
    size_t remaining = options.ops - made;
    bool mayGrow = unread.size() < std::min(kWidth, remaining);
    Value value;
    if (mayGrow && (unread.size() < 2 || random() % 2))
      value = createOp(all[random() % all.size()]);
    else if (unread.size() > 1)
      value = createOp(take(), take());
    else
      value = createOp(take());
    unread.push_back(value);
    all.push_back(value);
  }
  return unread.back();
}

/// One value that half of the operations read.
Value ModuleGenerator::createFanOut() {
  Value root = createOp(function.getArgument(0));
  Value sum = function.getArgument(1);
  while (!isDone())
    sum = createOp(sum, createOp(root));
  return sum;
}

Value ModuleGenerator::createNested() {
  Value value = function.getArgument(0);
  while (!isDone())
    value = createLoop(value, /*depth=*/3);
  return value;
}

/// A loop around two operations, two loops, and one that also reads a value
/// from outside.
Value ModuleGenerator::createLoop(Value carried, unsigned depth) {
  Location loc = nextLocation();
  auto bound = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto loop =
      scf::ForOp::create(builder, loc, bound(0), bound(4), bound(1), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value value = createOp(createOp(loop.getRegionIterArg(0)));
  for (int i = 0; i < 2 && depth > 1; ++i)
    value = createLoop(value, depth - 1);
  value = createOp(value, carried);
  scf::YieldOp::create(builder, loc, value);
  return loop.getResult(0);
}

void ModuleGenerator::run() {
  writeTopology();
  createFunction();
  Value result;
  switch (options.shape) {
  case Shape::Chain:
    result = createChain();
    break;
  case Shape::Dag:
    result = createDag();
    break;
  case Shape::FanOut:
    result = createFanOut();
    break;
  case Shape::Nested:
    result = createNested();
    break;
  }
  func::ReturnOp::create(builder, nextLocation(), result);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

namespace {
struct GeneratePass
    : public PassWrapper<GeneratePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(GeneratePass)

  GeneratePass() = default;
  GeneratePass(const GeneratePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-hetero-generate"; }
  StringRef getDescription() const override {
    return "Fills the module with a function of structured operations";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<HeteroDialect, arith::ArithDialect, func::FuncDialect,
                    linalg::LinalgDialect, scf::SCFDialect>();
  }
  void runOnOperation() override {
    GenerateOptions chosen{shape, costs, pins, ops, seed, {}};
    for (const std::string &text : devices)
      if (DeviceAttr device = parseDevice(text, &getContext())) {
        chosen.devices.push_back(device);
      } else {
        emitError(getOperation().getLoc()) << "no device: '" << text << "'";
        return signalPassFailure();
      }
    if (chosen.devices.empty())
      chosen.devices = {DeviceAttr::getHost(&getContext()),
                        DeviceAttr::get(&getContext(), "gpu", 0)};
    ModuleGenerator(getOperation(), chosen).run();
  }

private:
  Option<Shape> shape{
      *this, "shape", llvm::cl::desc("How the operations depend on each other"),
      llvm::cl::init(Shape::Chain),
      llvm::cl::values(
          clEnumValN(Shape::Chain, "chain", "Each reads the one before"),
          clEnumValN(Shape::Dag, "dag", "Each reads one or two at random"),
          clEnumValN(Shape::FanOut, "fan-out", "One is read by half of them"),
          clEnumValN(Shape::Nested, "nested", "Nests of three loops"))};
  Option<Costs> costs{
      *this, "costs", llvm::cl::desc("What they cost on the devices"),
      llvm::cl::init(Costs::Uniform),
      llvm::cl::values(
          clEnumValN(Costs::Uniform, "uniform", "Differences at random"),
          clEnumValN(Costs::Clear, "clear", "One device is far better"),
          clEnumValN(Costs::NearTied, "near-tied", "Equal within 1 %"),
          clEnumValN(Costs::Alternating, "alternating",
                     "Each prefers another device than the one before"))};
  Option<Pins> pins{
      *this, "pins", llvm::cl::desc("Which are annotated with a device"),
      llvm::cl::init(Pins::None),
      llvm::cl::values(
          clEnumValN(Pins::None, "none", "None"),
          clEnumValN(Pins::Half, "half", "Half of them, at random"),
          clEnumValN(Pins::Alternating, "alternating",
                     "All, with the devices in turn"))};
  Option<int64_t> ops{*this, "ops", llvm::cl::desc("How many to make"),
                      llvm::cl::init(1000)};
  Option<uint64_t> seed{*this, "seed", llvm::cl::desc("Seed"),
                        llvm::cl::init(1)};
  ListOption<std::string> devices{
      *this, "devices",
      llvm::cl::desc("Devices of the topology, with the "
                     "host; cpu:0 and gpu:0 if left out")};
};

struct DropPass : public PassWrapper<DropPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropPass)

  StringRef getArgument() const override { return "test-hetero-drop"; }
  StringRef getDescription() const override {
    return "Empties the module, so that nothing is printed";
  }
  void runOnOperation() override {
    Block *body = getOperation().getBody();
    body->dropAllReferences();
    body->clear();
  }
};
} // namespace

namespace mlir::hetero::test {
void registerTestGeneratePasses() {
  PassRegistration<GeneratePass>();
  PassRegistration<DropPass>();
}
} // namespace mlir::hetero::test
