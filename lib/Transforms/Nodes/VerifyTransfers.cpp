//===- VerifyTransfers.cpp - One order for all nodes ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyTransfers.h"

#include "hetero/Dialect/Hetero/IR/HeteroStreamOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;
using namespace mlir::hetero;

/// The tag of what starts a transfer.
static std::optional<int64_t> getStartedTag(Operation *op) {
  if (auto send = dyn_cast<SendOp>(op))
    return send.getTag();
  if (auto receive = dyn_cast<ReceiveOp>(op))
    return receive.getTag();
  return std::nullopt;
}

/// The place in the joined order of control flow or a call.
static std::optional<int64_t> getPosition(Operation *op) {
  if (auto attr = op->getAttrOfType<IntegerAttr>(kPositionAttrName))
    return attr.getInt();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// One node
//===----------------------------------------------------------------------===//

namespace {
/// Checks the transfers of one block.
class BlockOrder {
public:
  explicit BlockOrder(Block &block) : block(block) {}
  LogicalResult verify();

private:
  LogicalResult await(AwaitTransferOp op);
  LogicalResult checkStarted(Operation &op, int64_t before);
  LogicalResult checkInside(Operation &op, int64_t position);

  Block &block;
  /// By tag, those that have begun, and whether they are over.
  llvm::DenseMap<int64_t, std::pair<Operation *, bool>> started;
  /// Those to come, from the smallest tag on.
  SmallVector<std::pair<int64_t, Operation *>> coming;
  int64_t lastPosition = 0;
};
} // namespace

LogicalResult BlockOrder::await(AwaitTransferOp op) {
  auto it = started.find(op.getTag());
  if (it == started.end() || it->second.second ||
      it->second.first->getOperand(0) != op.getBuffer()) // C1
    return op.emitOpError("expected a transfer under way of this buffer with "
                          "tag ")
           << op.getTag()
           << "; start it earlier in the block, and await it once";
  it->second.second = true;
  return success();
}

/// C2: all transfers of the block with smaller tags have begun.
LogicalResult BlockOrder::checkStarted(Operation &op, int64_t before) {
  while (!coming.empty() && started.contains(coming.back().first))
    coming.pop_back();
  if (coming.empty() || coming.back().first >= before)
    return success();
  InFlightDiagnostic error =
      op.emitOpError("waits before the transfer with tag ")
      << coming.back().first
      << " has begun, which comes first in the order of all nodes; start it "
         "before";
  error.attachNote(coming.back().second->getLoc()) << "that transfer";
  return error;
}

/// C3: what is inside comes after the position.
LogicalResult BlockOrder::checkInside(Operation &op, int64_t position) {
  if (position <= lastPosition)
    return op.emitOpError("expected positions to rise, got ")
           << position << " after " << lastPosition
           << "; keep the order of the joined program";
  lastPosition = position;
  WalkResult result = op.walk([&](Operation *inner) {
    std::optional<int64_t> own =
        inner == &op ? std::nullopt : getPosition(inner);
    if (!own)
      own = getStartedTag(inner);
    if (!own)
      return WalkResult::advance();
    lastPosition = std::max(lastPosition, *own);
    return *own > position ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (!result.wasInterrupted())
    return success();
  return op.emitOpError("expected what is inside to come after position ")
         << position << "; keep the order of the joined program";
}

LogicalResult BlockOrder::verify() {
  for (Operation &op : block)
    if (std::optional<int64_t> tag = getStartedTag(&op))
      coming.push_back({*tag, &op});
  llvm::sort(coming,
             [](const auto &a, const auto &b) { return a.first > b.first; });
  for (Operation &op : block) {
    if (std::optional<int64_t> tag = getStartedTag(&op)) {
      if (!started.insert({*tag, {&op, false}}).second)
        return op.emitOpError("repeats tag ")
               << *tag << " of its block; give each transfer its own";
    } else if (auto wait = dyn_cast<AwaitTransferOp>(op)) {
      if (failed(checkStarted(op, wait.getTag())) || failed(await(wait)))
        return failure();
    } else if (std::optional<int64_t> position = getPosition(&op)) {
      if (failed(checkStarted(op, *position)) ||
          failed(checkInside(op, *position)))
        return failure();
    }
  }
  for (auto &[tag, transfer] : started)
    if (!transfer.second) // C1
      return transfer.first->emitOpError("is not awaited in its block; insert ")
             << AwaitTransferOp::getOperationName();
  return success();
}

LogicalResult mlir::hetero::verifyTransferOrder(ModuleOp program) {
  if (!program->hasAttr(kNodeAttrName))
    return success();
  WalkResult result = program.walk([&](Operation *op) {
    if (isa<ModuleOp>(op))
      return WalkResult::advance();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(BlockOrder(block).verify()))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// All nodes
//===----------------------------------------------------------------------===//

namespace {
/// The two ends of a transfer, and the nodes whose programs they are in.
struct TransferEnds {
  SendOp send;
  ReceiveOp receive;
  int64_t sender = 0, receiver = 0;
};
} // namespace

/// The function that the operation is in, and the positions of the control flow
/// around it.
static std::pair<StringRef, SmallVector<int64_t>> getPath(Operation *op) {
  SmallVector<int64_t> positions;
  Operation *parent = op->getParentOp();
  for (; !isa<FunctionOpInterface>(parent); parent = parent->getParentOp())
    positions.push_back(getPosition(parent).value_or(0));
  return {cast<FunctionOpInterface>(parent).getName(), positions};
}

/// C4 for one tag.
static LogicalResult verifyPair(int64_t tag, const TransferEnds &ends) {
  SendOp send = ends.send;
  ReceiveOp receive = ends.receive;
  if (!send || !receive)
    return (send ? send.getOperation() : receive.getOperation())
               ->emitOpError("has no partner with tag ")
           << tag << " in the program of node "
           << (send ? send.getNode() : receive.getNode())
           << "; split the program anew";
  auto from = cast<MemRefType>(send.getBuffer().getType());
  auto to = cast<MemRefType>(receive.getBuffer().getType());
  auto fail = [&](const Twine &what) {
    InFlightDiagnostic error = send.emitOpError(what)
                               << "; split the program anew";
    error.attachNote(receive.getLoc()) << "the receive with tag " << tag;
    return error;
  };
  if (int64_t(send.getNode()) != ends.receiver ||
      int64_t(receive.getNode()) != ends.sender)
    return fail("goes from node " + Twine(ends.sender) + " to node " +
                Twine(send.getNode()) + ", but its receive is on node " +
                Twine(ends.receiver) + " and from node " +
                Twine(receive.getNode()));
  if (from.getElementType() != to.getElementType() ||
      failed(verifyCompatibleShape(from.getShape(), to.getShape())))
    return fail("does not send what its receive takes");
  if (getPath(send) != getPath(receive))
    return fail("is not in the same control flow as its receive");
  return success();
}

LogicalResult mlir::hetero::verifyTransferPairs(ModuleOp module) {
  llvm::MapVector<int64_t, TransferEnds> transfers;
  for (auto program : module.getOps<ModuleOp>()) {
    auto node = program->getAttrOfType<IntegerAttr>(kNodeAttrName);
    if (!node)
      continue;
    WalkResult result = program.walk([&](Operation *op) {
      auto fail = [&](int64_t tag) {
        op->emitOpError("repeats tag ")
            << tag << " of another transfer; give each its own";
        return WalkResult::interrupt();
      };
      if (auto send = dyn_cast<SendOp>(op)) {
        TransferEnds &ends = transfers[send.getTag()];
        if (ends.send)
          return fail(send.getTag());
        ends.send = send;
        ends.sender = node.getInt();
      } else if (auto receive = dyn_cast<ReceiveOp>(op)) {
        TransferEnds &ends = transfers[receive.getTag()];
        if (ends.receive)
          return fail(receive.getTag());
        ends.receive = receive;
        ends.receiver = node.getInt();
      }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
  }
  for (const auto &[tag, ends] : transfers)
    if (failed(verifyPair(tag, ends)))
      return failure();
  return success();
}
