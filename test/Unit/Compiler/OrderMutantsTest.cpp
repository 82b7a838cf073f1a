//===- OrderMutantsTest.cpp - Programs with a wait too few ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random planned programs, of which each wait and each order is taken away, and
// each free is moved before the last use. --hetero-verify refuses exactly those
// in which the transitive closure of what happens before what leaves two
// accesses to the same bytes without an order.
//
//===----------------------------------------------------------------------===//

#include "RandomProgram.h"
#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Compiler/Compilation.h"
#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/BitVector.h"

#include <gtest/gtest.h>

#include <map>

using namespace ::hetero::test;
using namespace mlir;
using namespace mlir::hetero;

namespace {

/// Bytes that a step of the program touches.
struct Touch {
  unsigned step, place;
  Value root;
  int64_t begin, end;
  bool writes, frees;
};

/// What happens before what in a block without control flow that devices work
/// in, as a graph: the host's steps are one after the other, and so are those
/// of a stream.
class HappensBefore {
public:
  explicit HappensBefore(Block &block) {
    for (Operation &op : block)
      add(op);
    close();
  }

  bool hasRace() const;

private:
  unsigned addNode() {
    before.emplace_back();
    return before.size() - 1;
  }
  void addEdge(unsigned from, unsigned to) { before[to].push_back(from); }
  unsigned addStep(std::vector<std::string> onStreams);
  void add(Operation &op);
  void addCopy(memref::CopyOp op);
  void addHostWork(Operation &op);
  void touch(unsigned place, Value buffer, bool writes, bool frees = false);
  void close();

  std::vector<std::vector<unsigned>> before;
  std::vector<llvm::BitVector> reached;
  std::map<std::string, unsigned> last;
  std::vector<Touch> touches;
  unsigned host = addNode(), steps = 0;
};

std::string nameOf(DeviceAttr device) {
  return device.getBare().str() + "/" + device.getUnit().str();
}

/// The device of a buffer; null for the host.
DeviceAttr deviceOf(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  auto device =
      type ? dyn_cast_or_null<DeviceAttr>(type.getMemorySpace()) : DeviceAttr();
  return device && device.getKind() != "cpu" ? device : DeviceAttr();
}

unsigned HappensBefore::addStep(std::vector<std::string> onStreams) {
  unsigned node = addNode();
  addEdge(host, node);
  for (const std::string &stream : onStreams) {
    if (last.count(stream))
      addEdge(last[stream], node);
    last[stream] = node;
  }
  return node;
}

void HappensBefore::touch(unsigned place, Value buffer, bool writes,
                          bool frees) {
  Touch touch{steps, place, buffer, 0, INT64_MAX, writes, frees};
  while (auto view = touch.root.getDefiningOp<ViewLikeOpInterface>()) {
    APInt shift;
    if (auto part = dyn_cast<memref::ViewOp>(view.getOperation());
        part && matchPattern(part.getByteShift(), m_ConstantInt(&shift))) {
      touch.begin = shift.getSExtValue();
      touch.end = touch.begin + part.getType().getNumElements() *
                                    part.getType().getElementTypeBitWidth() / 8;
    }
    touch.root = view.getViewSource();
  }
  touches.push_back(touch);
}

void HappensBefore::addCopy(memref::CopyOp op) {
  std::vector<std::string> streams;
  auto add = [&](Value buffer, const char *name) {
    auto stream = op->getAttrOfType<DeviceAttr>(name);
    if (DeviceAttr device = deviceOf(buffer))
      streams.push_back(nameOf(stream ? stream : device.getBare()));
  };
  add(op.getSource(), "hetero.from");
  add(op.getTarget(), "hetero.to");
  unsigned node = streams.empty() ? host : addStep(streams);
  // The host has staged what it sends before it goes on.
  touch(deviceOf(op.getSource()) ? node : host, op.getSource(), false);
  touch(node, op.getTarget(), true);
}

void HappensBefore::addHostWork(Operation &op) {
  op.walk([&](Operation *inner) {
    if (isMemoryEffectFree(inner) && !inner->hasTrait<OpTrait::ReturnLike>())
      return;
    for (Value value : inner->getOperands())
      if (isa<MemRefType>(value.getType()) && !deviceOf(value))
        touch(host, value, true);
  });
}

void HappensBefore::add(Operation &op) {
  ++steps;
  unsigned now = addNode();
  addEdge(host, now);
  host = now;
  auto kernel = dyn_cast<DestinationStyleOpInterface>(op);
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    addCopy(copy);
  } else if (kernel && deviceOf(kernel.getDpsInits().front())) {
    DeviceAttr device = deviceOf(kernel.getDpsInits().front());
    auto own = op.getAttrOfType<DeviceAttr>("hetero.device");
    unsigned node = addStep({nameOf(own ? own : device)});
    for (OpOperand &operand : op.getOpOperands())
      if (isa<MemRefType>(operand.get().getType()))
        touch(node, operand.get(), kernel.isDpsInit(&operand));
  } else if (auto order = dyn_cast<OrderOp>(op)) {
    std::string after = nameOf(order.getAfter());
    unsigned node = addStep({nameOf(order.getDevice())});
    if (last.count(after))
      addEdge(last[after], node);
  } else if (auto wait = dyn_cast<WaitOp>(op)) {
    bool isForAll = wait.getDevice().getUnit().empty();
    for (auto &[stream, node] : last)
      if (isForAll ? StringRef(stream).starts_with(wait.getDevice().str() + "/")
                   : stream == nameOf(wait.getDevice()))
        addEdge(node, host);
  } else if (auto free = dyn_cast<memref::DeallocOp>(op)) {
    touch(host, free.getMemref(), true, true);
  } else {
    addHostWork(op);
  }
}

/// Edges go from earlier nodes to later ones, but for waits: a stream's node is
/// made before the host's that waits for it in any case.
void HappensBefore::close() {
  reached.assign(before.size(), llvm::BitVector(before.size()));
  for (unsigned node = 0; node < before.size(); ++node)
    for (unsigned other : before[node]) {
      reached[node] |= reached[other];
      reached[node].set(other);
    }
}

bool HappensBefore::hasRace() const {
  auto conflicts = [&](const Touch &first, const Touch &second) {
    if (first.root != second.root || first.begin >= second.end ||
        second.begin >= first.end || first.step == second.step)
      return false;
    if (first.frees)
      return true;
    // A device uses freed memory again after what it has got.
    if (second.frees && deviceOf(second.root))
      return false;
    return (first.writes || second.writes) && first.place != second.place &&
           !reached[second.place].test(first.place);
  };
  for (size_t i = 0; i < touches.size(); ++i)
    for (size_t j = i + 1; j < touches.size(); ++j)
      if (conflicts(touches[i], touches[j]))
        return true;
  return false;
}

/// The first operation of the block that an operation is in, or is.
Operation *findStep(Operation *op, Block *block) {
  return block->findAncestorOpInBlock(*op);
}

/// Moves the free before the last operation that uses the memory; false if none
/// does.
bool moveUp(memref::DeallocOp free) {
  Operation *last = nullptr;
  SmallVector<Value> names{free.getMemref()};
  while (!names.empty())
    for (Operation *user : names.pop_back_val().getUsers()) {
      if (isa<ViewLikeOpInterface>(user))
        llvm::append_range(names, user->getResults());
      Operation *step = findStep(user, free->getBlock());
      if (step && !isa<ViewLikeOpInterface>(user) && user != free &&
          (!last || last->isBeforeInBlock(step)))
        last = step;
    }
  if (last)
    free->moveBefore(last);
  return last;
}

/// Makes the mutant of this number; false if there are fewer.
bool mutate(Block &block, unsigned number) {
  for (Operation &op : block) {
    if (!isa<WaitOp, OrderOp, memref::DeallocOp>(op) || number-- != 0)
      continue;
    auto free = dyn_cast<memref::DeallocOp>(op);
    if (free)
      moveUp(free);
    else
      op.erase();
    return true;
  }
  return false;
}

bool isRefused(ModuleOp module, std::string &text) {
  ScopedDiagnosticHandler handler(module.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    text += diagnostic.str() + "\n";
                                    return success();
                                  });
  PassManager manager(module.getContext());
  manager.addPass(createVerifyPass());
  return failed(manager.run(module));
}

Block &getEntry(ModuleOp module) {
  return module.lookupSymbol<func::FuncOp>("spread").getBody().front();
}

struct Tally {
  int mutants = 0, races = 0;
};

void checkMutants(uint64_t seed, Tally &tally) {
  CompileOptions options(kNativeProcessor);
  std::string text;
  llvm::raw_string_ostream errors(text);
  Compilation compilation(options, {"test", errors});
  RandomProgram program = makeRandomProgram(seed, Extra::Straight);
  ASSERT_TRUE(succeeded(compilation.parse(
      llvm::MemoryBuffer::getMemBufferCopy(program.text, "program"))));
  compilation.setEntry("spread");
  OwningOpRef<ModuleOp> planned =
      compilation.runUntil(Phase::Planned, /*isQuiet=*/false);
  ASSERT_TRUE(planned) << text;
  EXPECT_FALSE(HappensBefore(getEntry(*planned)).hasRace()) << seed;
  for (unsigned number = 0;; ++number) {
    OwningOpRef<ModuleOp> mutant = planned->clone();
    if (!mutate(getEntry(*mutant), number))
      break;
    bool isRace = HappensBefore(getEntry(*mutant)).hasRace();
    ++tally.mutants;
    tally.races += isRace;
    std::string error;
    EXPECT_EQ(isRefused(*mutant, error), isRace)
        << "program " << seed << ", mutant " << number << ": " << error;
  }
}

TEST(OrderMutants, AreRefusedWhereTheyRace) {
  Tally tally;
  for (uint64_t seed = 0; seed < 50; ++seed)
    checkMutants(seed, tally);
  RecordProperty("mutants", tally.mutants);
  RecordProperty("races", tally.races);
  EXPECT_GE(tally.mutants, 500);
  EXPECT_GE(10 * tally.races, 6 * tally.mutants)
      << tally.races << " of " << tally.mutants;
}

} // namespace
